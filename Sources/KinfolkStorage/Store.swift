package import KinfolkFiles
package import KinfolkThreads

/// A store: one writer, several readers, any number of threads and processes.
///
/// Connections are opened on demand and kept for the next use. No transaction waits longer than `wait` seconds to begin; a write
/// that has joined another's transaction then waits for its end.
package final class Store: Sendable {
    let engine: any Engine
    /// The maximum number of seconds that a call waits for others.
    package let wait: Double
    private let cacheSize: Int
    /// Whether the store is never changed.
    package let isReadOnly: Bool
    /// Whether the database is on a server, which may lose power or be killed while this process goes on.
    package let isOnServer: Bool
    private let fork = Fork.generation
    // Connections do not move between threads while they are used: the thread that uses one has taken it out of here.
    let connections: Lock<StoreConnections>
    /// Whether the store is being closed, or was. It ends the waits for other processes.
    let isClosing = Lock(false)
    let atFork: AtFork

    /// Opens the database and brings it to the current schema.
    ///
    /// - Parameters:
    ///   - path: The path of a file, or the address of a server.
    ///   - identity: Which file must be there, if others may put another one there; nil for any file.
    ///   - isReadOnly: Whether to change nothing, neither now nor later: no file, no folder, no row.
    ///   - acceptsOlder: Whether to open a database with the schema of an older version if it is opened for reading only.
    ///   - cacheSize: How many bytes of the database each connection caches in memory, if the database runs in this process.
    package init(
        path: FilePath,
        identity: FileIdentity? = nil,
        existingOnly: Bool,
        isReadOnly: Bool = false,
        acceptsOlder: Bool = false,
        wait: Double,
        cacheSize: Int = 2 << 20,
        migrations: Migrations
    ) throws {
        engine = try Store.engine(
            for: path,
            identity: identity,
            wait: wait,
            cacheSize: cacheSize,
            isReadOnly: isReadOnly
        )
        isOnServer = Store.isServer(path)
        self.isReadOnly = isReadOnly
        self.wait = wait
        self.cacheSize = cacheSize
        let files = (engine as? SQLiteEngine).map { FilesInUse(database: $0.path) }
        connections = Lock(StoreConnections())
        connections.withLock { $0.files = files }
        atFork = AtFork(connections)
        Fork.register(atFork)
        do {
            if isReadOnly {
                guard try read(migrations.areApplied) || acceptsOlder else { throw StorageError(.older) }
                demandSchema(of: migrations)
                return
            }
            if !existingOnly { try engine.make(until: Deadline(in: wait)) }
            try withWriter { connection, deadline in
                // Nothing is written before the database is known not to belong to another program or a newer version.
                connection.engine.leaveFilesAsTheyAre()
                let isCurrent = try Store.retrying(until: deadline) {
                    try migrations.areApplied(to: connection, existingOnly: existingOnly, until: deadline)
                }
                try Store.retrying(until: deadline) { try connection.engine.adopt(until: deadline) }
                if !isCurrent { try migrations.apply(to: connection, existingOnly: existingOnly, until: deadline) }
            }
            demandSchema(of: migrations)
        } catch let error as StorageError {
            throw engine.explain(error)
        }
    }

    deinit { close() }

    /// Runs `body` on a snapshot of the store.
    package func read<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let deadline = deadline()
        var pause = Pause()
        while true {
            do {
                let reader = try takeReader(until: deadline)
                var isUsable = true
                defer { giveBack(reader, isUsable: isUsable) }
                do { return try reader.transaction(.read, until: deadline, body) } catch  where reader.engine.isOutdated
                {
                    // Somebody wrote to a file that was read without locks, which may be the cause of the failure.
                    throw StorageError(.interrupted)
                } catch let error as StorageError where isReadOnly && error.mayBeOfChangedFiles {
                    isUsable = false
                    throw error
                }
            } catch let error as StorageError
                where pause.isWorthwhile(after: error, isReadOnly: isReadOnly) && !deadline.hasPassed
            {
                pause.take()
            } catch {
                throw cause(of: error)
            }
        }
    }

    /// Runs `body` while nobody else writes. When it returns, what it wrote is on disk. `then` runs with the result before
    /// anybody else in this process writes.
    ///
    /// A write costs little compared with waiting for the disk. So writes that wait at the same time are done by one of the
    /// waiting threads in one transaction, and each is rolled back separately if it throws: `body` and `then` may run on another
    /// thread than the caller's. `body` may run again if everything it did was rolled back, because a server was lost or
    /// preferred another transaction.
    ///
    /// - Parameter isLarge: Whether it writes so much, or changes so much for all others, that it has a transaction of its own,
    ///   and nobody else writes meanwhile.
    /// - Parameter isDurable: Whether the changes must survive a power cut when this returns. Otherwise they survive it if a later durable
    ///   write does, because the log keeps the order of commits; they never survive in part.
    /// - Parameter given: The deadline for waiting for others, instead of the store's own wait.
    /// - Parameter isRepeatable: Whether `body` does no harm if everything it did has already been committed. If the outcome is
    ///   unknown, it runs again. If all writes that share the transaction are repeatable and read nothing from a server, the
    ///   transaction takes one round trip.
    package func write<Result>(
        isLarge: Bool = false,
        isRepeatable: Bool = false,
        isDurable: Bool = true,
        until given: Deadline? = nil,
        _ body: (Connection) throws -> Result,
        then: ((Result) -> Void)? = nil
    ) throws -> Result {
        guard !isReadOnly else { throw StorageError(.readOnly) }
        let deadline = deadline(given)
        var result: Result?
        let run = { (db: Connection) in result = try body(db) }
        try withoutActuallyEscaping(run) { run in
            let confirm = then.map { then in { if let result { then(result) } } }
            let pending = PendingWrite(
                run,
                isLarge: isLarge,
                isRepeatable: isRepeatable,
                isDurable: isDurable,
                until: deadline,
                confirm: confirm
            )
            if try waitForTurn(pending, until: deadline) { try writeTogether(pending, until: deadline) }
            if let failure = pending.failure { throw cause(of: failure) }
        }
        guard let result else { throw StorageError(.misuse) }
        return result
    }

    /// How many reads have begun since this store was opened, with every retry.
    package var readCount: Int { connections.withLock { $0.readCount } }

    /// How many writes of this process are queued.
    package var waitingWrites: Int { connections.withLock { $0.line.count } }

    /// Runs `body`, which writes all over the store, while the writer caches at least 64 MiB of it: with less, each page would go
    /// to disk and come back several times in a transaction.
    package func withLargeCache<Result>(_ body: () throws -> Result) rethrows -> Result {
        // Without the cache, the work is only slower.
        try? withWriter { try $0.engine.setCacheSize(max(cacheSize, 64 << 20), until: $1) }
        // Restores the cache size that an open store should use.
        defer { try? withWriter { try $0.engine.setCacheSize(cacheSize, until: $1) } }
        return try body()
    }

    /// Empties the write-ahead log, so that no deleted data remains in it. If somebody is reading from it, this returns false,
    /// and the log is emptied after one of the next writes.
    package func truncateLog() throws -> Bool {
        // Recorded first, in case the writer is not available now.
        connections.withLock { $0.logNeedsTruncation = true }
        return try withWriter { writer, _ in truncateLog(with: writer) }
    }

    /// Makes the closed database a single file whose header forbids a log. Nobody else may have it open.
    package func leaveLog() throws {
        try withWriter { writer, deadline in
            // The locks of the readers would prevent it.
            connections.withLock { $0.closeReaders() }
            try writer.engine.leaveLog(until: deadline)
        }
    }

    /// The number of faults found by the engine's own check of the whole database, at most `limit`.
    package static func countFaults(limit: Int, _ db: Connection) throws -> Int {
        try db.engine.countFaults(limit: limit, of: db)
    }

    /// Records the statements that `body` runs on this store, and the work of each. Nobody else may use the store meanwhile.
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
        (connection.trace, connection.newestSchema) = connections.withLock { ($0.trace, $0.newestSchema) }
        return connection
    }

    /// From now on, transactions fail with ``StorageError/Kind/newer`` if another process has brought the database to a newer schema.
    private func demandSchema(of migrations: Migrations) {
        connections.withLock { connections in
            connections.newestSchema = migrations.version
            connections.writer?.newestSchema = migrations.version
            for reader in connections.idleReaders { reader.newestSchema = migrations.version }
        }
    }

    /// Changing the journal mode briefly needs exclusive access to the file, and SQLite does not wait for that.
    private static func retrying<Result>(until deadline: Deadline, _ body: () throws -> Result) throws -> Result {
        while true {
            do {
                return try body()
            } catch let error as StorageError where error.kind == .busy && !deadline.hasPassed {
                Thread.sleep(seconds: Double.random(in: 0.001...0.01))
            }
        }
    }

    /// Whether this process has opened the store, and not one from which it was forked.
    package var isOfThisProcess: Bool { fork == Fork.generation }

    func checkFork() throws {
        guard isOfThisProcess else { throw StorageError(.forked) }
    }
}
