package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of the operator's look-ups.
package enum AuditTable {
    package static func insert(
        _ record: UserRecordID,
        in container: Int64,
        reason: String,
        at now: Timestamp,
        _ keys: KeyRing,
        _ db: Connection
    ) throws {
        let last = try db.first("SELECT coalesce(max(number), 0) FROM audit") { $0.integer(0) } ?? 0
        let (number, isOver) = last.addingReportingOverflow(1)
        guard !isOver else { throw StorageError(.corrupt) }
        try db.execute(
            "INSERT INTO audit (number, container_id, record_id, sealed_reason, noted_at) VALUES ($1, $2, $3, $4, $5)",
            .integer(number),
            .integer(container),
            .id(record.value),
            .bytes(try keys.sealing.seal(Array(reason.utf8), at: place(of: number))),
            .integer(now.microseconds)
        )
    }

    package static func entries(after number: Int64, limit: Int, _ keys: KeyRing, _ db: Connection) throws
        -> [AuditEntry]
    {
        try db.all(
            """
            SELECT a.number, c.name, a.record_id, a.sealed_reason, a.noted_at FROM audit a
            JOIN containers c ON c.container_id = a.container_id
            WHERE a.number > $1 ORDER BY a.number LIMIT $2
            """,
            .integer(number),
            .integer(Int64(limit))
        ) { row in
            let number = row.integer(0)
            let reason = row.isNull(3) ? nil : try keys.sealing.open(row.bytes(3), at: place(of: number))
            return AuditEntry(
                number: number,
                container: row.text(1),
                userRecordID: row.withBytes(2, RandomID.init(bytes:)).map(UserRecordID.init),
                reason: reason.map { String(decoding: $0, as: UTF8.self) },
                notedAt: Timestamp(microseconds: row.integer(4))
            )
        }
    }

    /// The times at which a person's ID was looked up.
    package static func moments(of record: UserRecordID, in container: Int64, _ db: Connection) throws -> [Timestamp] {
        try db.all(
            "SELECT noted_at FROM audit WHERE container_id = $1 AND record_id = $2 ORDER BY number",
            .integer(container),
            .id(record.value)
        ) { Timestamp(microseconds: $0.integer(0)) }
    }

    private static func place(of number: Int64) -> SealedPlace {
        SealedPlace("audit", "sealed_reason", row: .number(number))
    }
}
