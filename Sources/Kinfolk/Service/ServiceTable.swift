import KinfolkStorage

/// The table of named values about the store itself.
enum ServiceTable {
    static func value(_ name: String, _ db: Connection) throws -> [UInt8]? {
        try db.first("SELECT value FROM service WHERE name = $1", .text(name)) { $0.bytes(0) }
    }

    static func set(_ name: String, _ value: [UInt8], _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO service (name, value) VALUES ($1, $2)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """,
            .text(name),
            .bytes(value)
        )
    }

    static func remove(_ name: String, _ db: Connection) throws {
        try db.execute("DELETE FROM service WHERE name = $1", .text(name))
    }
}
