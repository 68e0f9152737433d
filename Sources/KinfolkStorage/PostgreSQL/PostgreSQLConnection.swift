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
    private(set) var isClosed = false
    var isLost = false

    /// What goes to the server with the next statement, before it: what begins a transaction and what nobody waits for need no
    /// journeys of their own.
    var putOffs: [PutOff] = []
    private var statementCount = 0
    /// What was asked ahead. It is gone when the transaction ends, and once something in it was written or undone: what was asked
    /// before may have another answer then.
    var answers: [PostgreSQLAnswer.Question: PostgreSQLAnswer] = [:]
    /// Whether queries are only asked now.
    private(set) var isAskingAhead = false

    var server = PostgreSQLServer.postgreSQL
    /// Which life of the server this is; empty if it does not tell.
    var history = ""
    /// Whether what a transaction for writing needs is there.
    var canWrite = false

    /// The one under way, or the last one.
    var transaction = PostgreSQLTransaction(.read)
    /// Whether the server has been told that a transaction for reading ends, and its answer was not taken.
    var isEnding = false
    /// The moment that the last transaction for reading saw, in the server's words.
    var snapshot = ""

    init(
        _ address: PostgreSQLAddress,
        for purpose: Connection.Purpose,
        lockTimeout: Double,
        isReadOnly: Bool = false
    ) throws {
        library = try LibPQ.functions()
        statementTimeout = address.statementTimeout
        try PostgreSQLConnection.validate(address, library)
        handle = try PostgreSQLConnection.connect(address, library, isReadOnly: isReadOnly)
        _ = library.PQsetnonblocking(handle, 1)
        _ = library.PQsetNoticeProcessor(handle, { _, _ in }, nil)
        do {
            try configure(for: purpose, schema: address.schema, lockTimeout: lockTimeout)
            if isReadOnly { try command("SET default_transaction_read_only = on") }
        } catch {
            close()
            throw error
        }
    }

    deinit { close() }

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

    func askAhead(_ body: () throws -> Void) throws {
        let wasAskingAhead = isAskingAhead
        isAskingAhead = true
        defer { isAskingAhead = wasAskingAhead }
        try body()
    }

    func run(_ sql: String, until deadline: Deadline) throws {
        try command(PostgreSQLDialect.definition(sql, textType: server.textType))
    }

    // MARK: What the server does by itself

    func setCacheSize(_ size: Int, until deadline: Deadline) {}

    func truncateLog() -> Bool { true }

    var isOutdated: Bool { false }

    /// A server checks its files itself (`data_checksums`, `amcheck`).
    func countFaults(limit: Int, of connection: Connection) -> Int { 0 }

    func leaveLog(until deadline: Deadline) {}
    func makeRoom() -> Bool { false }

    func copy(to path: FilePath, progress: (_ done: Int, _ total: Int) throws -> Void) throws {
        throw StorageError(.unsupported)
    }
}
