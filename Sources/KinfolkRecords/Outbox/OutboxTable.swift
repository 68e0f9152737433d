package import KinfolkCore
import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage

/// The table of changes of records that wait for a reader. A save writes its row in its own transaction, so a change that is durable
/// is never missed.
///
/// Rows are written only for databases with a registered reader. Each service writes to its own lane, so services that save records
/// at the same time do not wait for each other. A record that two services change has rows in two lanes: it is created before it is
/// changed, and deleted last.
package enum OutboxTable {
    // MARK: Readers

    /// From now on, changes of this database are kept for the reader with this number.
    package static func add(reader: Int64, of place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO outbox_readers (container_id, owner, reader) VALUES ($1, $2, $3)
            ON CONFLICT (container_id, owner, reader) DO NOTHING
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(reader)
        )
    }

    /// Removes a reader. After the last one, the changes that nobody has read are deleted.
    package static func remove(reader: Int64, of place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM outbox_readers WHERE container_id = $1 AND owner = $2 AND reader = $3",
            .integer(place.container),
            .bytes(place.owner),
            .integer(reader)
        )
        try db.execute(
            """
            DELETE FROM outbox WHERE container_id = $1 AND owner = $2
            AND NOT EXISTS (SELECT 1 FROM outbox_readers WHERE container_id = $1 AND owner = $2)
            """,
            .integer(place.container),
            .bytes(place.owner)
        )
    }

    // MARK: Rows

    /// Adds a change, if its database has a reader. It needs no answer of a server, and so no round trip.
    static func add(_ change: RecordChange, lane: Int, _ db: Connection) throws {
        // User records are not subject to queries.
        guard change.type != 0 else { return }
        let kind: OutboxRow.Kind = change.after == nil ? .deleted : change.before == nil ? .created : .changed
        var before: [UInt8]?
        if kind == .deleted, !change.isErasure, let content = change.before?.content {
            before = try change.place.sealing.seal(content.bytes, at: place(of: change.number, in: change.place))
        }
        try db.execute(
            """
            INSERT INTO outbox (container_id, lane, sequence, owner, zone, type, number, kind, sealed_before)
            SELECT $1, $2, coalesce((SELECT max(sequence) FROM outbox WHERE container_id = $1 AND lane = $2), 0) + 1,
                $3, $4, $5, $6, $7, $8
            WHERE EXISTS (SELECT 1 FROM outbox_readers WHERE container_id = $1 AND owner = $3)
            """,
            .integer(change.place.container),
            .integer(Int64(lane)),
            .bytes(change.place.owner),
            .integer(change.place.zone),
            .integer(change.type),
            .integer(change.number),
            .integer(kind.rawValue),
            before.map(Value.bytes) ?? .null
        )
    }

    /// The oldest rows of a lane, of all databases of a container. Rows of deleted zones are left out.
    package static func rows(
        ofLane lane: Int,
        in container: Int64,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> [OutboxRow] {
        let places = ZonePlaces(in: container, keys, db)
        return try db.all(
            """
            SELECT sequence, owner, type, number, kind, sealed_before, zone FROM outbox
            WHERE container_id = $1 AND lane = $2 ORDER BY sequence LIMIT $3
            """,
            .integer(container),
            .integer(Int64(lane)),
            .integer(Int64(limit))
        ) { row -> OutboxRow? in
            guard let place = try places.place(owner: row.bytes(1), zone: row.integer(6)) else { return nil }
            guard let kind = OutboxRow.Kind(rawValue: row.integer(4)) else { throw StorageError(.corrupt) }
            return OutboxRow(
                sequence: row.integer(0),
                owner: place.home.owner,
                type: row.integer(2),
                number: row.integer(3),
                kind: kind,
                before: row.isNull(5) ? nil : try before(row, 5, of: row.integer(3), in: place)
            )
        }.compactMap(\.self)
    }

    /// Seals the next rows of a container again under the newest key, in the order of lanes and their sequences.
    ///
    /// - Returns: The position of the last one; nil if there are no more.
    static func renew(
        in container: Int64,
        after start: (lane: Int64, sequence: Int64),
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> (lane: Int64, sequence: Int64)? {
        let rows = try db.all(
            """
            SELECT lane, sequence, owner, zone, number, sealed_before FROM outbox
            WHERE container_id = $1 AND (lane, sequence) > ($2, $3) ORDER BY lane, sequence LIMIT $4
            """,
            .integer(container),
            .integer(start.lane),
            .integer(start.sequence),
            .integer(Int64(limit))
        ) { row in
            (
                position: (lane: row.integer(0), sequence: row.integer(1)), owner: row.bytes(2), zone: row.integer(3),
                number: row.integer(4), sealed: row.isNull(5) ? nil : row.bytes(5)
            )
        }
        let places = ZonePlaces(in: container, keys, db)
        for row in rows {
            guard let sealed = row.sealed, !keys.sealing.isNewest(sealed),
                let place = try places.place(owner: row.owner, zone: row.zone)
            else { continue }
            let sealedPlace = OutboxTable.place(of: row.number, in: place)
            let content = try place.sealing.open(sealed, at: sealedPlace)
            try db.execute(
                "UPDATE outbox SET sealed_before = $4 WHERE container_id = $1 AND lane = $2 AND sequence = $3",
                .integer(container),
                .integer(row.position.lane),
                .integer(row.position.sequence),
                .bytes(try place.sealing.seal(content, at: sealedPlace))
            )
        }
        return rows.count == limit ? rows.last?.position : nil
    }

    /// Deletes the rows of a lane that were read.
    package static func delete(through sequence: Int64, ofLane lane: Int, in container: Int64, _ db: Connection) throws
    {
        try db.execute(
            "DELETE FROM outbox WHERE container_id = $1 AND lane = $2 AND sequence <= $3",
            .integer(container),
            .integer(Int64(lane)),
            .integer(sequence)
        )
    }

    /// Removes the content of deleted records that a person created, when the person is erased.
    static func forget(_ user: UserRecordID, in place: RecordPlace, _ db: Connection) throws {
        let pageSize = 1_000
        var last: (lane: Int64, sequence: Int64)? = (-1, -1)
        var found: [(lane: Int64, sequence: Int64)] = []
        while let start = last {
            let rows = try db.all(
                """
                SELECT lane, sequence, number, CASE WHEN owner = $2 THEN sealed_before END FROM outbox
                WHERE container_id = $1 AND (lane, sequence) > ($3, $4) ORDER BY lane, sequence LIMIT $5
                """,
                .integer(place.container),
                .bytes(place.owner),
                .integer(start.lane),
                .integer(start.sequence),
                .integer(Int64(pageSize))
            ) { row in
                let position = (lane: row.integer(0), sequence: row.integer(1))
                guard !row.isNull(3) else { return (position: position, isOfUser: false) }
                do {
                    let content = try before(row, 3, of: row.integer(2), in: place)
                    return (position: position, isOfUser: content.creator == user || content.modifier == user)
                } catch let error where KinfolkError(error).code == .storeCorrupt {
                    // The row was edited without the key. It may be about the person.
                    return (position: position, isOfUser: true)
                }
            }
            found += rows.lazy.filter(\.isOfUser).map(\.position)
            last = rows.count == pageSize ? rows.last?.position : nil
        }
        try db.execute(
            "UPDATE outbox SET sealed_before = NULL WHERE container_id = $1 AND lane = $2 AND sequence = $3",
            for: found
        ) { [.integer(place.container), .integer($0.lane), .integer($0.sequence)] }
    }

    /// Throws unless a deleted record's last content can be opened.
    package static func check(_ sealed: [UInt8], of number: Int64, in place: RecordPlace) throws {
        _ = try place.sealing.open(sealed, at: OutboxTable.place(of: number, in: place))
    }

    private static func before(
        _ row: any Statement,
        _ column: Int32,
        of number: Int64,
        in place: RecordPlace
    ) throws -> RecordContent {
        let bytes = try row.withBytes(column) {
            try place.sealing.open($0, at: OutboxTable.place(of: number, in: place))
        }
        guard let content = try RecordContent(bytes, zone: place.zoneName) else { throw StorageError(.corrupt) }
        return content
    }

    private static func place(of number: Int64, in place: RecordPlace) -> SealedPlace {
        SealedPlace("outbox", "sealed_before", row: .number(place.container), .number(number))
    }
}
