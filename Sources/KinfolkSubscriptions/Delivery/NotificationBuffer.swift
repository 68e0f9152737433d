#if !KINFOLK_BLOCKING
import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkThreads

/// The notifications of a task that asks for one after the other.
///
/// They are read in pages. A page is soon read again, because the session may have lost the right to read a record meanwhile.
final class NotificationBuffer: Sendable {
    private struct State {
        /// What was read and not asked for yet, the last one first, and when it was read.
        var page: [SubscriptionNotification] = []
        var readAt: UInt64 = 0
        /// The one that the task has, and acknowledges by asking for the next one.
        var taken: SubscriptionNotification?
        /// Whether something came since the last reading began.
        var hasNews = true
        var task: CheckedContinuation<Void, Never>?
        var isOver = false
        var observation: NotificationObservation?
    }

    /// For how many nanoseconds a page is used.
    private static let freshness: UInt64 = 100_000_000
    private static let pageSize = 100
    /// How many nanoseconds to wait after an error.
    private static let pause: UInt64 = 1_000_000_000

    private let session: Session
    private let state = Lock(State())

    init(_ session: Session) { self.session = session }

    func begin(_ observation: NotificationObservation) { state.withLock { $0.observation = observation } }

    /// Notes that there is something to read.
    func stir() {
        let task = state.withLock { state in
            state.hasNews = true
            defer { state.task = nil }
            return state.task
        }
        task?.resume()
    }

    /// Acknowledges the last notification, and waits for the next one. Nil after the end.
    func next() async -> SubscriptionNotification? {
        let (last, key) = state.withLock { state in
            defer { state.taken = nil }
            return (state.taken, state.observation?.key)
        }
        if let last { session.service.hub.acknowledge(last, by: session, of: key) }
        return await withTaskCancellationHandler {
            while !state.withLock(\.isOver) {
                if let next = take() { return next }
                if await !read() { await wait() }
            }
            return nil
        } onCancel: {
            end()
        }
    }

    /// The next notification of the page; nil if it has none, or is too old.
    private func take() -> SubscriptionNotification? {
        state.withLock { state in
            if Deadline.now - state.readAt > NotificationBuffer.freshness { state.page = [] }
            state.taken = state.page.popLast()
            return state.taken
        }
    }

    /// Reads the next page. False if it is empty.
    private func read() async -> Bool {
        state.withLock { $0.hasNews = false }
        let session = session
        let page = try? await session.service.async {
            let (found, last, isBehind) = try session.waitingNotifications(limit: NotificationBuffer.pageSize)
            if found.isEmpty && isBehind { session.service.hub.acknowledge(last, by: session) }
            return found
        }
        // The store cannot be read now, or the account is suspended.
        if page == nil { try? await Task.sleep(nanoseconds: NotificationBuffer.pause) }
        return state.withLock { state in
            if page == nil { state.hasNews = true }
            (state.page, state.readAt) = (page.map { $0.reversed() } ?? [], Deadline.now)
            return !state.page.isEmpty
        }
    }

    /// Waits until something comes.
    private func wait() async {
        await withCheckedContinuation { (task: CheckedContinuation<Void, Never>) in
            let isReady = state.withLock { state in
                if state.hasNews || state.isOver { return true }
                state.task = task
                return false
            }
            if isReady { task.resume() }
        }
    }

    /// Ends the wait of the task, and delivers nothing more.
    func end() {
        let (task, observation) = state.withLock { state in
            state.isOver = true
            defer { (state.task, state.observation, state.page) = (nil, nil, []) }
            return (state.task, state.observation)
        }
        task?.resume()
        observation?.cancel()
    }
}
#endif
