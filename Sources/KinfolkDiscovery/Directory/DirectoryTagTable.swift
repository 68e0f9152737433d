import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of the directory: the person of each tag. Each row has a sequence number (``DirectoryProgress``).
package enum DirectoryTagTable {
    package static func insert(
        _ rows: some Sequence<(tag: Tag, record: UserRecordID, sequence: Int64)>,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            "INSERT INTO directory (container_id, tag, record_id, sequence) VALUES ($1, $2, $3, $4)",
            for: rows
        ) { row in
            [.integer(container), .tag(row.tag), .id(row.record.value), .integer(row.sequence)]
        }
    }

    /// Deletes rows, in the order of the table.
    package static func delete(_ rows: [(tag: Tag, record: UserRecordID)], in container: Int64, _ db: Connection) throws
    {
        try db.execute(
            "DELETE FROM directory WHERE container_id = $1 AND tag = $2 AND record_id = $3",
            for: rows.sorted { $0.tag < $1.tag }
        ) { [.integer(container), .tag($0.tag), .id($0.record.value)] }
    }

    /// Scans all rows of the container, because there is no index by user record ID.
    package static func deleteAll(of record: RandomID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM directory WHERE container_id = $1 AND record_id = $2",
            .integer(container),
            .bytes(record.bytes)
        )
    }

    /// Deletes up to `limit` rows. Returns how many were deleted.
    package static func delete(atMost limit: Int, in container: Int64, _ db: Connection) throws -> Int {
        try db.changes(
            """
            DELETE FROM directory WHERE container_id = $1 AND tag <= (
                SELECT tag FROM (SELECT tag FROM directory WHERE container_id = $1 ORDER BY tag LIMIT $2) AS first
                ORDER BY tag DESC LIMIT 1)
            """,
            .integer(container),
            .integer(Int64(limit))
        )
    }

    /// How many rows have a sequence number above `first` and up to `last`.
    package static func count(in container: Int64, after first: Int64, through last: Int64, _ db: Connection) throws
        -> Int
    {
        try db.first(
            "SELECT count(*) FROM directory WHERE container_id = $1 AND sequence > $2 AND sequence <= $3",
            .integer(container),
            .integer(first),
            .integer(last)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The tags of the rows with a sequence number above `first` and up to `last`.
    package static func tags(in container: Int64, after first: Int64, through last: Int64, _ db: Connection) throws
        -> [Tag]
    {
        let tags = try db.all(
            "SELECT tag FROM directory WHERE container_id = $1 AND sequence > $2 AND sequence <= $3",
            .integer(container),
            .integer(first),
            .integer(last)
        ) { $0.withBytes(0, Tag.init) }
        return tags.compactMap(\.self)
    }
}
