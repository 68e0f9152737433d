import CLibPQ
import KinfolkThreads

/// How transactions begin and end.
extension PostgreSQLConnection {
    func begin(_ purpose: Connection.Purpose, of connection: Connection, until deadline: Deadline) throws {
        connection.note("BEGIN")
        transaction = PostgreSQLTransaction(purpose)
        guard !transaction.isReading else { return beginReading(connection) }
        if server.isPostgreSQL { try beginWriting() } else { putOff("BEGIN ISOLATION LEVEL SERIALIZABLE") }
        // Whoever is alone is so from the beginning.
        guard transaction.isAlone else { return }
        do { try exchange() } catch {
            rollBack(connection)
            throw error
        }
    }

    /// All who write to a store share a lock, which whoever wants to be alone has for itself. That those who share it do not
    /// harm each other is SERIALIZABLE's work. Alone it needs no watch over what it reads, for which a server has little room.
    ///
    /// The lock comes first. It takes no snapshot, so that the transaction sees what was written by those for whom it waited.
    private func beginWriting() throws {
        if !canWrite {
            // What was prepared by half cannot be prepared again.
            do { try prepareForWriting() } catch {
                isLost = true
                throw error
            }
        }
        putOff("BEGIN ISOLATION LEVEL \(transaction.isAlone ? "REPEATABLE READ" : "SERIALIZABLE")")
        putOff("LOCK TABLE store_schema IN \(transaction.isAlone ? "EXCLUSIVE" : "ROW EXCLUSIVE") MODE")
        putOff(Prepared.number) { [unowned self] in transaction.number = $0 }
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
    }

    private func prepareForWriting() throws {
        try makeSchemaTable()
        try command("PREPARE \(Prepared.number) AS SELECT pg_current_xact_id()")
        transaction.hasWork = false
        canWrite = true
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
        defer { answers = [:] }
        connection.note("COMMIT")
        guard !transaction.isReading else {
            // Nobody waits for what was only asked.
            dropPutOffs()
            return try endReading()
        }
        // Before it is committed its number must be known to those who will ask what came of it.
        if server.isPostgreSQL && transaction.number.isEmpty && !connection.isRepeatable { try exchange() }
        transaction.isCommitting = true
        defer { transaction.isCommitting = false }
        var answer = ""
        // If something fails that was put off, the rest is left out and the transaction stays as it is.
        try putOff({ [unowned self] in try send(command: "COMMIT") }) { [unowned self] result in
            answer = result.flatMap { library.PQcmdStatus($0) }.map { String(cString: $0) } ?? ""
            library.PQclear(result)
        }
        do {
            try exchange()
        } catch {
            // What was answered is committed, whatever became of the connection then.
            guard answer == "COMMIT" else { throw error }
            isLost = true
        }
        // After a failure that the caller did not pass on, the server undoes all and calls it a success.
        guard answer == "COMMIT" else { throw StorageError(.inputOutput) }
    }

    func rollBack(_ connection: Connection) {
        connection.note("ROLLBACK")
        answers = [:]
        dropPutOffs()
        guard !isLost, !isClosed, Int(library.PQtransactionStatus(handle)) != KINFOLK_PG_IDLE else { return }
        do { try command("ROLLBACK") } catch { isLost = true }
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
