import KinfolkThreads

/// Whose the database is, and which version it has: a table of one row.
extension PostgreSQLConnection {
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
}
