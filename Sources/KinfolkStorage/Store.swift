import KinfolkThreads

/// A store in one file: one writer, several readers, any number of threads and processes.
///
/// Connections open when they are needed and are kept for the next use. A transaction never waits longer than `wait`
/// seconds for other threads and processes.
package final class Store: Sendable {
    private struct Connections {
        var writer: Connection?
        var writerIsFree = true
        /// Who waits for the writer, in the order in which they came: a thread that writes all the time must not keep it.
        var writersInLine: [Int] = []
        var nextInLine = 0
        var idleReaders: [Connection] = []
        var openReaders = 0
        var isStopped = false
        var logNeedsTruncation = false
        var trace: WorkTrace?

        var isAtRest: Bool { writerIsFree && idleReaders.count == openReaders }

        /// Closes all connections. They are at rest.
        mutating func close() {
            if logNeedsTruncation, let writer { logNeedsTruncation = !writer.truncateLog() }
            // By name, and not by letting go: a thread that just gave one back may hold it for some instructions more.
            writer?.close()
            for reader in idleReaders { reader.close() }
            writer = nil
            idleReaders = []
            openReaders = 0
        }
    }

    private static let readerLimit = 16

    private let path: String
    private let wait: Double
    private let fork = Fork.generation
    // Connections do not cross threads while they are used: who holds one took it out of here.
    private let connections: Lock<Connections>
    private let atFork: AtFork

    /// Opens the database and brings it to the present schema.
    package init(path: String, existingOnly: Bool, wait: Double, migrations: Migrations) throws {
        self.path = path
        self.wait = wait
        connections = Lock(Connections())
        atFork = AtFork(connections)
        Fork.register(atFork)
        if !existingOnly { Store.makeFile(at: path) }
        do {
            try withWriter { connection, deadline in
                // Nothing is written before it is known that the file is not another program's.
                let isCurrent = try Store.retrying(until: deadline) {
                    try migrations.areApplied(to: connection, existingOnly: existingOnly, until: deadline)
                }
                try Store.retrying(until: deadline) {
                    try connection.run("PRAGMA journal_mode = WAL", until: deadline)
                }
                if !isCurrent { try migrations.apply(to: connection, existingOnly: existingOnly, until: deadline) }
            }
        } catch let error as StorageError where error.kind == .cannotOpen {
            throw Store.whyNotOpened(path)
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
        let reader = try takeReader(until: deadline)
        defer { giveBack(reader) }
        return try reader.transaction(.read, until: deadline, body)
    }

    /// Runs `body` alone, and has what it wrote on disk when it returns. Before anybody else of this process writes, `then`
    /// runs with what came of it.
    package func write<Result>(
        _ body: (Connection) throws -> Result,
        then: (Result) -> Void = { _ in }
    ) throws -> Result {
        try withWriter { writer, deadline in
            let result = try writer.transaction(.write, until: deadline, body)
            then(result)
            if connections.withLock({ $0.logNeedsTruncation }) { _ = truncateLog(with: writer) }
            return result
        }
    }

    /// Runs `body`, which writes all over the store, while the writer keeps 64 MiB of it in memory: with SQLite's 2 MiB each
    /// page would go to disk and come back several times in a transaction.
    package func withLargeCache<Result>(_ body: () throws -> Result) throws -> Result {
        try withWriter { try $0.run("PRAGMA cache_size = -65536", until: $1) }
        // What it was before, and what a store that is only open should cost.
        defer { try? withWriter { try $0.run("PRAGMA cache_size = -2000", until: $1) } }
        return try body()
    }

    /// Empties the write-ahead log, so that nothing deleted is left in it. If somebody reads it just now, it is emptied after
    /// one of the next writes, and this returns false.
    package func truncateLog() throws -> Bool {
        // Noted first, in case the writer cannot be had now.
        connections.withLock { $0.logNeedsTruncation = true }
        return try withWriter { writer, _ in truncateLog(with: writer) }
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

    // MARK: The writer

    private func withWriter<Result>(_ body: (Connection, Deadline) throws -> Result) throws -> Result {
        try checkFork()
        let deadline = Deadline(in: wait)
        let place = connections.withLock { connections in
            connections.nextInLine += 1
            connections.writersInLine.append(connections.nextInLine)
            return connections.nextInLine
        }
        let isMine = { (connections: Connections) in
            connections.writerIsFree && !connections.isStopped && connections.writersInLine.first == place
        }
        // Taken out of the lock for the time of its use, so that readers come and go meanwhile.
        let taken = connections.withLock(when: isMine, until: deadline) { connections in
            connections.writersInLine.removeFirst()
            connections.writerIsFree = false
            return connections.writer
        }
        guard let taken else {
            connections.withLock { $0.writersInLine.removeAll { $0 == place } }
            throw StorageError(.busy)
        }
        var writer = taken
        defer {
            connections.withLock { connections in
                connections.writer = writer
                connections.writerIsFree = true
            }
        }
        let connection = try writer ?? open(until: deadline)
        writer = connection
        return try body(connection, deadline)
    }

    private func truncateLog(with writer: Connection) -> Bool {
        let done = writer.truncateLog()
        connections.withLock { $0.logNeedsTruncation = !done }
        return done
    }

    // MARK: The readers

    private func takeReader(until deadline: Deadline) throws -> Connection {
        try checkFork()
        let canTake = { (connections: Connections) in
            !connections.isStopped
                && (!connections.idleReaders.isEmpty || connections.openReaders < Store.readerLimit)
        }
        let idle = connections.withLock(when: canTake, until: deadline) { connections -> Connection? in
            if let reader = connections.idleReaders.popLast() { return reader }
            connections.openReaders += 1
            return nil
        }
        guard let idle else { throw StorageError(.busy) }
        if let reader = idle { return reader }
        do {
            return try open(until: deadline)
        } catch {
            connections.withLock { $0.openReaders -= 1 }
            throw error
        }
    }

    private func giveBack(_ reader: Connection) {
        connections.withLock { $0.idleReaders.append(reader) }
    }

    // MARK: Opening

    private func open(until deadline: Deadline) throws -> Connection {
        let connection = try Connection(path: path)
        try connection.run(
            """
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA wal_autocheckpoint = 16000;
            """,
            until: deadline
        )
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

    private func checkFork() throws {
        guard fork == Fork.generation else { throw StorageError(.forked) }
    }
}

extension Store {
    /// What a store does when the process forks. An object of its own, so that it outlives the store until the last
    /// connection is closed.
    private final class AtFork: ForkParticipant {
        let connections: Lock<Connections>

        init(_ connections: Lock<Connections>) { self.connections = connections }

        /// Closes all connections once they are idle.
        ///
        /// SQLite keeps for each file what this process has locked. A child that found a connection open there would believe
        /// that it holds the parent's locks, and could damage the store through a connection of its own.
        func prepareForFork() {
            connections.withLock { $0.isStopped = true }
            _ = connections.withLock(when: \.isAtRest, until: .never) { $0.close() }
            connections.lockForFork { _ in }
        }

        func resumeAfterFork() {
            connections.unlockAfterFork()
            connections.withLock { $0.isStopped = false }
        }
    }
}
