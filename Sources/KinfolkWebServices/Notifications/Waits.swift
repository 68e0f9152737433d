import KinfolkThreads

/// All answers that wait for something to happen: long polls and streams of events. They end together when the service stops.
final class Waits: Sendable {
    private struct State {
        var ends: [Int: @Sendable () -> Void] = [:]
        var last = 0
        var hasEnded = false
    }

    private let state = Lock(State())

    /// Notes a wait.
    ///
    /// - Parameter end: Ends it early.
    /// - Returns: A number for ``remove(_:)``; nil if the service is stopping, so that it must end at once.
    func add(_ end: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard !state.hasEnded else { return nil }
            state.last += 1
            state.ends[state.last] = end
            return state.last
        }
    }

    func remove(_ number: Int) { state.withLock { $0.ends[number] = nil } }

    var count: Int { state.withLock(\.ends.count) }

    func endAll() {
        let ends = state.withLock { state in
            state.hasEnded = true
            defer { state.ends = [:] }
            return Array(state.ends.values)
        }
        for end in ends { end() }
    }
}
