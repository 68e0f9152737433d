#if !KINFOLK_BLOCKING
import KinfolkThreads

/// Wakes a task that waits for something to come.
package final class Bell: Sendable {
    private struct State {
        /// Whether something came since the last call of ``clear()``.
        var hasRung = true
        var task: CheckedContinuation<Void, Never>?
        var isOver = false
    }

    private let state = Lock(State())

    package init() {}

    /// Whether nothing comes any more.
    package var isOver: Bool { state.withLock(\.isOver) }

    /// Wakes the task, or its next wait.
    package func ring() {
        let task = state.withLock { state in
            state.hasRung = true
            defer { state.task = nil }
            return state.task
        }
        task?.resume()
    }

    /// Call this before reading what has come.
    package func clear() { state.withLock { $0.hasRung = false } }

    /// Waits until something has come since the last call of ``clear()``, or nothing comes any more.
    package func wait() async {
        await withCheckedContinuation { (task: CheckedContinuation<Void, Never>) in
            let isReady = state.withLock { state in
                if state.hasRung || state.isOver { return true }
                state.task = task
                return false
            }
            if isReady { task.resume() }
        }
    }

    /// Ends the wait, and all later ones at once.
    package func end() {
        let task = state.withLock { state in
            state.isOver = true
            defer { state.task = nil }
            return state.task
        }
        task?.resume()
    }
}
#endif
