import CLibPQ
import KinfolkThreads

/// How transactions begin and end.
extension PostgreSQLConnection {
    func begin(_ purpose: Connection.Purpose, of connection: Connection, until deadline: Deadline) throws {
        connection.note("BEGIN")
        transaction = PostgreSQLTransaction(purpose)
        guard !transaction.isReading else { return beginReading(connection) }
        connection.forgetNotes()
        if server.isPostgreSQL {
            try beginWriting(connection.newestSchema)
        } else {
            putOff("BEGIN ISOLATION LEVEL SERIALIZABLE")
        }
        // The server writes its log in the order of commits, so a later commit that waits for the disk includes this one.
        if !connection.isDurable { putOff("SET LOCAL synchronous_commit TO OFF") }
        // An exclusive transaction takes its lock immediately.
        guard transaction.isAlone else { return }
        connection.note(WorkDone.exclusive)
        do { try exchange() } catch {
            rollBack(connection)
            throw error
        }
    }

    /// Writers share a lock on the table `store_schema`; an exclusive write takes the lock exclusively. Writers that share it are
    /// kept from harming each other by SERIALIZABLE. An exclusive write does not need SERIALIZABLE, for whose predicate locks a
    /// server has limited memory.
    ///
    /// The lock is taken first. Taking it does not create a snapshot, so the transaction sees what was written by the
    /// transactions that it waited for, also by a migration.
    private func beginWriting(_ newestSchema: Int64) throws {
        let number = "\(Prepared.number)_\(newestSchema)"
        if preparedNumber != number {
            // A half-finished preparation cannot be repeated.
            do { try prepareForWriting(number, newestSchema) } catch {
                isLost = true
                throw error
            }
        }
        putOff("BEGIN ISOLATION LEVEL \(transaction.isAlone ? "REPEATABLE READ" : "SERIALIZABLE")")
        putOff("LOCK TABLE store_schema IN \(transaction.isAlone ? "EXCLUSIVE" : "ROW EXCLUSIVE") MODE")
        putOff(number) { [unowned self] in transaction.number = $0 }
    }

    private func beginReading(_ connection: Connection) {
        putOff("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // When work is traced, each run must do the same work, whatever other clients of this server do.
        guard server.isPostgreSQL && connection.trace == nil else { return connection.forgetNotes() }
        // The snapshot is the same only if the same transactions had been committed, so nothing has changed. A counter that each
        // write of the store increases would be more exact, but its old row versions would accumulate whenever a backup takes an
        // hour.
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

    /// Statements that this connection runs often, by their names on the server.
    enum Prepared {
        static let prefix = "kinfolk_of_"
        static let moment = prefix + "moment"
        static let number = prefix + "number"
        static let signal = prefix + "signal"
    }

    /// Prepares a statement that returns the number of the transaction, and fails if the schema is newer than this program. The
    /// server skips all that is sent with it then, also the commit. It fails by reading a setting that does not exist.
    ///
    /// The condition on the primary key keeps the server from scanning the table: after `enable_seqscan = off` it estimates such a
    /// high cost for a scan that it compiles the statement each time, for 50 ms.
    private func prepareForWriting(_ number: String, _ newestSchema: Int64) throws {
        try makeSchemaTable()
        try command(
            """
            PREPARE \(number) AS SELECT CASE WHEN EXISTS (SELECT 1 FROM store_schema WHERE application >= \(Int32.min)
            AND version > \(newestSchema)) THEN current_setting('kinfolk.schema_is_newer')::xid8 ELSE pg_current_xact_id() END
            """
        )
        transaction.hasWork = false
        preparedNumber = number
    }

    /// The outcome of a transaction that another connection to this database began.
    func outcome(of other: PostgreSQLConnection) throws -> Outcome {
        // In another history of the server, the same number may belong to another transaction.
        guard server.isPostgreSQL, !other.transaction.number.isEmpty, !history.isEmpty, history == other.history else {
            return .unknown
        }
        switch try command("SELECT pg_xact_status('\(other.transaction.number)'::xid8)") {
        case "committed": return .committed
        case "aborted": return .undone
        // The server has not noticed yet that the client is gone.
        case "in progress": throw StorageError(.interrupted)
        default: return .unknown
        }
    }

    func commit(_ connection: Connection) throws {
        guard transaction.hasWork else { return rollBack(connection) }
        defer { answers = [:] }
        connection.note("COMMIT")
        guard !transaction.isReading else {
            // Requests that are still deferred are not needed.
            dropPutOffs()
            return try endReading()
        }
        // The transaction's number must be known before the commit, so that its outcome can be looked up.
        if server.isPostgreSQL && transaction.number.isEmpty && !connection.isRepeatable { try exchange() }
        transaction.isCommitting = true
        defer { transaction.isCommitting = false }
        var answer = ""
        // If a deferred request fails, the rest is skipped, and the transaction remains uncommitted.
        try putOff({ [unowned self] in try send(command: "COMMIT") }) { [unowned self] result in
            answer = result.flatMap { library.PQcmdStatus($0) }.map { String(cString: $0) } ?? ""
            library.PQclear(result)
        }
        do {
            try exchange()
        } catch {
            // A commit that was acknowledged is valid, whatever happened to the connection afterwards.
            guard answer == "COMMIT" else { throw error }
            isLost = true
        }
        // If a statement failed and the caller ignored that, the server answers COMMIT with success but rolls back. Only the
        // answer's tag shows that.
        guard answer == "COMMIT" else { throw StorageError(.inputOutput) }
    }

    func rollBack(_ connection: Connection) {
        connection.note("ROLLBACK")
        answers = [:]
        dropPutOffs()
        guard !isLost, !isClosed, Int(library.PQtransactionStatus(handle)) != KINFOLK_PG_IDLE else { return }
        do { try command("ROLLBACK") } catch { isLost = true }
    }

    // A successful part costs no round trip. If a part has to be rolled back after it wrote something, or if a deferred request
    // fails, the whole transaction is retried with savepoints: few writes fail, and most of these fail before they write.

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
        // Its errors must be known now.
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
        answers = [:]
        dropPutOffs()
        try command("ROLLBACK TO part; RELEASE part")
    }

    var isInTransaction: Bool {
        guard !isLost, !isClosed else { return false }
        let status = Int(library.PQtransactionStatus(handle))
        return !putOffs.isEmpty || status == KINFOLK_PG_IN_TRANSACTION || status == KINFOLK_PG_IN_FAILED_TRANSACTION
    }
}
