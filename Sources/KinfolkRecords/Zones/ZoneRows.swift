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
            let group: [Value] = [.integer(zone.container), .bytes(zone.owner), .integer(zone.zone)]
            deleted += try deletion.delete(atMost: limit - deleted, of: group, db)
        }
        if deleted < limit { deleted += try AssetTable.delete(atMost: limit - deleted, of: zone, db) }
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

    private static let deletions = [
        deletion("order_entries", ["field": .integer, "position": .integer]),
        deletion("record_references", ["target": .bytes, "kind": .integer, "source": .integer]),
        deletion("index_entries", ["tag": .bytes, "number": .integer]),
        deletion("cell_entries", ["tag": .bytes, "number": .integer]),
        deletion("postings", ["tag": .bytes]),
        deletion("tombstones", ["change": .integer, "deletion": .integer]),
        deletion("outbox", ["lane": .integer, "sequence": .integer], isOrdered: false),
    ]

    private static func deletion(
        _ table: String,
        _ key: KeyValuePairs<String, TableDescription.ColumnType>,
        isOrdered: Bool = true
    ) -> RowDeletion {
        RowDeletion(table, of: ["container_id", "owner", "zone"], by: key, isOrdered: isOrdered)
    }
}
