package import KinfolkStorage

/// The table of the bytes of records: of each database, and of what each person created in the public one.
package enum ByteCountTable {
    package static func add(_ changes: ByteChanges, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO record_bytes (container_id, owner, kind, lane, bytes) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (container_id, owner, kind, lane) DO UPDATE SET bytes = record_bytes.bytes + excluded.bytes
            """,
            for: changes.changes.filter { $0.value != 0 }
        ) { count, bytes in
            [
                .integer(count.container),
                .bytes(count.owner),
                .integer(count.kind.rawValue),
                .integer(Int64(count.lane)),
                .integer(Int64(bytes)),
            ]
        }
    }
}
