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
        var observation: StoreObservation?
    }

    /// For how many nanoseconds a page is used.
    private static let freshness: UInt64 = 100_000_000
    private static let pageSize = 100
    /// How many nanoseconds to wait after an error.
    private static let pause: UInt64 = 1_000_000_000

    private let session: Session
    private let bell = Bell()
    private let state = Lock(State())

    init(_ session: Session) { self.session = session }

    func begin(_ observation: StoreObservation) { state.withLock { $0.observation = observation } }

    /// Notes that there is something to read.
    func stir() { bell.ring() }

    /// Acknowledges the last notification, and waits for the next one. Nil after the end.
    func next() async -> SubscriptionNotification? {
        let (last, key) = state.withLock { state in
            defer { state.taken = nil }
            return (state.taken, state.observation?.key)
        }
        if let last { session.service.hub.acknowledge(last, by: session, of: key) }
        return await withTaskCancellationHandler {
            while !bell.isOver {
                if let next = take() { return next }
                if await !read() { await bell.wait() }
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
        bell.clear()
        let session = session
        let page = try? await session.service.async {
            let (found, last, isBehind) = try session.waitingNotifications(limit: NotificationBuffer.pageSize)
            if found.isEmpty && isBehind { session.service.hub.acknowledge(last, by: session) }
            return found
        }
        // The store cannot be read now, or the account is suspended.
        if page == nil {
            try? await Task.sleep(nanoseconds: NotificationBuffer.pause)
            bell.ring()
        }
        return state.withLock { state in
            (state.page, state.readAt) = (page.map { $0.reversed() } ?? [], Deadline.now)
            return !state.page.isEmpty
        }
    }

    /// Ends the wait of the task because the service closes.
    func close() { bell.end() }

    /// Ends the wait of the task, and delivers nothing more.
    func end() {
        let observation = state.withLock { state in
            defer { (state.observation, state.page) = (nil, []) }
            return state.observation
        }
        bell.end()
        observation?.cancel()
    }
}
#endif
