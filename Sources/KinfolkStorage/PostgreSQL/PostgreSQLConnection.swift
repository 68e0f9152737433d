import CLibPQ
import Glibc
import KinfolkThreads

/// A connection to a PostgreSQL server.
///
/// It never waits for the server without an end: each statement has a limit on the server, and a little more here, after which
/// the connection counts as lost.
final class PostgreSQLConnection: EngineConnection {
    let library: kinfolk_pg
    private let handle: OpaquePointer
    private let statementTimeout: Double
    private var isClosed = false
    private var isLost = false
    /// Whether the server has been told to commit, and has not answered.
    private var isCommitting = false
    private var hasStatements = 0
    /// The moment that the last transaction for reading saw, in the server's words.
    private var snapshot = ""
    private var isReading = false

    /// How long the server's own limit may be late.
    private static let grace = 5.0

    init(_ address: PostgreSQLAddress, until deadline: Deadline) throws {
        library = try LibPQ.functions()
        statementTimeout = address.statementTimeout
        try PostgreSQLConnection.validate(address, library)
        handle = try PostgreSQLConnection.connect(address, library)
        _ = library.PQsetnonblocking(handle, 1)
        _ = library.PQsetNoticeProcessor(handle, { _, _ in }, nil)
        do {
            let limit = Int(statementTimeout * 1_000)
            // Somebody who freezes in the middle of a write must not keep the others waiting for good.
            var settings = "SET statement_timeout = \(limit)"
            settings += "; SET idle_in_transaction_session_timeout = \(max(limit, 300_000))"
            if let schema = address.schema { settings += "; SET search_path = \(schema)" }
            try command(settings)
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

    /// A wrong address is told from a server that does not answer.
    private static func validate(_ address: PostgreSQLAddress, _ library: kinfolk_pg) throws {
        let options = library.PQconninfoParse(address.uri, nil)
        guard let options else { throw StorageError(.noAddress, detail: "libpq does not understand it") }
        library.PQconninfoFree(options)
    }

    private static func connect(_ address: PostgreSQLAddress, _ library: kinfolk_pg) throws -> OpaquePointer {
        // What the address says comes after the defaults, and counts.
        let parameters = [
            ("connect_timeout", "10"), ("application_name", "kinfolk"), ("target_session_attrs", "read-write"),
            ("tcp_user_timeout", "30000"), ("keepalives_idle", "30"), ("dbname", address.uri),
            ("client_encoding", "UTF8"),
        ]
        let keywords = parameters.map { strdup($0.0) }
        let values = parameters.map { strdup($0.1) }
        defer { for text in keywords + values { free(text) } }
        let handle = (keywords.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { keywords in
            (values.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { values in
                library.PQconnectdbParams(keywords.baseAddress, values.baseAddress, 1)
            }
        }
        guard let handle else { throw StorageError(.unreachable, detail: "no memory") }
        guard Int(library.PQstatus(handle)) == KINFOLK_PG_CONNECTION_OK else {
            defer { library.PQfinish(handle) }
            let message = library.PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            // The first line says what is wrong, the others what one might look at.
            let reason = message.split(separator: "\n").first.map(String.init) ?? "no reason was given"
            throw StorageError(.unreachable, detail: reason)
        }
        return handle
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

    func prepare(_ sql: StaticString) throws -> any Statement {
        hasStatements += 1
        return PostgreSQLStatement(self, sql, name: "kinfolk_\(hasStatements)")
    }

    func run(_ sql: String, until deadline: Deadline) throws { try command(PostgreSQLDialect.definition(sql)) }

    // MARK: Transactions

    /// The lock that each write of this store takes, and nobody else's.
    private static let lock =
        "pg_advisory_xact_lock(1263421003, (to_regnamespace(current_schema()::text)::oid)::integer)"

    func begin(_ purpose: Connection.Purpose, of connection: Connection, until deadline: Deadline) throws -> Bool {
        connection.note("BEGIN")
        isReading = purpose == .read
        switch purpose {
        case .read:
            let now = try command("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT pg_current_snapshot()")
            defer { snapshot = now }
            // The same transactions had been committed then, so nobody has changed anything. A number that each write of the
            // store raises would tell more, but its old rows would pile up wherever a backup takes an hour.
            return now == snapshot
        case .write:
            let wait = max(1, deadline.milliseconds)
            try command(
                """
                BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = \(wait); \
                SET LOCAL statement_timeout = 0; SELECT \(PostgreSQLConnection.lock); \
                SET LOCAL statement_timeout = \(Int(statementTimeout * 1_000))
                """,
                limit: Double(wait) / 1_000
            )
            return false
        }
    }

    func commit(_ connection: Connection) throws {
        isCommitting = true
        defer { isCommitting = false }
        let answer = try command("COMMIT", answersStatus: true)
        connection.note("COMMIT")
        // After a failure that the caller did not pass on, the server undoes all and calls it a success.
        guard answer == "COMMIT" else { throw StorageError(.inputOutput) }
    }

    func rollBack(_ connection: Connection) {
        _ = try? command("ROLLBACK")
        connection.note("ROLLBACK")
    }

    var isInTransaction: Bool {
        guard !isLost, !isClosed else { return false }
        let status = Int(library.PQtransactionStatus(handle))
        return status == KINFOLK_PG_IN_TRANSACTION || status == KINFOLK_PG_IN_FAILED_TRANSACTION
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

    // MARK: The conversation

    /// Runs commands without values, and returns the one value that the last row had, or how the server called the command.
    @discardableResult
    private func command(_ sql: String, answersStatus: Bool = false, limit: Double? = nil) throws -> String {
        try send { library.PQsendQuery(handle, sql) }
        var answer = ""
        var failure: StorageError?
        let deadline = Deadline(in: (limit ?? statementTimeout) + PostgreSQLConnection.grace)
        while let result = try next(until: deadline) {
            defer { library.PQclear(result) }
            do { try check(result) } catch let error as StorageError { failure = failure ?? error }
            if answersStatus {
                answer = library.PQcmdStatus(result).map { String(cString: $0) } ?? ""
            } else if library.PQntuples(result) > 0 {
                answer = library.PQgetvalue(result, 0, 0).map { String(cString: $0) } ?? ""
            }
        }
        if let failure { throw failure }
        return answer
    }

    /// Gives the library something to send.
    func send(_ body: () -> Int32) throws {
        guard !isClosed, !isLost, body() == 1 else { throw lost() }
    }

    /// The limit of what is sent now.
    var limit: Deadline { Deadline(in: statementTimeout + PostgreSQLConnection.grace) }

    /// Waits for the next result; nil after the last one of a statement.
    func next(until deadline: Deadline) throws -> OpaquePointer? {
        while true {
            let unsent = library.PQflush(handle)
            guard unsent >= 0 else { throw lost() }
            if unsent == 0 && library.PQisBusy(handle) == 0 { return library.PQgetResult(handle) }
            try wait(forWriting: unsent > 0, until: deadline)
            guard library.PQconsumeInput(handle) == 1 else { throw lost() }
        }
    }

    private func wait(forWriting: Bool, until deadline: Deadline) throws {
        var poll = pollfd(fd: library.PQsocket(handle), events: Int16(POLLIN | (forWriting ? POLLOUT : 0)), revents: 0)
        while true {
            let count = Glibc.poll(&poll, 1, Int32(clamping: deadline.milliseconds + 1))
            if count > 0 { return }
            guard count == 0 || errno == EINTR, !deadline.hasPassed else { throw lost() }
        }
    }

    /// The server is gone, or does not answer.
    private func lost() -> StorageError {
        isLost = true
        return StorageError(isCommitting ? .inDoubt : .interrupted, detail: "the connection to the server was lost")
    }

    func check(_ result: OpaquePointer) throws {
        switch Int(library.PQresultStatus(result)) {
        case KINFOLK_PG_COMMAND_OK, KINFOLK_PG_TUPLES_OK, KINFOLK_PG_EMPTY_QUERY, KINFOLK_PG_PIPELINE_SYNC: return
        // One before it in the pipeline failed, and says why.
        case KINFOLK_PG_PIPELINE_ABORTED: throw StorageError(.inputOutput)
        default:
            let state = library.PQresultErrorField(result, Int32(KINFOLK_PG_DIAGNOSTIC_SQLSTATE))
            // Without a state it is the library that speaks: the connection broke.
            guard let state else { throw lost() }
            let error = StorageError(sqlState: String(cString: state), isReading: isReading)
            if error.endsSession { throw lost() }
            throw error
        }
    }

    // MARK: Statements

    func prepare(_ name: String, _ sql: String, types: [kinfolk_pg_oid]) throws {
        try send { library.PQsendPrepare(handle, name, sql, Int32(types.count), types) }
        try finish { _ in }
    }

    /// Sends a statement with its values, in binary form both ways.
    func send(_ name: String, _ values: PostgreSQLValues) throws {
        try send {
            values.withPointers { pointers, lengths, formats in
                library.PQsendQueryPrepared(handle, name, Int32(pointers.count), pointers, lengths, formats, 1)
            }
        }
    }

    /// Takes all results of what was sent last. Throws what the first one that failed says.
    func finish(_ body: (OpaquePointer) -> Void) throws {
        var failure: StorageError?
        let deadline = limit
        while let result = try next(until: deadline) {
            do {
                try check(result)
                body(result)
            } catch let error as StorageError {
                failure = failure ?? error
                library.PQclear(result)
            }
        }
        if let failure { throw failure }
    }

    func enterPipeline() throws { try send { library.PQenterPipelineMode(handle) } }

    /// Ends a pipeline of so many statements. `body` is given the result of each that did not fail.
    func endPipeline(of count: Int, _ body: (OpaquePointer) -> Void) throws {
        try send { library.PQpipelineSync(handle) }
        var failure: StorageError?
        for _ in 0..<count {
            do { try finish(body) } catch let error as StorageError {
                if isLost { throw error }
                failure = failure ?? error
            }
        }
        let end = try next(until: limit)
        library.PQclear(end)
        guard library.PQexitPipelineMode(handle) == 1 else { throw lost() }
        if let failure { throw failure }
    }
}
