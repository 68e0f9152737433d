import Kinfolk
import KinfolkThreads

/// All answers that wait for something to happen: long polls and streams of events. They end together when the service stops.
final class Waits: Sendable {
    private struct State {
        var ends: [Int: @Sendable () -> Void] = [:]
        var owners: [Int: UserRecordID] = [:]
        var counts: [UserRecordID: Int] = [:]
        var last = 0
        var hasEnded = false
    }

    private let state = Lock(State())
    private let limit: Int

    /// - Parameter limit: The most waits of one user of a container.
    init(limit: Int) { self.limit = limit }

    /// Notes a wait.
    ///
    /// - Parameter end: Ends it early.
    /// - Returns: A number for ``remove(_:)``; nil if the service is stopping, so that it must end at once.
    /// - Throws: ``WebError`` with `THROTTLED` if the user has too many.
    func add(of user: UserRecordID, _ end: @escaping @Sendable () -> Void) throws(WebError) -> Int? {
        let (number, hasRoom): (Int?, Bool) = state.withLock { state in
            guard !state.hasEnded else { return (nil, true) }
            guard state.counts[user, default: 0] < limit else { return (nil, false) }
            state.last += 1
            state.counts[user, default: 0] += 1
            (state.ends[state.last], state.owners[state.last]) = (end, user)
            return (state.last, true)
        }
        guard hasRoom else {
            throw WebError(.throttled, "The user has too many open streams and polls.", retryAfter: 60)
        }
        return number
    }

    func remove(_ number: Int) {
        state.withLock { state in
            state.ends[number] = nil
            guard let owner = state.owners.removeValue(forKey: number), let count = state.counts[owner] else { return }
            state.counts[owner] = count > 1 ? count - 1 : nil
        }
    }

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
