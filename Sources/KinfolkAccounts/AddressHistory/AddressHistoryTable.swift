import KinfolkCore
package import KinfolkCrypto
package import KinfolkStorage

/// The tables of what limits remember about addresses, and of the day keys.
package enum AddressHistoryTable {
    package struct Row {
        package let tag: Tag
        /// The day whose key was used for the tag.
        package let day: Int64
        /// The first day on which the row is no longer valid.
        package let expires: Int64
        package let sealed: [UInt8]

        package init(tag: Tag, day: Int64, expires: Int64, sealed: [UInt8]) {
            self.tag = tag
            self.day = day
            self.expires = expires
            self.sealed = sealed
        }
    }

    package static func row(_ tag: Tag, _ db: Connection) throws -> Row? {
        try db.first("SELECT day, expires, sealed_value FROM address_history WHERE tag = $1", .tag(tag)) { row in
            Row(tag: tag, day: row.integer(0), expires: row.integer(1), sealed: row.bytes(2))
        }
    }

    /// Rows after a tag, in the order of the tags.
    package static func rows(after tag: [UInt8], limit: Int, _ db: Connection) throws -> [Row] {
        let rows = try db.all(
            """
            SELECT tag, day, expires, sealed_value FROM address_history WHERE tag > $1 ORDER BY tag LIMIT $2
            """,
            .bytes(tag),
            .integer(Int64(limit))
        ) { row -> Row in
            guard let tag = row.withBytes(0, Tag.init) else { throw StorageError(.corrupt) }
            return Row(tag: tag, day: row.integer(1), expires: row.integer(2), sealed: row.bytes(3))
        }
        return rows
    }

    package static func insert(_ row: Row, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO address_history (tag, day, expires, sealed_value) VALUES ($1, $2, $3, $4)
            ON CONFLICT (tag) DO UPDATE
            SET day = excluded.day, expires = excluded.expires, sealed_value = excluded.sealed_value
            """,
            .tag(row.tag),
            .integer(row.day),
            .integer(row.expires),
            .bytes(row.sealed)
        )
    }

    package static func delete(_ tag: Tag, _ db: Connection) throws {
        try db.execute("DELETE FROM address_history WHERE tag = $1", .tag(tag))
    }

    /// A row that would remain for more than 30 days was written while the clock was ahead: its expiry is set to 30 days from
    /// now.
    static func deleteExpired(on day: Int64, _ db: Connection) throws {
        try db.execute("UPDATE address_history SET expires = $1 WHERE expires > $1", .integer(day &+ 30))
        try db.execute("DELETE FROM address_history WHERE expires <= $1", .integer(day))
    }

    // MARK: Keys

    /// Whether any day key exists, so that values may exist.
    static func hasKeys(_ db: Connection) throws -> Bool {
        try db.first("SELECT day FROM address_history_keys LIMIT 1") { _ in true } ?? false
    }

    /// The day keys, newest day first.
    package static func keys(_ db: Connection) throws -> [(day: Int64, sealed: [UInt8])] {
        try db.all("SELECT day, sealed_key FROM address_history_keys ORDER BY day DESC") { row in
            (row.integer(0), row.bytes(1))
        }
    }

    static func setKey(_ sealed: [UInt8], of day: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO address_history_keys (day, sealed_key) VALUES ($1, $2)
            ON CONFLICT (day) DO UPDATE SET sealed_key = excluded.sealed_key
            """,
            .integer(day),
            .bytes(sealed)
        )
    }

    /// - Parameter today: The day whose key is about to be used.
    static func deleteKeysWithoutRows(except today: Int64, _ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM address_history_keys WHERE day <> $1
            AND NOT EXISTS (SELECT 1 FROM address_history h WHERE h.day = address_history_keys.day)
            """,
            .integer(today)
        )
    }
}
