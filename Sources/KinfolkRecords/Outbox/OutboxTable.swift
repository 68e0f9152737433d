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
    /// With so many bytes of deleted records, rows are read no further at once.
    private static let maximumSize = 4_000_000

    // MARK: Readers

    /// From now on, changes of this database are kept. Call this in each transaction that changes what the readers look for.
    package static func noteReaders(of place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO outbox_readers (container_id, owner, stamp) VALUES ($1, $2, $3)
            ON CONFLICT (container_id, owner) DO UPDATE SET stamp = excluded.stamp
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(Int64.random(in: 1...Int64.max))
        )
    }

    /// Stops keeping changes of a database, and deletes those that nobody has read.
    package static func removeReaders(of place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM outbox_readers WHERE container_id = $1 AND owner = $2",
            .integer(place.container),
            .bytes(place.owner)
        )
        try db.execute(
            "DELETE FROM outbox WHERE container_id = $1 AND owner = $2",
            .integer(place.container),
            .bytes(place.owner)
        )
    }

    /// A random number that changes with what the readers of a database look for; nil if there are none.
    package static func stamp(of place: RecordPlace, _ db: Connection) throws -> Int64? {
        try db.first(
            "SELECT stamp FROM outbox_readers WHERE container_id = $1 AND owner = $2",
            .integer(place.container),
            .bytes(place.owner)
        ) { $0.integer(0) }
    }

    // MARK: Rows

    /// Adds a change, if its database has a reader. It needs no answer of a server, and so no round trip.
    ///
    /// - Returns: How many rows this added; nil for a change that no reader wants.
    static func add(_ change: RecordChange, lane: Int, _ db: Connection) throws -> ChangeCount? {
        // User records are not subject to queries.
        guard change.type != 0 else { return nil }
        let kind: OutboxRow.Kind = change.after == nil ? .deleted : change.before == nil ? .created : .changed
        var before: [UInt8]?
        if kind == .deleted, !change.isErasure, let content = change.before?.content {
            before = try change.place.sealing.seal(
                content.bytes,
                at: place(of: change.number, .deleted, type: change.type, in: change.place)
            )
        }
        return try add(
            kind,
            type: change.type,
            number: change.number,
            device: change.device,
            before,
            in: change.place,
            lane: lane,
            db
        )
    }

    /// Adds the making or the deletion of a custom zone, if its database has a reader.
    static func add(_ change: ZoneChange, lane: Int, _ db: Connection) throws -> ChangeCount? {
        let name = try change.database.sealing.seal(
            Array(change.name.utf8),
            at: place(of: change.number, .zone, type: 0, in: change.database)
        )
        return try add(
            .zone,
            type: 0,
            number: change.number,
            device: change.device,
            name,
            in: change.database,
            lane: lane,
            db
        )
    }

    private static func add(
        _ kind: OutboxRow.Kind,
        type: Int64,
        number: Int64,
        device: RandomID?,
        _ before: [UInt8]?,
        in place: RecordPlace,
        lane: Int,
        _ db: Connection
    ) throws -> ChangeCount {
        try db.executeCounting(
            """
            INSERT INTO outbox (container_id, lane, sequence, owner, zone, type, number, kind, origin, stamp, sealed_before)
            SELECT $1, $2, coalesce((SELECT max(sequence) FROM outbox WHERE container_id = $1 AND lane = $2), 0) + 1,
                $3, $4, $5, $6, $7, $8, $9, $10
            WHERE EXISTS (SELECT 1 FROM outbox_readers WHERE container_id = $1 AND owner = $3)
            """,
            .integer(place.container),
            .integer(Int64(lane)),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(type),
            .integer(number),
            .integer(kind.rawValue),
            device.map(Value.id) ?? .bytes([]),
            .integer(Int64.random(in: 1...Int64.max)),
            before.map(Value.bytes) ?? .null
        )
    }

    /// The first row of each lane that has rows, by its stamp.
    package static func lanes(_ db: Connection) throws -> [(container: Int64, lane: Int64, stamp: Int64)] {
        var found: [(container: Int64, lane: Int64, stamp: Int64)] = []
        var last: (container: Int64, lane: Int64) = (-1, -1)
        // Jumps from lane to lane, however many rows each has.
        while let next = try db.first(
            """
            SELECT container_id, lane, stamp FROM outbox WHERE (container_id, lane) > ($1, $2)
            ORDER BY container_id, lane, sequence LIMIT 1
            """,
            .integer(last.container),
            .integer(last.lane),
            read: { (container: $0.integer(0), lane: $0.integer(1), stamp: $0.integer(2)) }
        ) {
            // A damaged index could lead back.
            guard (next.container, next.lane) > last else { throw StorageError(.corrupt) }
            found.append(next)
            last = (next.container, next.lane)
        }
        return found
    }

    /// Whether there are any rows.
    package static func hasRows(_ db: Connection) throws -> Bool {
        try db.first("SELECT 1 FROM outbox LIMIT 1") { _ in true } ?? false
    }

    /// Whether a container has rows in other lanes.
    package static func hasRows(outsideLane lane: Int64, in container: Int64, _ db: Connection) throws -> Bool {
        for sql in [
            "SELECT 1 FROM outbox WHERE container_id = $1 AND lane < $2 LIMIT 1",
            "SELECT 1 FROM outbox WHERE container_id = $1 AND lane > $2 LIMIT 1",
        ] as [StaticString] where try db.first(sql, .integer(container), .integer(lane), read: { _ in true }) != nil {
            return true
        }
        return false
    }

    /// The next rows of a lane, of all databases of a container: at most `limit`, and fewer if their contents are large.
    ///
    /// - Returns: The rows, without those of deleted zones, and the places and stamps of all.
    package static func rows(
        ofLane lane: Int64,
        in container: Int64,
        after sequence: Int64 = 0,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> (rows: [OutboxRow], all: [(sequence: Int64, stamp: Int64)]) {
        let places = ZonePlaces(in: container, keys, db)
        var all: [(sequence: Int64, stamp: Int64)] = []
        struct Read {
            let sequence, type, number, stamp, reached, zone: Int64
            let owner: [UInt8]
            let kind: OutboxRow.Kind
            let origin: RandomID?
            let sealed: [UInt8]?
        }
        var (read, size): ([Read], Int) = ([], 0)
        try db.forEach(
            """
            SELECT sequence, owner, type, number, kind, sealed_before, zone, origin, stamp, reached FROM outbox
            WHERE container_id = $1 AND lane = $2 AND sequence > $3 ORDER BY sequence LIMIT $4
            """,
            .integer(container),
            .integer(lane),
            .integer(sequence),
            .integer(Int64(limit))
        ) { row in
            all.append((row.integer(0), row.integer(8)))
            // A row that was edited tells nothing.
            guard let kind = OutboxRow.Kind(rawValue: row.integer(4)) else { return true }
            let sealed = row.isNull(5) ? nil : row.bytes(5)
            size += sealed?.count ?? 0
            let one = Read(
                sequence: row.integer(0),
                type: row.integer(2),
                number: row.integer(3),
                stamp: row.integer(8),
                reached: row.integer(9),
                zone: row.integer(6),
                owner: row.bytes(1),
                kind: kind,
                origin: row.withBytes(7, RandomID.init(bytes:)),
                sealed: sealed
            )
            read.append(one)
            return size < maximumSize
        }
        let rows = try read.compactMap { row -> OutboxRow? in
            guard let place = try unlessDamaged({ try places.place(owner: row.owner, zone: row.zone) }) ?? nil else {
                return nil
            }
            // Nor does one whose content was edited without the key.
            let content = try row.sealed.flatMap { sealed in
                try unlessDamaged {
                    try place.sealing.open(
                        sealed,
                        at: OutboxTable.place(of: row.number, row.kind, type: row.type, in: place)
                    )
                }
            }
            return OutboxRow(
                lane: lane,
                sequence: row.sequence,
                stamp: row.stamp,
                place: place,
                type: row.type,
                number: row.number,
                kind: row.kind,
                origin: row.origin,
                reached: row.reached,
                before: row.kind == .deleted
                    ? try content.flatMap { bytes in
                        try unlessDamaged { try RecordContent(bytes, zone: place.zoneName) } ?? nil
                    } : nil,
                zoneName: row.kind == .zone ? content.map { String(decoding: $0, as: UTF8.self) } : nil
            )
        }
        return (rows, all)
    }

    private static func unlessDamaged<Result>(_ body: () throws -> Result) throws -> Result? {
        do { return try body() } catch let error where KinfolkError(error).code == .storeCorrupt { return nil }
    }

    /// The lane of another service that still has the row of the record's creation; nil if no lane has it.
    package static func creation(of row: OutboxRow, _ db: Connection) throws -> Int64? {
        try db.first(
            "SELECT lane FROM outbox WHERE container_id = $1 AND number = $2 AND kind = 0 AND lane <> $3",
            .integer(row.place.container),
            .integer(row.number),
            .integer(row.lane)
        ) { $0.integer(0) }
    }

    /// Whether a row is there.
    package static func has(
        _ row: (sequence: Int64, stamp: Int64),
        inLane lane: Int64,
        in container: Int64,
        _ db: Connection
    ) throws -> Bool {
        try db.first(
            "SELECT 1 FROM outbox WHERE container_id = $1 AND lane = $2 AND sequence = $3 AND stamp = $4",
            .integer(container),
            .integer(lane),
            .integer(row.sequence),
            .integer(row.stamp)
        ) { _ in true } ?? false
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
            SELECT lane, sequence, owner, zone, number, sealed_before, kind, type FROM outbox
            WHERE container_id = $1 AND (lane, sequence) > ($2, $3) ORDER BY lane, sequence LIMIT $4
            """,
            .integer(container),
            .integer(start.lane),
            .integer(start.sequence),
            .integer(Int64(limit))
        ) { row in
            (
                position: (lane: row.integer(0), sequence: row.integer(1)), owner: row.bytes(2), zone: row.integer(3),
                number: row.integer(4), sealed: row.isNull(5) ? nil : row.bytes(5),
                kind: OutboxRow.Kind(rawValue: row.integer(6)), type: row.integer(7)
            )
        }
        let places = ZonePlaces(in: container, keys, db)
        for row in rows {
            guard let sealed = row.sealed, let kind = row.kind, !keys.sealing.isNewest(sealed),
                let place = try places.place(owner: row.owner, zone: row.zone)
            else { continue }
            let sealedPlace = OutboxTable.place(of: row.number, kind, type: row.type, in: place)
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

    /// Deletes rows that were read.
    ///
    /// - Returns: How many of them were there. If some were not, somebody else has read them too.
    package static func delete(
        _ rows: some Sequence<(sequence: Int64, stamp: Int64)>,
        ofLane lane: Int64,
        in container: Int64,
        _ db: Connection
    ) throws -> Int {
        try db.changes(
            "DELETE FROM outbox WHERE container_id = $1 AND lane = $2 AND sequence = $3 AND stamp = $4",
            for: rows
        ) { [.integer(container), .integer(lane), .integer($0.sequence), .integer($0.stamp)] }
    }

    /// Notes how far the subscriptions were notified of a change.
    ///
    /// - Returns: Whether the row was there, as it was read.
    package static func note(reached: Int64, of row: OutboxRow, _ db: Connection) throws -> Bool {
        try db.changes(
            """
            UPDATE outbox SET reached = $5
            WHERE container_id = $1 AND lane = $2 AND sequence = $3 AND stamp = $4 AND reached = $6
            """,
            .integer(row.place.container),
            .integer(row.lane),
            .integer(row.sequence),
            .integer(row.stamp),
            .integer(reached),
            .integer(row.reached)
        ) == 1
    }

    /// Removes the content of deleted records that a person created, when the person is erased.
    static func forget(_ user: UserRecordID, in place: RecordPlace, _ db: Connection) throws {
        let pageSize = 1_000
        var last: (lane: Int64, sequence: Int64)? = (-1, -1)
        var found: [(lane: Int64, sequence: Int64)] = []
        while let start = last {
            let rows = try db.all(
                """
                SELECT lane, sequence, number, CASE WHEN owner = $2 AND kind = 2 THEN sealed_before END, type
                FROM outbox
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
                    let content = try before(row, 3, of: row.integer(2), type: row.integer(4), in: place)
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
            "UPDATE outbox SET sealed_before = NULL, stamp = $4 WHERE container_id = $1 AND lane = $2 AND sequence = $3",
            for: found
        ) {
            // With a new stamp, a reader that has already read the content starts again.
            [
                .integer(place.container), .integer($0.lane), .integer($0.sequence),
                .integer(Int64.random(in: 1...Int64.max)),
            ]
        }
    }

    /// Throws unless a deleted record's last content can be opened.
    package static func check(
        _ sealed: [UInt8],
        of number: Int64,
        kind: Int64,
        type: Int64,
        in place: RecordPlace
    ) throws {
        guard let kind = OutboxRow.Kind(rawValue: kind) else { throw StorageError(.corrupt) }
        _ = try place.sealing.open(sealed, at: OutboxTable.place(of: number, kind, type: type, in: place))
    }

    private static func before(
        _ row: any Statement,
        _ column: Int32,
        of number: Int64,
        type: Int64,
        in place: RecordPlace
    ) throws -> RecordContent {
        let bytes = try row.withBytes(column) {
            try place.sealing.open($0, at: OutboxTable.place(of: number, .deleted, type: type, in: place))
        }
        guard let content = try RecordContent(bytes, zone: place.zoneName) else { throw StorageError(.corrupt) }
        return content
    }

    /// Where what a row keeps is sealed. The row's rights follow from its owner, zone and type, and so these are part of it.
    private static func place(
        of number: Int64,
        _ kind: OutboxRow.Kind,
        type: Int64,
        in place: RecordPlace
    ) -> SealedPlace {
        SealedPlace(
            "outbox",
            "sealed_before",
            row: .number(place.container),
            .bytes(place.owner),
            .number(place.zone),
            .number(type),
            .number(number),
            .number(kind.rawValue)
        )
    }
}
