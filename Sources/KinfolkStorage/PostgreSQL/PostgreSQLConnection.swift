import CLibPQ
import Glibc
import KinfolkThreads

/// A connection to a PostgreSQL server.
///
/// It never waits for the server without an end: each statement has a limit on the server, and a little more here, after which
/// the connection counts as lost.
final class PostgreSQLConnection: EngineConnection {
    let library: kinfolk_pg
    let handle: OpaquePointer
    let statementTimeout: Double
    private var isClosed = false
    var isLost = false

    /// What goes to the server with the next statement, before it: what begins a transaction and what nobody waits for need no
    /// journeys of their own.
    var putOffs: [PutOff] = []
    /// What is done before that, whatever becomes of the rest.
    var before: String?
    /// Whether anything was asked of the server, or will be, in this transaction.
    var hasWork = false
    private var statementCount = 0

    private(set) var isReading = false
    /// Whether the server has been told that a transaction for reading ends, and its answer was not taken.
    var isEnding = false
    /// The moment that the last transaction for reading saw, in the server's words.
    private var snapshot = ""
    /// Whether the server has been told to commit what was written, and has not answered.
    private(set) var isCommitting = false
    /// Whether this session has the store's lock, or will have it once it has done anything.
    private var isLocking = false
    /// Whether it has it for itself.
    private var isAlone = false
    enum Parts { case none, together, savepoints }
    private(set) var parts = Parts.none
    /// Whether the part of now changes anything.
    var hasPartWritten = false
    /// The store's lock, in the server's words, or nothing if the server has no such locks; nil until it is needed.
    private var lock: String?
    private var server = Server.postgreSQL

    private enum Server: String {
        case postgreSQL = "PostgreSQL"
        /// PostgreSQL's code over several machines: one of them does not know what the others have committed.
        case spread
        case cockroachDB = "CockroachDB"
    }

    /// Whether the server tells which moment a transaction sees, and what became of one.
    private var tellsTransactions: Bool { server == .postgreSQL }
    /// The transaction for writing that began last.
    private var transaction = ""
    /// Which life of the server this is; empty if it does not tell.
    private(set) var history = ""

