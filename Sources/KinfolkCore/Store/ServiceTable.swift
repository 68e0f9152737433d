package import KinfolkStorage

/// The table of named values about the store itself.
package enum ServiceTable {
    package static func value(_ name: String, _ db: Connection) throws -> [UInt8]? {
        try db.first("SELECT value FROM service WHERE name = $1", .text(name)) { $0.bytes(0) }
    }

    package static func set(_ name: String, _ value: [UInt8], _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO service (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """,
            .text(name),
            .bytes(value)
        )
    }

    package static func remove(_ name: String, _ db: Connection) throws {
        try db.execute("DELETE FROM service WHERE name = $1", .text(name))
    }

    // MARK: For copies of stores

    /// The rows that a copy takes over from its source, in SQL: all except the mark of the copy, the identity of the store, its
    /// history, and its change counter.
    package static let copiedRows = "name NOT IN ('copy', 'store', 'history', 'counter')"

    /// SQL that inserts the mark of a copy into new tables, and does nothing in tables that are in use.
    ///
    /// - Parameter mark: Lower-case letters, digits and spaces.
    package static func insertion(ofCopyMark mark: String) -> String {
        """
        INSERT INTO service (name, value)
        SELECT 'copy', CAST('\(mark)' AS BLOB) WHERE NOT EXISTS (SELECT 1 FROM service);
        """
    }
}
