import CLibPQ
import KinfolkThreads

/// A database on a PostgreSQL server, which any number of machines share.
///
/// Writes are serial, as with SQLite: each takes one advisory lock of the store when it begins, and keeps it until the server
/// has committed. So a write sees nobody else's half and READ COMMITTED is enough for it; each statement sees what others had
/// committed before the lock was ours. A read sees one moment of the store: REPEATABLE READ.
struct PostgreSQLEngine: Engine {
    private let address: PostgreSQLAddress

    init(_ address: PostgreSQLAddress) { self.address = address }

    var readerLimit: Int { address.poolSize }

    func connect(until deadline: Deadline) throws -> any EngineConnection { try open(until: deadline) }

    func explain(_ failure: StorageError) -> StorageError { failure }

    func isEmpty(until deadline: Deadline) throws -> Bool {
        let connection = try open(until: deadline)
        defer { connection.close() }
        return try Connection(connection).transaction(.read, until: deadline) { try connection.schema($0).isEmpty }
    }

    func make(until deadline: Deadline) throws {
        guard let schema = address.schema else { return }
        let connection = try open(until: deadline)
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

    private func open(until deadline: Deadline) throws -> PostgreSQLConnection {
        try PostgreSQLConnection(address, until: deadline)
    }
}
