package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// Removes the rows of deleted zones, a number of them in each transaction, so that others can write in between.
///
/// A thread does it while there is such a zone: after a zone was deleted, and when a service finds rows that another one left. No key
/// is needed: the rows are removed without being read.
package final class ZoneSweeper: ServicePart {
    private struct State {
        var threadRuns = false
        /// Whether a zone was deleted since the thread last looked for one.
        var isRequested = false
        var isStopping = false
    }

    /// The most rows of a table that a transaction removes.
    package static let batchSize = 1_000
    /// How long a batch waits for other writers before the thread looks whether it must end.
    private static let patience = 2.0
    /// How long the thread waits after a batch, so that waiting writers have their turn.
    private static let pause = 0.003
    /// How long it waits after an error.
    private static let longPause = 0.2

    private let store: Store
    private let state = Lock(State())
    private let fork = Fork.generation

    package init(store: Store) { self.store = store }

    /// Starts the thread if it does not run.
    package func start(_ service: Service) {
        guard fork == Fork.generation, !service.isReadOnly else { return }
        let isNeeded = state.withLock { state in
            state.isRequested = true
            guard !state.threadRuns, !state.isStopping else { return false }
            state.threadRuns = true
            return true
        }
        if isNeeded && !Thread.start({ [self] in run() }) { state.withLock { $0.threadRuns = false } }
    }

    /// Starts the thread if there are rows to remove.
    package func startIfNeeded(_ service: Service) throws {
        if try service.store.read(RemovedZoneTable.unswept) != nil { start(service) }
    }

    private func run() {
        while mayGoOn() {
            do {
                while !state.withLock(\.isStopping),
                    try ZoneSweeper.sweepBatch(store, until: Deadline(in: ZoneSweeper.patience))
                {
                    Thread.sleep(seconds: ZoneSweeper.pause)
                }
            } catch let error as StorageError where ZoneSweeper.mayPass(error) {
                state.withLock { $0.isRequested = true }
                Thread.sleep(seconds: ZoneSweeper.longPause)
            } catch {
                // A full disk or a damaged store. The next start tries again.
            }
        }
    }

    /// Whether to look for deleted zones. Otherwise the thread has ended: a zone that is deleted later starts another one.
    private func mayGoOn() -> Bool {
        state.withLock { state in
            state.threadRuns = state.isRequested && !state.isStopping
            state.isRequested = false
            return state.threadRuns
        }
    }

    /// Whether an error is about other writers or the connection to a server.
    private static func mayPass(_ error: StorageError) -> Bool {
        switch error.kind {
        case .interrupted, .conflict, .busy, .inDoubt, .unreachable: true
        default: false
        }
    }

    /// Removes all rows of deleted zones on the calling thread, beside the thread of this or another service.
    ///
    /// - Parameter progress: Called after each batch with the number of rows that it removed.
    package static func sweep(_ store: Store, progress: (Int) throws -> Void = { _ in }) throws {
        while try sweepBatch(store, progress: progress) { Thread.sleep(seconds: pause) }
    }

    /// Removes the next rows. False if none are left.
    private static func sweepBatch(
        _ store: Store,
        until deadline: Deadline? = nil,
        progress: (Int) throws -> Void = { _ in }
    ) throws -> Bool {
        let removed: Int? = try store.write(until: deadline) { db in
            guard let zone = try RemovedZoneTable.unswept(db) else { return nil }
            let (removed, isOver) = try ZoneRows.delete(atMost: batchSize, of: zone, db)
            if isOver { try RemovedZoneTable.noteSwept(zone, db) }
            return removed
        }
        guard let removed else { return false }
        try progress(removed)
        return true
    }

    package func stop() {
        guard fork == Fork.generation else { return }
        state.withLock { $0.isStopping = true }
        // A batch ends soon, or gives up.
        _ = state.withLock(when: { !$0.threadRuns }, until: .never) { _ in }
    }
}

extension Service {
    package var zoneSweeper: ZoneSweeper { part(ZoneSweeper.self) }

    /// Removes all rows of deleted zones on the calling thread, for a process that ends before the sweeper's thread is done.
    ///
    /// - Parameter progress: Called after each batch with the number of rows that it removed. If it throws, the call ends.
    package func sweepZones(progress: (Int) throws(KinfolkError) -> Void) throws(KinfolkError) {
        do { try ZoneSweeper.sweep(store, progress: progress) } catch { throw KinfolkError(error) }
    }
}
