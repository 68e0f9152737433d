import KinfolkThreads

/// The application to which the database belongs, and its schema version: a table of one row.
extension PostgreSQLConnection {
    /// Whether the schema that the address names exists.
    func hasSchema() throws -> Bool { try command("SELECT current_schema() IS NOT NULL") == "t" }

    func schema(_ connection: Connection) throws -> (application: Int64, version: Int64, isEmpty: Bool) {
        // By the dependencies of the schema: pg_class has no index by schema, and holds the relations of all of them.
        let hasRelations = try command(
            """
            SELECT EXISTS (SELECT FROM pg_depend WHERE refclassid = 'pg_namespace'::regclass AND classid = 'pg_class'::regclass
            AND refobjid = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
            AND objid IS DISTINCT FROM to_regclass('store_schema'))
            """
        )
        guard try hasSchemaTable() else { return (0, 0, hasRelations == "f") }
        let application = try command("SELECT application FROM store_schema")
        let version = try command("SELECT version FROM store_schema")
        // If the table was created after this transaction began, it has no visible rows yet.
        return (Int64(application) ?? 0, Int64(version) ?? 0, hasRelations == "f")
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

    /// Creates the table, without rows, in a database for a new store. The table is also the lock for writers.
    func makeSchemaTable() throws {
        guard try !hasSchemaTable() else { return }
        do { try command(PostgreSQLConnection.schemaTable) } catch let error as StorageError {
            // Another connection may create it at the same time.
            guard !isLost, try hasSchemaTable() else { throw error }
        }
    }

    func leaveFilesAsTheyAre() {}

    func adopt(until deadline: Deadline) {}
}
