package import KinfolkCore
import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// Builds and removes indexes of records that exist, a number of records in each transaction, so that others can write in between.
///
/// A thread does it while there is something to do: after a change of a schema, and when a service finds a build that another one left.
package final class IndexBuilder: ServicePart {
    private let thread = BatchThread()
    private let hasLookedForOlderTexts = Lock(false)
    /// The builds that this service has given up, because the store is damaged: they must not keep it from the others.
    private let failed = Lock<Set<IndexBuildTable.Key>>([])

    package init() {}

    /// Starts the thread if it does not run.
    private func start(_ service: Service) {
        guard !service.isReadOnly else { return }
        // Not the service itself: the thread must not keep it open.
        let (store, keychain, failed) = (service.store, service.keychain, failed)
        thread.start { deadline in
            var build: IndexBuildTable.Key?
            do {
                return try store.write(until: deadline) { db in
                    guard let row = try IndexBuildTable.next(db, except: failed.withLock { $0 }) else { return false }
                    build = row.key
                    try IndexBuilding(row, keychain.ring(db), db).run()
                    return true
                }
            } catch let error where KinfolkError(error).code == .storeCorrupt {
                guard let build else { throw error }
                failed.withLock { _ = $0.insert(build) }
                return true
            }
        }
    }

    /// Starts the thread if an index is not complete.
    package func startIfNeeded(_ service: Service) throws {
        try replaceOlderTexts(service)
        let failed = failed.withLock { $0 }
        if try service.store.read({ try IndexBuildTable.next($0, except: failed) }) != nil { start(service) }
    }

    /// Begins to replace the entries of texts that an older version of Unicode's tables made, once in a process.
    private func replaceOlderTexts(_ service: Service) throws {
        guard !service.isReadOnly, !hasLookedForOlderTexts.withLock({ $0 }) else { return }
        for container in try service.store.read(OlderTexts.containers) {
            try service.store.write { db in
                let stamp = try SchemaTable.stamp(of: container, db)
                let schema = try SchemaTable.schema(of: container, stamp, service.keys(db), db)
                try OlderTexts.withdraw(from: schema, in: container, db)
            }
        }
        hasLookedForOlderTexts.withLock { $0 = true }
    }

    package func stop() { thread.stop() }
}

extension Service {
    package var indexBuilder: IndexBuilder { part(IndexBuilder.self) }
}
