package import KinfolkStorage

/// The table of the bytes of records: of each zone, and of what each person created in the public one.
package enum ByteCountTable {
    package static func add(_ changes: ByteChanges, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO record_bytes (container_id, owner, zone, kind, lane, bytes) VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (container_id, owner, zone, kind, lane) DO UPDATE SET bytes = record_bytes.bytes + excluded.bytes
            """,
            for: changes.changes.filter { $0.value != 0 }
        ) { count, bytes in
            [
                .integer(count.container),
                .bytes(count.owner),
                .integer(count.zone),
                .integer(count.kind.rawValue),
                .integer(Int64(count.lane)),
                .integer(Int64(bytes)),
            ]
        }
    }

    /// Deletes the count of a zone that is deleted.
    static func delete(zone: Int64, in database: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM record_bytes WHERE container_id = $1 AND owner = $2 AND zone = $3",
            .integer(database.container),
            .bytes(database.owner),
            .integer(zone)
        )
    }
}
