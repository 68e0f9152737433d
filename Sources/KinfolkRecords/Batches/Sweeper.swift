package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// Removes the rows of deleted zones and the chunks of deleted assets, a number of them in each transaction, so that others can write in
/// between.
///
/// A thread does it while there are any: after something was deleted, and when a service finds rows that another one left. No key
/// is needed: the rows are removed without being read.
package final class Sweeper: ServicePart {
    /// The most rows of a table that a transaction removes.
    package static let batchSize = 1_000

    private let store: Store
    private let thread = BatchThread()

    package init(store: Store) { self.store = store }

    /// Starts the thread if it does not run.
    package func start(_ service: Service) {
        guard !service.isReadOnly else { return }
        thread.start { [store] in try Sweeper.sweepBatch(store, until: $0) }
    }

    /// Starts the thread if there are rows to remove.
    package func startIfNeeded(_ service: Service) throws {
        let hasRows = try service.store.read { db in
            try RemovedZoneTable.unswept(db) != nil || !RemovedAssetTable.isEmpty(db)
        }
        if hasRows { start(service) }
    }

    /// Removes all these rows on the calling thread, beside the thread of this or another service.
    ///
    /// - Parameter progress: Called after each batch with the number of rows that it removed.
    package static func sweep(_ store: Store, progress: (Int) throws -> Void = { _ in }) throws {
        try BatchThread.runAll { try sweepBatch(store, until: $0, progress: progress) }
    }

    /// Removes the next rows. False if none are left.
    private static func sweepBatch(
        _ store: Store,
        until deadline: Deadline?,
        progress: (Int) throws -> Void = { _ in }
    ) throws -> Bool {
        let removed: Int? = try store.write(until: deadline) { db in
            if let removed = try RemovedAssetTable.sweep(db) { return removed }
            guard let zone = try RemovedZoneTable.unswept(db) else { return nil }
            let (removed, isOver) = try ZoneRows.delete(atMost: batchSize, of: zone, db)
            if isOver { try RemovedZoneTable.noteSwept(zone, db) }
            return removed
        }
        guard let removed else { return false }
        try progress(removed)
        return true
    }

    package func stop() { thread.stop() }
}

extension Service {
    package var sweeper: Sweeper { part(Sweeper.self) }

    /// Removes all rows of deleted zones and all chunks of deleted assets on the calling thread, for a process
    /// that ends before the sweeper's thread is done.
    ///
    /// - Parameter progress: Called after each batch with the number of rows that it removed. If it throws, the call ends.
    package func sweep(progress: (Int) throws(KinfolkError) -> Void) throws(KinfolkError) {
        do { try Sweeper.sweep(store, progress: progress) } catch { throw KinfolkError(error) }
    }
}
