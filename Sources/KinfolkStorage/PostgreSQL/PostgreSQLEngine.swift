import CLibPQ
import KinfolkThreads

/// A database on a PostgreSQL server, which any number of machines can share.
///
/// Writes are SERIALIZABLE: they run concurrently with the same result as one after the other. Otherwise the server rolls one of
/// them back, which is then retried, in the end alone. A read sees a snapshot of the store: REPEATABLE READ.
struct PostgreSQLEngine: Engine {
    private let address: PostgreSQLAddress
    /// How many seconds a statement waits for a lock that another transaction holds.
    private let wait: Double
    /// Whether the server is told to refuse writes. A connection that only reads may use a standby.
    private let isReadOnly: Bool

    init(_ address: PostgreSQLAddress, wait: Double, isReadOnly: Bool = false) {
        self.address = address
        self.isReadOnly = isReadOnly
        self.wait = wait
    }

    var readerLimit: Int { address.poolSize }

    func connect(for purpose: Connection.Purpose, until deadline: Deadline) throws -> any EngineConnection {
        try open(for: purpose)
    }

    func outcome(of connection: any EngineConnection, until deadline: Deadline) -> Outcome {
        guard let lost = connection as? PostgreSQLConnection else { return .unknown }
        var pause = Pause()
        // At least once, because the wait may already have been over when the server was lost.
        repeat {
            do {
                let connection = try open()
                defer { connection.close() }
                return try connection.outcome(of: lost)
            } catch let error as StorageError where pause.isWorthwhile(after: error) {
                pause.take()
            } catch {
                return .unknown
            }
        } while !deadline.hasPassed
        return .unknown
    }

    func listener() -> any ChangeListener { PostgreSQLListener(address) }

    func explain(_ failure: StorageError) -> StorageError { failure }

    func isEmpty(until deadline: Deadline) throws -> Bool {
        let connection = try open()
        defer { connection.close() }
        return try Connection(connection).transaction(.read, until: deadline) { try connection.schema($0).isEmpty }
    }

    func make(until deadline: Deadline) throws {
        guard let schema = address.schema else { return }
        let connection = try open()
        defer { connection.close() }
        // A user without the right to create schemas may still use an existing one.
        guard try !connection.hasSchema() else { return }
        do {
            try connection.run("CREATE SCHEMA IF NOT EXISTS \(schema)", until: deadline)
        } catch {
            // Another process may have just created it.
            guard (try? connection.hasSchema()) == true else { throw error }
        }
    }

    private func open(for purpose: Connection.Purpose = .read) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(address, for: purpose, lockTimeout: wait, isReadOnly: isReadOnly)
    }
}
