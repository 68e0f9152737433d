import CLibPQ

/// Notifications tell other clients of the same store that something was committed. They have no content.
extension PostgreSQLConnection {
    /// How many seconds a listening connection may need to connect to a host: the least that libpq allows.
    static let listeningTimeout = 2

    /// A name that is the same for all clients of a store, and different for each schema of the database.
    private static let channel =
        "'kinfolk_' || left(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 32)"

    /// Prepares the notification. It is delivered when the transaction commits, and once if it was called several times.
    static let preparingSignal = "PREPARE \(Prepared.signal) AS SELECT pg_notify(\(channel), '')"

    func signal() throws {
        guard !transaction.isReading else { throw StorageError(.misuse) }
        guard server.isPostgreSQL else { return }
        transaction.hasWork = true
        putOff(Prepared.signal)
    }

    /// Starts to receive the notifications of the store's clients.
    ///
    /// - Throws: ``StorageError/Kind/unsupported`` if the server is not PostgreSQL itself.
    func listen(in schema: String?) throws {
        server = try PostgreSQLServer(rawValue: command(PostgreSQLServer.query)) ?? .spread
        guard server.isPostgreSQL else { throw StorageError(.unsupported) }
        let searchPath = schema.map { "SET search_path = \($0); " } ?? ""
        // The connection is idle most of the time. Servers older than version 14 do not have this limit.
        let patience = "SELECT set_config(name, '0', false) FROM pg_settings WHERE name = 'idle_session_timeout'; "
        let name = try command("\(searchPath)\(patience)SELECT \(PostgreSQLConnection.channel)")
        guard name.utf8.allSatisfy({ $0 != UInt8(ascii: "\"") }) else { throw StorageError(.misuse) }
        try command("LISTEN \"\(name)\"")
    }

    /// Takes all notifications that have arrived. False if there are none.
    func takeNotifications() throws -> Bool {
        let isConnected = library.PQconsumeInput(handle) == 1
        var hasSome = false
        while let notification = library.PQnotifies(handle) {
            library.PQfreemem(UnsafeMutableRawPointer(notification))
            hasSome = true
        }
        guard isConnected, Int(library.PQstatus(handle)) == KINFOLK_PG_CONNECTION_OK else {
            throw StorageError(.interrupted)
        }
        return hasSome
    }
}
