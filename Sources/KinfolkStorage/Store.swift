import KinfolkThreads

/// A store: one writer, several readers, any number of threads and processes.
///
/// Connections open when they are needed and are kept for the next use. No transaction waits longer than `wait` seconds to
/// begin; one that joined another's then waits for its end.
package final class Store: Sendable {
    private struct Connections {
        var writer: Connection?
        var writerIsFree = true
        /// Who waits for the writer, in the order in which they came: a thread that writes all the time must not keep it.
        var line: [PendingWrite] = []
        var idleReaders: [Connection] = []
        var openReaders = 0
        var isStopped = false
        var logNeedsTruncation = false
        var trace: WorkTrace?

        var isAtRest: Bool { writerIsFree && idleReaders.count == openReaders }

        /// Gives the writer, which is free, to the first in line.
        mutating func nextTurn() -> PendingWrite? {
            guard writerIsFree, !isStopped, !line.isEmpty else { return nil }
            writerIsFree = false
            return line.removeFirst()
        }

        /// Closes all connections. They are at rest.
        mutating func close() {
            if logNeedsTruncation, let writer { logNeedsTruncation = !writer.engine.truncateLog() }
            // By name, and not by letting go: a thread that just gave one back may hold it for some instructions more.
            writer?.close()
            for reader in idleReaders { reader.close() }
            writer = nil
            idleReaders = []
            openReaders = 0
        }
    }

    private let engine: any Engine
    private let wait: Double
    private let cacheSize: Int
    private let fork = Fork.generation
    // Connections do not cross threads while they are used: who holds one took it out of here.
    private let connections: Lock<Connections>
    private let atFork: AtFork

    /// Opens the database and brings it to the present schema.
    ///
    /// - Parameters:
    ///   - path: The path of a file, or the address of a server.
    ///   - cacheSize: How many bytes of the database each connection keeps in memory, if it is in this process.
    package init(
        path: String,
        existingOnly: Bool,
        wait: Double,
        cacheSize: Int = 2 << 20,
        migrations: Migrations
    ) throws {
        engine = try Store.engine(for: path, wait: wait, cacheSize: cacheSize)
        self.wait = wait
        self.cacheSize = cacheSize
        connections = Lock(Connections())
        atFork = AtFork(connections)
        Fork.register(atFork)
        do {
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
                return try reader.transaction(.read, until: deadline, body)
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
    package func write<Result>(
        isLarge: Bool = false,
        _ body: (Connection) throws -> Result,
        then: ((Result) -> Void)? = nil
    ) throws -> Result {
        let deadline = Deadline(in: wait)
        var result: Result?
        let run = { (db: Connection) in result = try body(db) }
        try withoutActuallyEscaping(run) { run in
            let confirm = then.map { then in { if let result { then(result) } } }
            let pending = PendingWrite(run, isLarge: isLarge, until: deadline, confirm: confirm)
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
    package func withLargeCache<Result>(_ body: () throws -> Result) throws -> Result {
        try withWriter { try $0.engine.setCacheSize(max(cacheSize, 64 << 20), until: $1) }
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

    /// The most writes that share a transaction: whoever waits for its end should not wait long.
    private static let groupLimit = 256

    /// Runs `body` with the writer to itself.
    private func withWriter<Result>(_ body: (Connection, Deadline) throws -> Result) throws -> Result {
        let deadline = Deadline(in: wait)
        _ = try waitForTurn(PendingWrite(until: deadline), until: deadline)
        defer { passOn() }
        return try body(writer(until: deadline), deadline)
    }

    /// Does a write whose turn has come, and those that are behind it in line.
    private func writeTogether(_ first: PendingWrite, until deadline: Deadline) throws {
        var group = [first]
        var purpose = first.canJoin ? Connection.Purpose.write : .writeAlone
        var pause = Pause()
        var isOver = false
        while !isOver {
            do {
                let writer = try writer(until: deadline)
                defer { letGoIfLost(writer) }
                try keeping(writer, until: deadline) {
                    try writer.transaction(purpose, until: deadline) { db in
                        try run(&group, isOpen: purpose == .write, db)
                    }
                }
                if connections.withLock({ $0.logNeedsTruncation }) { _ = truncateLog(with: writer) }
                isOver = true
            } catch let error as StorageError where pause.isWorthwhile(after: error) && !deadline.hasPassed {
                pause.take()
                purpose = .writeAlone
                for write in group { write.forgetFailure() }
            } catch let error as StorageError where pause.isWorthwhile(after: error) || error.kind == .busy {
                // The wait of the first is over. Who joined it came later, and may still try.
                for write in group { write.forgetFailure() }
                connections.withLock { connections in
                    let canTry = { (write: PendingWrite) in write !== first && !write.deadline.hasPassed }
                    connections.line.insert(contentsOf: group.filter(canTry), at: 0)
                    group.removeAll(where: canTry)
                }
                for write in group { write.fail(error) }
                isOver = true
            } catch {
                for write in group { write.fail(error) }
                isOver = true
            }
        }
        for write in group { write.finish() }
        // The next ones write while these return.
        passOn()
        for write in group.dropFirst() { write.wake(.isOver) }
    }

    /// Runs a transaction. If the way to the server is lost while it commits, asks what came of it.
    private func keeping(_ writer: Connection, until deadline: Deadline, _ transaction: () throws -> Void) throws {
        do {
            try transaction()
        } catch let error as StorageError where error.kind == .inDoubt {
            switch engine.outcome(of: writer.engine, until: deadline) {
            case .committed: return
            case .undone: throw StorageError(.interrupted, detail: error.detail)
            case .unknown: throw error
            }
        }
    }

    /// Does the writes of a group, and of those who join it meanwhile, if it is open.
    private func run(_ group: inout [PendingWrite], isOpen: Bool, _ db: Connection) throws {
        // The first one, alone, needs nothing to be undone by itself.
        if group.count == 1 { try group[0].run(db) } else { for write in group { try attempt(write, db) } }
        while isOpen, let next = nextToJoin(group) {
            group.append(next)
            try attempt(next, db)
        }
    }

    /// Does a write of several: if it throws, the others go on.
    private func attempt(_ write: PendingWrite, _ db: Connection) throws {
        do {
            try db.part(write.run)
        } catch let error as StorageError where error.isPassing {
            throw error
        } catch {
            write.fail(error)
            // The others learn that all is undone, and nothing of the one who failed.
            guard db.isInTransaction else { throw StorageError(.inputOutput) }
        }
    }

    private func nextToJoin(_ group: [PendingWrite]) -> PendingWrite? {
        guard group.count < Store.groupLimit, group.last?.isConfirmed == false else { return nil }
        return connections.withLock { connections in
            connections.line.first?.canJoin == true ? connections.line.removeFirst() : nil
        }
    }

    /// Waits in line for the writer. False if another thread has done `write` meanwhile.
    private func waitForTurn(_ write: PendingWrite, until deadline: Deadline) throws -> Bool {
        try checkFork()
        let isFirst = connections.withLock { connections in
            connections.line.append(write)
            return connections.nextTurn() === write
        }
        if isFirst { return true }
        if let turn = write.wait(until: deadline) { return turn == .hasCome }
        let wasInLine = connections.withLock { connections in
            let place = connections.line.firstIndex { $0 === write }
            place.map { _ = connections.line.remove(at: $0) }
            return place != nil
        }
        if wasInLine { throw StorageError(.busy) }
        return write.wait(until: .never) == .hasCome
    }

    /// Gives the writer to the next in line.
    private func passOn() {
        let next = connections.withLock { connections in
            connections.writerIsFree = true
            return connections.nextTurn()
        }
        next?.wake(.hasCome)
    }

    /// The writer, for whoever's turn it is.
    private func writer(until deadline: Deadline) throws -> Connection {
        if let writer = connections.withLock(\.writer) {
            if writer.engine.isUsable { return writer }
            letGoIfLost(writer)
        }
        let writer = try open(for: .write, until: deadline)
        connections.withLock { $0.writer = writer }
        return writer
    }

    /// Has the next one who writes open another writer, if this one leads nowhere any more.
    private func letGoIfLost(_ writer: Connection) {
        guard !writer.engine.isUsable else { return }
        writer.close()
        connections.withLock { $0.writer = nil }
    }

    private func truncateLog(with writer: Connection) -> Bool {
        let done = writer.engine.truncateLog()
        connections.withLock { $0.logNeedsTruncation = !done }
        return done
    }

    // MARK: The readers

    private func takeReader(until deadline: Deadline) throws -> Connection {
        try checkFork()
        let limit = engine.readerLimit
        let canTake = { (connections: Connections) in
            !connections.isStopped && (!connections.idleReaders.isEmpty || connections.openReaders < limit)
        }
        let idle = connections.withLock(when: canTake, until: deadline) { connections -> Connection? in
            if let reader = connections.idleReaders.popLast() { return reader }
            connections.openReaders += 1
            return nil
        }
        guard let idle else { throw StorageError(.busy) }
        if let reader = idle {
            if reader.engine.isUsable { return reader }
            reader.close()
        }
        do {
            return try open(for: .read, until: deadline)
        } catch {
            connections.withLock { $0.openReaders -= 1 }
            throw error
        }
    }

    private func giveBack(_ reader: Connection) {
        guard reader.engine.isUsable else {
            reader.close()
            connections.withLock { $0.openReaders -= 1 }
            return
        }
        connections.withLock { $0.idleReaders.append(reader) }
    }

    // MARK: Opening

    private func open(for purpose: Connection.Purpose, until deadline: Deadline) throws -> Connection {
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
        /// that it holds the parent's locks, and could damage the store through a connection of its own. A connection to a
        /// server would be one for two.
        func prepareForFork() {
            connections.withLock { $0.isStopped = true }
            _ = connections.withLock(when: \.isAtRest, until: .never) { $0.close() }
            connections.lockForFork { _ in }
        }

        func resumeAfterFork() {
            connections.unlockAfterFork()
            let next = connections.withLock { connections in
                connections.isStopped = false
                return connections.nextTurn()
            }
            next?.wake(.hasCome)
        }
    }
}
