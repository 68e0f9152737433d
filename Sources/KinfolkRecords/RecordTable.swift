package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The tables of user records and of the types of their fields.
package enum RecordTable {
    /// The tag of a record that was never saved.
    private static let firstTag = [UInt8](repeating: 0, count: 8)

    /// The record with this ID, empty if it was never saved; nil if nobody in the container has the ID.
    package static func record(
        _ id: UserRecordID,
        _ database: Database,
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> Record? {
        try db.first(
            """
            SELECT u.created_at, r.change_tag, r.sealed_fields, r.modified_at FROM users u
            LEFT JOIN records r
            ON r.container_id = u.container_id AND r.record_id = u.record_id AND r.is_private = $3
            WHERE u.container_id = $1 AND u.record_id = $2
            """,
            .integer(container),
            .id(id.value),
            .integer(Int64(database.rawValue))
        ) { row in
            let wasSaved = !row.isNull(1)
            let place = place(of: id, database, in: container)
            return Record(
                id: id,
                database: database,
                container: container,
                changeTag: Hexadecimal.text(wasSaved ? row.bytes(1) : firstTag),
                createdAt: Timestamp(microseconds: row.integer(0)),
                modifiedAt: Timestamp(microseconds: row.integer(wasSaved ? 3 : 0)),
                fields: wasSaved
                    ? try FieldReader.fields(row.withBytes(2) { try keys.sealing.open($0, at: place) }) : Fields()
            )
        }
    }

    /// Opens the sealed fields of a record.
    package static func open(
        _ sealed: [UInt8],
        of id: UserRecordID,
        _ database: Database,
        in container: Int64,
        _ keys: ContainerKeys
    ) throws -> Fields {
        try FieldReader.fields(keys.sealing.open(sealed, at: place(of: id, database, in: container)))
    }

    package static func save(
        _ fields: [UInt8],
        tag: [UInt8],
        as id: UserRecordID,
        _ database: Database,
        in container: Int64,
        at now: Timestamp,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO records (container_id, record_id, is_private, change_tag, sealed_fields, modified_at)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (container_id, record_id, is_private) DO UPDATE
            SET change_tag = excluded.change_tag, sealed_fields = excluded.sealed_fields,
                modified_at = excluded.modified_at
            """,
            .integer(container),
            .id(id.value),
            .integer(Int64(database.rawValue)),
            .bytes(tag),
            .bytes(try keys.sealing.seal(fields, at: place(of: id, database, in: container))),
            .integer(now.microseconds)
        )
    }

    /// The IDs of the records that were saved, a page at a time.
    package static func saved(
        in container: Int64,
        after last: RandomID?,
        limit: Int,
        _ db: Connection
    ) throws -> [UserRecordID] {
        let rows = try db.all(
            """
            SELECT DISTINCT record_id FROM records WHERE container_id = $1 AND record_id > $2
            ORDER BY record_id LIMIT $3
            """,
            .integer(container),
            .bytes(last?.bytes ?? []),
            .integer(Int64(limit))
        ) { $0.withBytes(0, RandomID.init(bytes:)) }
        return rows.compactMap { $0.map(UserRecordID.init) }
    }

    // MARK: The schema of a container

    /// The type of a field, given by its first use.
    package static func type(ofField name: String, in container: Int64, _ db: Connection) throws -> FieldType? {
        let number = try db.first(
            "SELECT type FROM fields WHERE container_id = $1 AND name = $2",
            .integer(container),
            .text(name)
        ) { $0.integer(0) }
        return number.flatMap { FieldType(rawValue: UInt8(truncatingIfNeeded: $0)) }
    }

    /// The maximum number of fields in a container's schema, to which any of its users may add some.
    private static let maximumFields = 1_000

    package static func addField(_ name: String, _ type: FieldType, in container: Int64, _ db: Connection) throws {
        let count = try db.first("SELECT count(*) FROM fields WHERE container_id = $1", .integer(container)) {
            $0.integer(0)
        }
        guard (count ?? 0) < RecordTable.maximumFields else {
            throw KinfolkError(.limitExceeded, "A container has at most \(maximumFields) fields in its records.")
        }
        try db.execute(
            "INSERT INTO fields (container_id, name, type) VALUES ($1, $2, $3)",
            .integer(container),
            .text(name),
            .integer(Int64(type.rawValue))
        )
    }

    /// Removes a field from the schema. Returns whether it existed.
    package static func removeField(_ name: String, in container: Int64, _ db: Connection) throws -> Bool {
        try db.changes(
            "DELETE FROM fields WHERE container_id = $1 AND name = $2",
            .integer(container),
            .text(name)
        ) > 0
    }

    private static func place(of id: UserRecordID, _ database: Database, in container: Int64) -> SealedPlace {
        SealedPlace(
            "records",
            "sealed_fields",
            row: .number(container),
            .tag(id.value.tag),
            .bytes([UInt8(truncatingIfNeeded: database.rawValue)])
        )
    }
}
