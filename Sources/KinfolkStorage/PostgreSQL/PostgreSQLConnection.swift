import CLibPQ
import Glibc
import KinfolkFiles
import KinfolkThreads

/// A connection to a PostgreSQL server.
///
/// It never waits for the server indefinitely: each statement has a time limit on the server, and a slightly longer one here,
/// after which the connection counts as lost.
final class PostgreSQLConnection: EngineConnection {
    let library: kinfolk_pg
    let handle: OpaquePointer
    let statementTimeout: Double
    private(set) var isClosed = false
    var isLost = false

    /// Deferred requests, which are sent with the next statement, before it. So the beginning of a transaction, and requests
    /// whose answers are not needed, cost no round trips.
    var putOffs: [PutOff] = []
    var roundTripCount = 0
    /// How many statements were prepared. The server keeps each until the connection is closed.
    private var statementCount = 0
    /// A connection that has prepared this many is replaced after its transaction.
    private static let statementLimit = 5_000
    /// The prefetched answers. They are discarded when the transaction ends, and after a write or a rollback in it, because the
    /// answers may then be different.
    var answers: [PostgreSQLAnswer.Question: PostgreSQLAnswer] = [:]
    /// Whether queries are only prefetched now.
    private(set) var isAskingAhead = false

    var server = PostgreSQLServer.postgreSQL
    /// The history of the server; empty if it does not report one.
    var history = ""
    /// The prepared statement with which write transactions begin; empty if nothing has been prepared for them.
    var preparedNumber = ""

    /// The current transaction, or the last one.
    var transaction = PostgreSQLTransaction(.read)
    /// Whether the end of a read transaction was sent and its answer not yet received.
    var isEnding = false
    /// The snapshot of the last read transaction, in the server's format.
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

    /// Opens a connection that only receives notifications. It gives up earlier than others, because it is opened where somebody
    /// waits for notifications, and for other things.
    init(listeningAt address: PostgreSQLAddress) throws {
        library = try LibPQ.functions()
        statementTimeout = Double(PostgreSQLConnection.listeningTimeout)
        handle = try PostgreSQLConnection.connect(
            address,
            library,
            isReadOnly: false,
            timeout: PostgreSQLConnection.listeningTimeout
        )
        _ = library.PQsetnonblocking(handle, 1)
        _ = library.PQsetNoticeProcessor(handle, { _, _ in }, nil)
        do { try listen(in: address.schema) } catch {
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
        guard !isClosed, !isLost, statementCount < PostgreSQLConnection.statementLimit,
            Int(library.PQstatus(handle)) == KINFOLK_PG_CONNECTION_OK
        else { return false }
        // If the server ended the session, it has sent the reason.
        var poll = pollfd(fd: library.PQsocket(handle), events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, 0) > 0 else { return true }
        return library.PQconsumeInput(handle) == 1 && Int(library.PQstatus(handle)) == KINFOLK_PG_CONNECTION_OK
            && poll.revents & Int16(POLLHUP | POLLERR) == 0
    }

    var socket: Int32 { library.PQsocket(handle) }

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

    // MARK: Done by the server itself

    func setCacheSize(_ size: Int, until deadline: Deadline) {}

    func truncateLog() -> Bool { true }

    var isOutdated: Bool { false }

    var enforcesTypes: Bool { true }

    /// A server checks its files itself (`data_checksums`, `amcheck`).
    func countFaults(limit: Int, of connection: Connection) -> Int { 0 }

    func leaveLog(until deadline: Deadline) {}
    func makeRoom() -> Bool { false }

    func copy(to draft: FileDraft, progress: (_ done: Int, _ total: Int) throws -> Void) throws {
        throw StorageError(.unsupported)
    }
}
