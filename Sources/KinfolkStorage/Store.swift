package import KinfolkThreads

/// A store: one writer, several readers, any number of threads and processes.
///
/// Connections open when they are needed and are kept for the next use. No transaction waits longer than `wait` seconds to
/// begin; one that joined another's then waits for its end.
package final class Store: Sendable {
    let engine: any Engine
    /// How many seconds a call waits for others, at most.
    package let wait: Double
    private let cacheSize: Int
    /// Whether nothing of the store is ever changed.
    package let isReadOnly: Bool
    private let fork = Fork.generation
    // Connections do not cross threads while they are used: who holds one took it out of here.
    let connections: Lock<StoreConnections>
    private let atFork: AtFork

    /// Opens the database and brings it to the present schema.
    ///
    /// - Parameters:
    ///   - path: The path of a file, or the address of a server.
    ///   - isReadOnly: Whether to change nothing, neither now nor later: no file, no folder, no row.
    ///   - cacheSize: How many bytes of the database each connection keeps in memory, if it is in this process.
    package init(
        path: FilePath,
        existingOnly: Bool,
        isReadOnly: Bool = false,
        wait: Double,
        cacheSize: Int = 2 << 20,
        migrations: Migrations
    ) throws {
        engine = try Store.engine(for: path, wait: wait, cacheSize: cacheSize, isReadOnly: isReadOnly)
        self.isReadOnly = isReadOnly
        self.wait = wait
        self.cacheSize = cacheSize
        connections = Lock(StoreConnections())
        atFork = AtFork(connections)
        Fork.register(atFork)
        do {
            if isReadOnly {
                guard try read(migrations.areApplied) else { throw StorageError(.readOnly) }
                return
            }
            if !existingOnly { try engine.make(until: Deadline(in: wait)) }
            try withWriter { connection, deadline in
                // Nothing is written before it is known that the database is not another program's.
                let isCurrent = try Store.retrying(until: deadline) {
                    try migrations.areApplied(to: connection, existingOnly: existingOnly, until: deadline)
                }
                try Store.retrying(until: deadline) { try connection.engine.adopt(until: deadline) }
                if !isCurrent { try migrations.apply(to: connection, existingOnly: existingOnly, until: deadline) }
            }
        } catch let error as StorageError {
            throw engine.explain(error)
        }
    }

    deinit {
        guard fork == Fork.generation else { return }
        // While the lock is held no fork begins, and none is told that the store is gone before its files are closed.
        _ = connections.withLock(when: { !$0.isStopped }, until: .never) { $0.close() }
        Fork.unregister(atFork)
    }

    /// Runs `body` on a snapshot of the store.
    package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let deadline = Deadline(in: wait)
        var pause = Pause()
        while true {
            do {
                let reader = try takeReader(until: deadline)
                defer { giveBack(reader) }
                do { return try reader.transaction(.read, until: deadline, body) } catch  where reader.engine.isOutdated
                {
                    // Somebody wrote to a file that was read without locks: whatever failed may have failed for that.
                    throw StorageError(.interrupted)
                }
            } catch let error as StorageError where pause.isWorthwhile(after: error) && !deadline.hasPassed {
                pause.take()
            }
        }
    }

    /// Runs `body` while nobody else writes, and has what it wrote on disk when it returns. Before anybody else of this process
    /// writes, `then` runs with what came of it.
    ///
    /// A write costs little beside waiting for the disk. So those that wait meanwhile are done by one of the waiting threads
    /// in one transaction, each undone by itself if it throws: `body` and `then` may run on another thread than the caller's.
    /// `body` may run again, if all that it did was undone because a server went away or had others to prefer.
    ///
    /// - Parameter isLarge: Whether it writes so much, or changes so much for all others, that it has a transaction of its own,
    ///   and nobody else writes meanwhile.
    /// - Parameter given: Until when it waits for others, in the place of the store's own wait.
    /// - Parameter isRepeatable: Whether `body` does no harm where all that it did is done already. If nobody knows what came of
    ///   it, it runs again. If all that share the transaction are so and ask nothing of a server, it is one journey.
    package func write<Result>(
        isLarge: Bool = false,
        isRepeatable: Bool = false,
        until given: Deadline? = nil,
        _ body: (Connection) throws -> Result,
        then: ((Result) -> Void)? = nil
    ) throws -> Result {
        guard !isReadOnly else { throw StorageError(.readOnly) }
        let deadline = given ?? Deadline(in: wait)
        var result: Result?
        let run = { (db: Connection) in result = try body(db) }
        try withoutActuallyEscaping(run) { run in
            let confirm = then.map { then in { if let result { then(result) } } }
            let pending = PendingWrite(
                run,
                isLarge: isLarge,
                isRepeatable: isRepeatable,
                until: deadline,
                confirm: confirm
            )
            if try waitForTurn(pending, until: deadline) { try writeTogether(pending, until: deadline) }
            if let failure = pending.failure { throw failure }
        }
        guard let result else { throw StorageError(.misuse) }
        return result
    }

    /// How many writes of this process wait for their turn.
    package var waitingWrites: Int { connections.withLock { $0.line.count } }

    /// Runs `body`, which writes all over the store, while the writer keeps at least 64 MiB of it in memory: with less each
    /// page would go to disk and come back several times in a transaction.
    package func withLargeCache<Result>(_ body: () throws -> Result) rethrows -> Result {
        // Without it the work is slower, and no more.
        try? withWriter { try $0.engine.setCacheSize(max(cacheSize, 64 << 20), until: $1) }
        // What it was before, and what a store that is only open should cost.
        defer { try? withWriter { try $0.engine.setCacheSize(cacheSize, until: $1) } }
        return try body()
    }

    /// Empties the write-ahead log, so that nothing deleted is left in it. If somebody reads it just now, it is emptied after
    /// one of the next writes, and this returns false.
    package func truncateLog() throws -> Bool {
        // Noted first, in case the writer cannot be had now.
        connections.withLock { $0.logNeedsTruncation = true }
        return try withWriter { writer, _ in truncateLog(with: writer) }
    }

    /// Makes the database one file that says so, for as long as it is at rest. Nobody else may have it open.
    package func leaveLog() throws {
        try withWriter { writer, deadline in
            // The readers' locks would be in the way.
            connections.withLock { $0.closeReaders() }
            try writer.engine.leaveLog(until: deadline)
        }
    }

    /// How many faults the engine's own check of the whole database finds, at most `limit`.
    package static func countFaults(limit: Int, _ db: Connection) throws -> Int {
        try db.engine.countFaults(limit: limit, of: db)
    }

    /// Notes the statements that `body` runs on this store, and how much work each was. Nobody else may use it meanwhile.
    package func tracing<Result>(_ body: () throws -> Result) rethrows -> (Result, [WorkDone]) {
        let trace = WorkTrace()
        func attach(_ trace: WorkTrace?) {
            connections.withLock { connections in
                connections.trace = trace
                connections.writer?.trace = trace
                for reader in connections.idleReaders { reader.trace = trace }
            }
        }
        attach(trace)
        defer { attach(nil) }
        return (try body(), trace.work)
    }

    // MARK: Opening

    func open(for purpose: Connection.Purpose, until deadline: Deadline) throws -> Connection {
        let connection = Connection(try engine.connect(for: purpose, until: deadline))
        connection.trace = connections.withLock { $0.trace }
        return connection
    }

    /// Changing the journal mode needs the file alone for a moment, and SQLite does not wait for that.
    private static func retrying<Result>(until deadline: Deadline, _ body: () throws -> Result) throws -> Result {
        while true {
            do {
                return try body()
            } catch let error as StorageError where error.kind == .busy && !deadline.hasPassed {
                Thread.sleep(seconds: Double.random(in: 0.001...0.01))
            }
        }
    }

    func checkFork() throws {
        guard fork == Fork.generation else { throw StorageError(.forked) }
    }
}
