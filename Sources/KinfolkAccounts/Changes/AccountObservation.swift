import KinfolkCore

/// An active watch. It ends when this object is deallocated, and keeps the service open until then.
package final class AccountObservation: Sendable {
    private let service: Service
    private let key: Int

    init(_ service: Service, key: Int) {
        self.service = service
        self.key = key
    }

    deinit { service.watcher.end(key) }
}
