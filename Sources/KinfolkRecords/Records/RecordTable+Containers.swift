package import KinfolkStorage

/// The rows of a container that is deleted: records, and what is derived from them.
extension RecordTable {
    /// Whether a container has rows in one of the tables that may have many.
    package static func hasRows(of container: Int64, _ db: Connection) throws -> Bool {
        try db.first(
            """
            SELECT 1 WHERE EXISTS (SELECT 1 FROM records WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM index_entries WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM order_entries WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM cell_entries WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM postings WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM record_references WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM tombstones WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM removed_zones WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM zones WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM outbox WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM assets WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM asset_chunks WHERE container_id = $1)
                OR EXISTS (SELECT 1 FROM removed_assets WHERE container_id = $1)
            """,
            .integer(container)
        ) { _ in true } ?? false
    }

    /// The most bytes of records that a transaction deletes: the engine overwrites them.
    private static let maximumLength = 64 << 20

    /// Deletes some of these rows.
    ///
    /// - Returns: How many.
    package static func delete(atMost limit: Int, in container: Int64, _ db: Connection) throws -> Int {
        var deleted = 0
        for deletion in deletions where deleted < limit {
            deleted += try deletion.delete(atMost: limit - deleted, of: [.integer(container)], db)
        }
        guard deleted < limit else { return deleted }
        deleted += try AssetChunkTable.delete(in: container, db)
        guard deleted < limit else { return deleted }
        let rows = try db.all(
            """
            SELECT number, length(sealed_fields) FROM records WHERE container_id = $1
            ORDER BY owner, zone, name_tag LIMIT $2
            """,
            .integer(container),
            .integer(Int64(limit - deleted))
        ) { (number: $0.integer(0), length: Int($0.integer(1))) }
        var length = 0
        let records = rows.prefix { row in
            defer { length += row.length }
            return length < maximumLength
        }
        return try deleted + db.changes("DELETE FROM records WHERE number = $1", for: records) { [.integer($0.number)] }
    }

    private static let deletions = [
        deletion("index_entries", ["owner": .bytes, "zone": .integer, "tag": .bytes, "number": .integer]),
        deletion("order_entries", ["owner": .bytes, "zone": .integer, "field": .integer, "position": .integer]),
        deletion("cell_entries", ["owner": .bytes, "zone": .integer, "tag": .bytes, "number": .integer]),
        deletion("postings", ["owner": .bytes, "zone": .integer, "tag": .bytes]),
        deletion(
            "record_references",
            ["owner": .bytes, "zone": .integer, "target": .bytes, "kind": .integer, "source": .integer]
        ),
        deletion("tombstones", ["owner": .bytes, "zone": .integer, "change": .integer, "deletion": .integer]),
        deletion("removed_zones", ["owner": .bytes, "zone": .integer]),
        deletion("zones", ["owner": .bytes, "zone": .integer]),
        deletion("outbox", ["lane": .integer, "sequence": .integer]),
        deletion("assets", ["owner": .bytes, "zone": .integer, "id": .bytes]),
        deletion("removed_assets", ["asset": .integer]),
    ]

    private static func deletion(
        _ table: String,
        _ key: KeyValuePairs<String, TableDescription.ColumnType>
    ) -> RowDeletion {
        RowDeletion(table, of: ["container_id"], by: key)
    }
}
