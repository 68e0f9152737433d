import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
import KinfolkStorage

/// The table of deleted records of custom zones, for readers that have not seen the deletion yet.
package enum TombstoneTable {
    /// A deleted record.
    struct Row {
        let change: Int64
        let record: DeletedRecord
        /// The device that deleted a record of a reserved zone.
        let device: RandomID?
    }

    static func insert(
        _ record: DeletedRecord,
        by device: RandomID?,
        change: Int64,
        deletion: Int64,
        at now: Timestamp,
        in place: RecordPlace,
        _ db: Connection
    ) throws {
        let tag = place.tags[0].name(record.id.name, zone: place.zone)
        try db.execute(
            """
            INSERT INTO tombstones (container_id, owner, zone, change, deletion, name_tag, deleted_at, sealed_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(change),
            .integer(deletion),
            .tag(tag),
            .integer(now.microseconds),
            .bytes(
                try place.sealing.seal(
                    content(of: record, place.isReserved ? device : nil),
                    at: self.place(of: deletion, tag, in: place)
                )
            )
        )
    }

    /// Deletes the tombstone of a record that is made again.
    static func delete(_ name: String, in place: RecordPlace, _ db: Connection) throws {
        for tags in place.tags {
            try db.execute(
                "DELETE FROM tombstones WHERE container_id = $1 AND owner = $2 AND zone = $3 AND name_tag = $4",
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .tag(tags.name(name, zone: place.zone))
            )
        }
    }

    /// The changes of the next tombstones after one change, in their order.
    static func changes(after change: Int64, limit: Int, in place: RecordPlace, _ db: Connection) throws -> [Int64] {
        try db.all(
            """
            SELECT change FROM tombstones WHERE container_id = $1 AND owner = $2 AND zone = $3 AND change > $4
            ORDER BY change, deletion LIMIT $5
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(change),
            .integer(Int64(limit))
        ) { $0.integer(0) }
    }

    /// The tombstones after one change, up to another.
    static func all(
        after start: Int64,
        through end: Int64,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [Row] {
        try db.all(
            """
            SELECT change, deletion, name_tag, sealed_id FROM tombstones
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND change > $4 AND change <= $5
            ORDER BY change, deletion LIMIT $6
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(start),
            .integer(end),
            .integer(Int64(limit))
        ) { row in
            guard let tag = row.withBytes(2, Tag.init) else { throw StorageError(.corrupt) }
            let (record, device) = try row.withBytes(3) { try open($0, deletion: row.integer(1), tag, in: place) }
            return Row(change: row.integer(0), record: record, device: device)
        }
    }

    /// Deletes the oldest tombstones that need not be kept any more.
    ///
    /// - Parameters:
    ///   - limit: The most rows to delete.
    ///   - deletion: The last deletion that may go.
    ///   - moment: Tombstones of later deletions are kept,
    ///   - end: unless the deletion is among those up to this one.
    static func purge(
        atMost limit: Int,
        through deletion: Int64,
        before moment: Timestamp,
        orThrough end: Int64,
        in place: RecordPlace,
        _ db: Connection
    ) throws {
        guard deletion > 0 else { return }
        let oldest = try db.all(
            """
            SELECT change, deletion, deleted_at FROM tombstones WHERE container_id = $1 AND owner = $2 AND zone = $3
            ORDER BY change, deletion LIMIT $4
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(Int64(limit))
        ) { (change: $0.integer(0), deletion: $0.integer(1), at: $0.integer(2)) }
        // Stops at the first one that must be kept: a gap would hide deletions from a reader without an error.
        let old = oldest.prefix { $0.deletion <= deletion && ($0.at < moment.microseconds || $0.deletion <= end) }
        guard let last = old.last else { return }
        try db.execute(
            """
            DELETE FROM tombstones WHERE container_id = $1 AND owner = $2 AND zone = $3
            AND (change < $4 OR change = $4 AND deletion <= $5)
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(last.change),
            .integer(last.deletion)
        )
        try ZoneTable.note(forgotten: last.change, in: place, db)
    }

    // MARK: Rotation

    /// Seals the next tombstones of a container again under the newest key, with their tags.
    ///
    /// - Returns: The position of the last one; nil if there are no more.
    static func renew(
        in container: Int64,
        after start: Position,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> Position? {
        let rows = try db.all(
            """
            SELECT owner, zone, change, deletion, name_tag, sealed_id FROM tombstones
            WHERE container_id = $1 AND (owner, zone, change, deletion) > ($2, $3, $4, $5)
            ORDER BY owner, zone, change, deletion LIMIT $6
            """,
            .integer(container),
            .bytes(start.owner),
            .integer(start.zone),
            .integer(start.change),
            .integer(start.deletion),
            .integer(Int64(limit))
        ) { row in
            let position = Position(
                owner: row.bytes(0),
                zone: row.integer(1),
                change: row.integer(2),
                deletion: row.integer(3)
            )
            return (position: position, tag: row.withBytes(4, Tag.init), sealed: row.bytes(5))
        }
        let places = ZonePlaces(in: container, keys, db)
        for row in rows where !keys.sealing.isNewest(row.sealed) {
            let position = row.position
            guard let place = try places.place(owner: position.owner, zone: position.zone) else { continue }
            guard let tag = row.tag else { throw StorageError(.corrupt) }
            let (record, device) = try row.sealed.withUnsafeBytes {
                try open($0, deletion: position.deletion, tag, in: place)
            }
            let newTag = place.tags[0].name(record.id.name, zone: place.zone)
            let sealed = try place.sealing.seal(
                content(of: record, device),
                at: self.place(of: position.deletion, newTag, in: place)
            )
            try db.execute(
                """
                UPDATE tombstones SET name_tag = $6, sealed_id = $7
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND change = $4 AND deletion = $5
                """,
                .integer(container),
                .bytes(place.owner),
                .integer(place.zone),
                .integer(position.change),
                .integer(position.deletion),
                .tag(newTag),
                .bytes(sealed)
            )
        }
        return rows.count == limit ? rows.last?.position : nil
    }

    /// The position of a tombstone among those of a container.
    struct Position: Sendable {
        static let start = Position(owner: [], zone: -1, change: -1, deletion: -1)

        let owner: [UInt8]
        let zone: Int64
        let change: Int64
        let deletion: Int64
    }

    // MARK: Content

    /// The sealed content: the record name and the record type, each after its length (one byte); in reserved zones also the device, as a
    /// third name.
    private static func content(of record: DeletedRecord, _ device: RandomID?) -> [UInt8] {
        var writer = FieldWriter(capacity: 64)
        writer.append(name: record.id.name)
        writer.append(name: record.type)
        if let device { writer.append(name: device.hex) }
        return writer.bytes
    }

    /// Opens the sealed content of a row.
    package static func open(
        _ sealed: UnsafeRawBufferPointer,
        deletion: Int64,
        _ tag: Tag,
        in place: RecordPlace
    ) throws -> (record: DeletedRecord, device: RandomID?) {
        guard let epoch = place.sealing.index(of: sealed) else { throw CryptoError.notAuthentic }
        let bytes = try place.sealing.open(sealed, at: self.place(of: deletion, tag, in: place))
        let (name, type, device) = try FieldReader.names(bytes)
        guard place.tags[epoch].name(name, zone: place.zone) == tag else {
            throw KinfolkError.damaged("A tombstone does not belong to the row in which it is stored.")
        }
        let record = DeletedRecord(id: RecordID(valid: name, zone: place.zoneName), type: type)
        return (record, device.flatMap { RandomID(hex: $0) })
    }

    private static func place(of deletion: Int64, _ tag: Tag, in place: RecordPlace) -> SealedPlace {
        SealedPlace(
            "tombstones",
            "sealed_id",
            row: .number(place.container),
            .bytes(place.owner),
            .number(deletion),
            .tag(tag)
        )
    }
}
