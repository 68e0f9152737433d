import CLibPQ
import KinfolkThreads

/// A database on a PostgreSQL server, which any number of machines share.
///
/// Writes are SERIALIZABLE: they run beside each other, and come out as if one came after the other, or else the server undoes
/// one of them, which is then done again, alone. A read sees one moment of the store: REPEATABLE READ.
struct PostgreSQLEngine: Engine {
    private let address: PostgreSQLAddress
    /// How many seconds a statement waits for what somebody else has locked.
    private let wait: Double
    /// Whether the server is told to refuse writes. One that only reads may be a standby.
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
        // Once at least: the wait may be over since the server went away.
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
        // Who may not make schemas may still use one that is there.
        guard try !connection.hasSchema() else { return }
        do {
            try connection.run("CREATE SCHEMA IF NOT EXISTS \(schema)", until: deadline)
        } catch {
            // Somebody else may just have done it.
            guard (try? connection.hasSchema()) == true else { throw error }
        }
    }

    private func open(for purpose: Connection.Purpose = .read) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(address, for: purpose, lockTimeout: wait, isReadOnly: isReadOnly)
    }
}
