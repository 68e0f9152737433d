import KinfolkThreads

/// Whose the database is, and which version it has: a table of one row.
extension PostgreSQLConnection {
    /// Whether the schema that the address names is there.
    func hasSchema() throws -> Bool { try command("SELECT current_schema() IS NOT NULL") == "t" }

    func schema(_ connection: Connection) throws -> (application: Int64, version: Int64, isEmpty: Bool) {
        let relations = try command(
            """
            SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace(current_schema()::text)::oid
            AND relname NOT IN ('store_schema', 'store_schema_pkey')
            """
        )
        guard try hasSchemaTable() else { return (0, 0, relations == "0") }
        let application = try command("SELECT application FROM store_schema")
        let version = try command("SELECT version FROM store_schema")
        // Made after this transaction began, it has no rows here yet.
        return (Int64(application) ?? 0, Int64(version) ?? 0, relations == "0")
    }

    func note(application: Int32, version: Int, until deadline: Deadline) throws {
        try command(
            """
            \(PostgreSQLConnection.schemaTable);
            INSERT INTO store_schema (application, version) VALUES (\(application), \(version))
            ON CONFLICT (application) DO UPDATE SET version = excluded.version
            """
        )
    }

    private static let schemaTable =
        "CREATE TABLE IF NOT EXISTS store_schema (application BIGINT PRIMARY KEY, version BIGINT NOT NULL)"

    private func hasSchemaTable() throws -> Bool {
        try command("SELECT to_regclass('store_schema') IS NOT NULL") == "t"
    }

    /// Makes the table, without rows, in a database where a store is to be made: it is also the lock of those who write.
    func makeSchemaTable() throws {
        guard try !hasSchemaTable() else { return }
        do { try command(PostgreSQLConnection.schemaTable) } catch let error as StorageError {
            // Others may make it at the same moment.
            guard !isLost, try hasSchemaTable() else { throw error }
        }
    }

    func adopt(until deadline: Deadline) {}
}