    init(
        _ address: PostgreSQLAddress,
        for purpose: Connection.Purpose,
        lockTimeout: Double,
        until deadline: Deadline
    ) throws {
        library = try LibPQ.functions()
        statementTimeout = address.statementTimeout
        try PostgreSQLConnection.validate(address, library)
        handle = try PostgreSQLConnection.connect(address, library)
        _ = library.PQsetnonblocking(handle, 1)
        _ = library.PQsetNoticeProcessor(handle, { _, _ in }, nil)
        do {
            try configure(for: purpose, schema: address.schema, lockTimeout: lockTimeout)
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    private func configure(for purpose: Connection.Purpose, schema: String?, lockTimeout: Double) throws {
        let limit = max(1, Int(statementTimeout * 1_000))
        var settings = [
            "SET statement_timeout = \(limit)",
            "SET lock_timeout = \(Int(min(max(lockTimeout, 0.001), 86_400) * 1_000))",
            // Somebody who freezes in the middle of a write must not keep the others waiting for long.
            "SET idle_in_transaction_session_timeout = \(max(limit, 30_000))",
        ]
        if let schema { settings.append("SET search_path = \(schema)") }
        // A scan of a small table would meet whoever writes to any of its rows, and one of the two would begin anew.
        if purpose != .read { settings.append("SET enable_seqscan = off") }
        // Made for the values of the first few runs, a plan may read the whole directory, and planning takes as long as running.
        settings.append("SET plan_cache_mode = force_generic_plan")
        settings.append(
            """
            SELECT CASE WHEN version() LIKE 'CockroachDB%' THEN 'CockroachDB'
            WHEN version() LIKE '%-YB-%' OR EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') THEN 'spread'
            ELSE 'PostgreSQL' END
            """
        )
        server = try Server(rawValue: command(settings.joined(separator: "; "))) ?? .spread
        // Otherwise it commits before each definition, and half of a migration could be left.
        if server == .cockroachDB { try command("SET autocommit_before_ddl = off") }
        guard tellsTransactions else { return }
        try command("PREPARE \(Prepared.moment) AS SELECT pg_current_snapshot()")
        // A standby that takes over has another timeline. After a crash, which resets the statistics, the numbers of transactions
        // that were lost are given again.
        // Some servers do not tell, Aurora perhaps: then nobody knows what became of a COMMIT whose answer was lost.
        history = try find(
            """
            SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE
            substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' || pg_postmaster_start_time() || ' ' ||
            (SELECT stats_reset FROM pg_stat_wal) END
            """
        )
        // Otherwise it commits before each definition, and half of a migration could be left.
    }

    /// The answer of a server that may not know the question.
    private func find(_ sql: String) throws -> String {
        do { return try command(sql) } catch let error as StorageError {
            if isLost { throw error }
            return ""
        }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        library.PQfinish(handle)
    }

    var isUsable: Bool {
        guard !isClosed, !isLost, Int(library.PQstatus(handle)) == KINFOLK_PG_CONNECTION_OK else { return false }
        // A server that ended the session has written why.
        var poll = pollfd(fd: library.PQsocket(handle), events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, 0) > 0 else { return true }
        return library.PQconsumeInput(handle) == 1 && Int(library.PQstatus(handle)) == KINFOLK_PG_CONNECTION_OK
            && poll.revents & Int16(POLLHUP | POLLERR) == 0
    }

    func prepare(_ sql: String) throws -> any Statement {
        statementCount += 1
        return PostgreSQLStatement(self, sql, name: "kinfolk_\(statementCount)")
    }

    func run(_ sql: String, until deadline: Deadline) throws {
        // CockroachDB has the order of bytes anyway, and knows no other word for it.
        try command(PostgreSQLDialect.definition(sql, textType: server == .cockroachDB ? "TEXT" : "TEXT COLLATE \"C\""))
    }

    // MARK: Transactions

    func begin(_ purpose: Connection.Purpose, of connection: Connection, until deadline: Deadline) throws {
        connection.note("BEGIN")
        isReading = purpose == .read
        hasWork = false
        guard !isReading else { return beginReading(connection) }
        if lock == nil {
            // What was prepared by half cannot be prepared again.
            do { try prepareForWriting() } catch {
                isLost = true
                throw error
            }
        }
        let lock = lock ?? ""
        // Had before the transaction begins, so that it sees what was written by those for whom it waited.
        isLocking = !lock.isEmpty
        isAlone = purpose == .writeAlone
        parts = .none
        if isLocking && isAlone {
            try command("SELECT pg_advisory_lock(\(lock))")
        } else if isLocking {
            before = Prepared.share
        }
        transaction = ""
        hasWork = false
        putOff("BEGIN ISOLATION LEVEL SERIALIZABLE")
        if tellsTransactions {
            putOff(Prepared.number) { [unowned self] in transaction = $0 }
        }
        // Whoever freezes now is to lose the lock with the transaction.
        guard isAlone else { return }
        do { try exchange() } catch {
            rollBack(connection)
            throw error
        }
    }

    private func beginReading(_ connection: Connection) {
        putOff("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        // Whoever counts work sees none that others of this server make.
        guard tellsTransactions && connection.trace == nil else { return connection.forgetNotes() }
        // The same if the same transactions had been committed then, so that nobody has changed anything. A number that each
        // write of the store raises would tell more, but its old rows would pile up wherever a backup takes an hour.
        putOff(Prepared.moment) { [unowned self, unowned connection] now in
            if now != snapshot { connection.forgetNotes() }
            snapshot = now
        }
    }

    func settle() throws {
        guard !putOffs.isEmpty else { return }
        hasWork = true
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
        if tellsTransactions { try command("PREPARE \(Prepared.number) AS SELECT pg_current_xact_id()") }
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
        guard tellsTransactions, !other.transaction.isEmpty, !history.isEmpty, history == other.history else {
            return .unknown
        }
        switch try command("SELECT pg_xact_status('\(other.transaction)'::xid8)") {
        case "committed": return .committed
        case "aborted": return .undone
        // The server has not seen yet that nobody listens.
        case "in progress": throw StorageError(.interrupted)
        default: return .unknown
        }
    }

    func commit(_ connection: Connection) throws {
        guard hasWork else { return rollBack(connection) }
        connection.note("COMMIT")
        guard !isReading else { return try endReading() }
        // If the lock is not to be had, the rest must not be committed: it goes with a journey of its own.
        if before != nil { try exchange() }
        isCommitting = true
        defer { isCommitting = false }
        var answer = ""
        // If something fails that was put off, the rest is left out and the transaction stays as it is.
        try putOff({ [unowned self] in try send(command: "COMMIT") }) { [unowned self] result in
            answer = result.flatMap { library.PQcmdStatus($0) }.map { String(cString: $0) } ?? ""
            library.PQclear(result)
        }
        try exchange(after: isLocking ? Prepared.release : nil)
        isLocking = false
        // After a failure that the caller did not pass on, the server undoes all and calls it a success.
        guard answer == "COMMIT" else { throw StorageError(.inputOutput) }
    }

    func rollBack(_ connection: Connection) {
        connection.note("ROLLBACK")
        var end = Int(library.PQtransactionStatus(handle)) == KINFOLK_PG_IDLE ? [] : ["ROLLBACK"]
        if isLocking && before == nil { end.append("EXECUTE \(Prepared.release)") }
        dropPutOffs()
        isLocking = false
        guard !end.isEmpty, !isLost, !isClosed else { return }
        do { try command(end.joined(separator: "; ")) } catch { isLost = true }
    }

    // A part that ends well costs no journey. One that is to be undone after it wrote something, and all if anything fails that
    // was put off, are done anew with savepoints: few writes fail, and most of those before they wrote.

    func beginPart(of connection: Connection) throws {
        (parts, hasPartWritten) = (isAlone ? .savepoints : .together, false)
        guard isAlone else { return }
        connection.note("SAVEPOINT")
        putOff("SAVEPOINT part")
        try exchange()
    }

    func endPart(of connection: Connection) throws {
        guard parts == .savepoints else { return }
        connection.note("RELEASE")
        // What fails in it must be known now.
        putOff("RELEASE part")
        try exchange()
    }

    func undoPart(of connection: Connection) throws {
        let isSound = Int(library.PQtransactionStatus(handle)) != KINFOLK_PG_IN_FAILED_TRANSACTION
        if parts == .together && isSound && !hasPartWritten { return }
        guard parts == .savepoints else { throw StorageError(.interrupted, detail: "one of several writes failed") }
        connection.note("ROLLBACK TO")
        dropPutOffs()
        try command("ROLLBACK TO part; RELEASE part")
    }

    var isInTransaction: Bool {
        guard !isLost, !isClosed else { return false }
        let status = Int(library.PQtransactionStatus(handle))
        return !putOffs.isEmpty || status == KINFOLK_PG_IN_TRANSACTION || status == KINFOLK_PG_IN_FAILED_TRANSACTION
    }

    // MARK: The schema

    /// Whether the schema that the address names is there.
    func hasSchema() throws -> Bool { try command("SELECT current_schema() IS NOT NULL") == "t" }

    func schema(_ connection: Connection) throws -> (application: Int64, version: Int64, isEmpty: Bool) {
        let relations = try command(
            "SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()::text)::oid"
        )
        guard try command("SELECT to_regclass('store_schema') IS NOT NULL") == "t" else {
            return (0, 0, relations == "0")
        }
        let application = try command("SELECT application FROM store_schema")
        let version = try command("SELECT version FROM store_schema")
        // Made after this transaction began, it has no rows here yet.
        return (Int64(application) ?? 0, Int64(version) ?? 0, relations == "0")
    }

    func note(application: Int32, version: Int, until deadline: Deadline) throws {
        try command(
            """
            CREATE TABLE IF NOT EXISTS store_schema (application BIGINT PRIMARY KEY, version BIGINT NOT NULL);
            INSERT INTO store_schema (application, version) VALUES (\(application), \(version))
            ON CONFLICT (application) DO UPDATE SET version = excluded.version
            """
        )
    }

    func adopt(until deadline: Deadline) {}

    // MARK: What the server does by itself

    func setCacheSize(_ size: Int, until deadline: Deadline) {}

    func truncateLog() -> Bool { true }

    func copy(to path: String, progress: (_ done: Int, _ total: Int) -> Void) throws {
        throw StorageError(.unsupported)
    }
}
