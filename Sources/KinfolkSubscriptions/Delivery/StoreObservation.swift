import KinfolkThreads

/// A session's wait for notifications, or for changes of keys or documents. It ends when this object is deallocated, or is cancelled.
public final class StoreObservation: Sendable {
    private let hub: NotificationHub
    private let state = Lock<Int?>(nil)

    init(hub: NotificationHub) { self.hub = hub }

    /// The key of the watch; nil before it has begun and after it has ended.
    package var key: Int? { state.withLock { $0 } }

    func begin(_ key: Int) { state.withLock { $0 = key } }

    /// Ends the observation. The handler is not running when this returns, unless the call comes from it.
    public func cancel() {
        let key = state.withLock { key in
            defer { key = nil }
            return key
        }
        if let key { hub.end(key) }
    }

    deinit { cancel() }
}
