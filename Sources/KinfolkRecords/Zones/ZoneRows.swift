import KinfolkStorage

/// The rows of deleted zones.
enum ZoneRows {
    /// The most bytes of records that a transaction deletes: the engine overwrites them.
    private static let batchLength = 4 << 20

    /// Deletes rows of a zone from all tables.
    ///
    /// - Returns: How many were deleted, and whether none are left.
    static func delete(
        atMost limit: Int,
        of zone: RemovedZoneTable.Unswept,
        _ db: Connection
    ) throws -> (count: Int, isOver: Bool) {
        var deleted = 0
        for deletion in deletions where deleted < limit {
            deleted += try db.changes(
                deletion,
                .integer(zone.container),
                .bytes(zone.owner),
                .integer(zone.zone),
                .integer(Int64(limit - deleted))
            )
        }
        // In the order in which they were made, which is that of most of their pages. That of the tags would be a random one.
        let rows = try db.all(
            """
            SELECT number, length(sealed_fields) FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3
            ORDER BY type, created_at, number LIMIT $4
            """,
            .integer(zone.container),
            .bytes(zone.owner),
            .integer(zone.zone),
            .integer(Int64(limit - deleted))
        ) { (number: $0.integer(0), length: Int($0.integer(1))) }
        var length = 0
        let records = rows.prefix { row in
            defer { length += row.length }
            return length < batchLength
        }
        try db.execute("DELETE FROM records WHERE number = $1", for: records) { [.integer($0.number)] }
        return (deleted + records.count, deleted + rows.count < limit && records.count == rows.count)
    }

    private static let deletions: [StaticString] = [
        """
        DELETE FROM order_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND (field, position) IN
        (SELECT field, position FROM order_entries WHERE container_id = $1 AND owner = $2 AND zone = $3
        ORDER BY field, position LIMIT $4)
        """,
        """
        DELETE FROM record_references WHERE container_id = $1 AND owner = $2 AND zone = $3 AND (target, kind, source) IN
        (SELECT target, kind, source FROM record_references WHERE container_id = $1 AND owner = $2 AND zone = $3
        ORDER BY target, kind, source LIMIT $4)
        """,
        """
        DELETE FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND (tag, number) IN
        (SELECT tag, number FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3
        ORDER BY tag, number LIMIT $4)
        """,
        """
        DELETE FROM tombstones WHERE container_id = $1 AND owner = $2 AND zone = $3 AND (change, deletion) IN
        (SELECT change, deletion FROM tombstones WHERE container_id = $1 AND owner = $2 AND zone = $3
        ORDER BY change, deletion LIMIT $4)
        """,
        """
        DELETE FROM outbox WHERE (container_id, lane, sequence) IN
        (SELECT container_id, lane, sequence FROM outbox WHERE container_id = $1 AND owner = $2 AND zone = $3 LIMIT $4)
        """,
    ]
}
