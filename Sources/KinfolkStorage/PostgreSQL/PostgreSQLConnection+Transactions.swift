import CLibPQ
import KinfolkThreads

/// How transactions begin and end.
extension PostgreSQLConnection {
    func begin(_ purpose: Connection.Purpose, of connection: Connection, until deadline: Deadline) throws {
        connection.note("BEGIN")
        transaction = PostgreSQLTransaction(purpose)
        guard !transaction.isReading else { return beginReading(connection) }
        if lock == nil {
            // What was prepared by half cannot be prepared again.
            do { try prepareForWriting() } catch {
                isLost = true
                throw error
            }
        }
        // Had before the transaction begins, so that it sees what was written by those for whom it waited.
        if let lock, !lock.isEmpty {
            transaction.isLocking = true
            if transaction.isAlone { try command("SELECT pg_advisory_lock(\(lock))") } else { before = Prepared.share }
        }
        transaction.hasWork = false
        // With the store to itself it needs no watch over what it reads, for which a server has little room.
        let isWatched = !(transaction.isAlone && transaction.isLocking && server.isPostgreSQL)
        putOff("BEGIN ISOLATION LEVEL \(isWatched ? "SERIALIZABLE" : "REPEATABLE READ")")
        if server.isPostgreSQL {
            putOff(Prepared.number) { [unowned self] in transaction.number = $0 }
        }
        // Whoever freezes now is to lose the lock with the transaction.
        guard transaction.isAlone else { return }
        do { try exchange() } catch {
            rollBack(connection)
            throw error
        }
    }

    private func beginReading(_ connection: Connection) {
        putOff("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // Whoever counts work sees none that others of this server make.
        guard server.isPostgreSQL && connection.trace == nil else { return connection.forgetNotes() }
        // The same if the same transactions had been committed then, so that nobody has changed anything. A number that each
        // write of the store raises would tell more, but its old rows would pile up wherever a backup takes an hour.
        putOff(Prepared.moment) { [unowned self, unowned connection] now in
            if now != snapshot { connection.forgetNotes() }
            snapshot = now
        }
    }

    func settle() throws {
        guard !putOffs.isEmpty else { return }
        transaction.hasWork = true
        try exchange()
    }

    /// What this connection runs over and over, under the names that the server has for it.
    enum Prepared {
        static let prefix = "kinfolk_of_"
        static let moment = prefix + "moment"
        static let number = prefix + "number"
        static let share = prefix + "share"
        static let release = prefix + "release"
    }

    private func prepareForWriting() throws {
        if server.isPostgreSQL { try command("PREPARE \(Prepared.number) AS SELECT pg_current_xact_id()") }
        let lock = try findLock()
        if !lock.isEmpty {
            try command(
                """
                PREPARE \(Prepared.share) AS SELECT pg_advisory_lock_shared(\(lock));
                PREPARE \(Prepared.release) AS SELECT pg_advisory_unlock_all()
                """
            )
        }
        self.lock = lock
    }

    /// The lock that all who write to this store share, and that whoever wants to be alone takes for itself. That writes which
    /// share it do not harm each other is SERIALIZABLE's work.
    private func findLock() throws -> String {
        let functions = "'pg_advisory_lock', 'pg_advisory_lock_shared'"
        let found = try command("SELECT count(DISTINCT proname) FROM pg_proc WHERE proname IN (\(functions))")
        guard found == "2" else { return "" }
        let schema = try command("SELECT to_regnamespace(current_schema()::text)::oid::bigint")
        guard let number = UInt32(schema) else { throw StorageError(.missing) }
        return "1263421003, \(Int32(bitPattern: number))"
    }

    /// What became of a transaction that another connection to this database began.
    func outcome(of other: PostgreSQLConnection) throws -> Outcome {
        // In another life of the server the same number may be another transaction's.
        guard server.isPostgreSQL, !other.transaction.number.isEmpty, !history.isEmpty, history == other.history else {
            return .unknown
        }
        switch try command("SELECT pg_xact_status('\(other.transaction.number)'::xid8)") {
        case "committed": return .committed
        case "aborted": return .undone
        // The server has not seen yet that nobody listens.
        case "in progress": throw StorageError(.interrupted)
        default: return .unknown
        }
    }

    func commit(_ connection: Connection) throws {
        guard transaction.hasWork else { return rollBack(connection) }
        connection.note("COMMIT")
        guard !transaction.isReading else { return try endReading() }
        // If the lock is not to be had, the rest must not be committed: it goes with a journey of its own.
        if before != nil { try exchange() }
        transaction.isCommitting = true
        defer { transaction.isCommitting = false }
        var answer = ""
        // If something fails that was put off, the rest is left out and the transaction stays as it is.
        try putOff({ [unowned self] in try send(command: "COMMIT") }) { [unowned self] result in
            answer = result.flatMap { library.PQcmdStatus($0) }.map { String(cString: $0) } ?? ""
            library.PQclear(result)
        }
        do {
            try exchange(after: transaction.isLocking ? Prepared.release : nil)
        } catch {
            // What was answered is committed. If only the lock could not be let go, it goes with the connection.
            guard answer == "COMMIT" else { throw error }
            isLost = true
        }
        transaction.isLocking = false
        // After a failure that the caller did not pass on, the server undoes all and calls it a success.
        guard answer == "COMMIT" else { throw StorageError(.inputOutput) }
    }

    func rollBack(_ connection: Connection) {
        connection.note("ROLLBACK")
        var end = Int(library.PQtransactionStatus(handle)) == KINFOLK_PG_IDLE ? [] : ["ROLLBACK"]
        if transaction.isLocking && before == nil { end.append("EXECUTE \(Prepared.release)") }
        dropPutOffs()
        transaction.isLocking = false
        guard !end.isEmpty, !isLost, !isClosed else { return }
        do { try command(end.joined(separator: "; ")) } catch { isLost = true }
    }

    // A part that ends well costs no journey. One that is to be undone after it wrote something, and all if anything fails that
    // was put off, are done anew with savepoints: few writes fail, and most of those before they wrote.

    func beginPart(of connection: Connection) throws {
        (transaction.parts, transaction.hasPartWritten) = (transaction.isAlone ? .savepoints : .together, false)
        guard transaction.isAlone else { return }
        connection.note("SAVEPOINT")
        putOff("SAVEPOINT part")
        try exchange()
    }

    func endPart(of connection: Connection) throws {
        guard transaction.parts == .savepoints else { return }
        connection.note("RELEASE")
        // What fails in it must be known now.
        putOff("RELEASE part")
        try exchange()
    }

    func undoPart(of connection: Connection) throws {
        let isSound = Int(library.PQtransactionStatus(handle)) != KINFOLK_PG_IN_FAILED_TRANSACTION
        if transaction.parts == .together && isSound && !transaction.hasPartWritten { return }
        guard transaction.parts == .savepoints else {
            throw StorageError(.interrupted, detail: "one of several writes failed")
        }
        connection.note("ROLLBACK TO")
        dropPutOffs()
        try command("ROLLBACK TO part; RELEASE part")
    }

    var isInTransaction: Bool {
        guard !isLost, !isClosed else { return false }
        let status = Int(library.PQtransactionStatus(handle))
        return !putOffs.isEmpty || status == KINFOLK_PG_IN_TRANSACTION || status == KINFOLK_PG_IN_FAILED_TRANSACTION
    }
}
