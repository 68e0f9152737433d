package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of records.
package enum RecordTable {
    /// The record with this ID; nil if there is none.
    package static func row(_ id: RecordID, in place: RecordPlace, _ db: Connection) throws -> RecordRow? {
        for tags in place.tags {
            let tag = tags.name(id.name, zone: place.zone)
            if let row = try row(tag, named: id.name, isUser: id.user != nil, in: place, db) { return row }
            // The tag of a user record does not depend on a key.
            if id.user != nil { return nil }
        }
        return nil
    }

    /// Whether there is a record with this ID, which is not opened.
    package static func exists(_ id: RecordID, in place: RecordPlace, _ db: Connection) throws -> Bool {
        try place.tags.contains { tags in
            try db.first(
                "SELECT 1 FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND name_tag = $4",
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .tag(tags.name(id.name, zone: place.zone))
            ) { _ in true } ?? false
        }
    }

    private static func row(
        _ tag: Tag,
        named name: String,
        isUser: Bool,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> RecordRow? {
        try db.first(
            """
            SELECT number, type, change_tag, created_at, modified_at, sealed_fields FROM records
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND name_tag = $4
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .tag(tag)
        ) { row -> RecordRow? in
            // Only user records have a user record ID as their tag. If another tag looks like one, that is a coincidence, or somebody
            // has read the tag in the store.
            guard (row.integer(1) == 0) == isUser else { return nil }
            return try RecordTable.row(row, tag, named: name, in: place)
        } ?? nil
    }

    /// A position among the records of a container, in the order of their names' tags.
    package struct Position: Sendable {
        package static let start = Position(owner: [], zone: -1, tag: Tag())

        package let owner: [UInt8]
        package let zone: Int64
        package let tag: Tag
    }

    /// Calls `body` for the next records of a container, of all its databases.
    ///
    /// - Returns: The position of the last one; nil if there are no more.
    package static func forEach(
        in container: Int64,
        after start: Position,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection,
        _ body: (RecordPlace, RecordRow) throws -> Void
    ) throws -> Position? {
        var last = start
        var found: [(place: RecordPlace, row: RecordRow)] = []
        let places = ZonePlaces(in: container, keys, db)
        let rows: [Void] = try db.all(
            """
            SELECT number, type, change_tag, created_at, modified_at, sealed_fields, owner, zone, name_tag FROM records
            WHERE container_id = $1 AND (owner, zone, name_tag) > ($2, $3, $4)
            ORDER BY owner, zone, name_tag LIMIT $5
            """,
            .integer(container),
            .bytes(start.owner),
            .integer(start.zone),
            .tag(start.tag),
            .integer(Int64(limit))
        ) { row in
            guard let tag = row.withBytes(8, Tag.init) else { throw StorageError(.corrupt) }
            last = Position(owner: row.bytes(6), zone: row.integer(7), tag: tag)
            // The rows of a deleted zone are being removed.
            guard let place = try places.place(owner: last.owner, zone: last.zone) else { return }
            found.append((place, try RecordTable.row(row, tag, named: nil, in: place)))
        }
        for (place, row) in found { try body(place, row) }
        return rows.count == limit ? last : nil
    }

    /// - Parameter row: Its first columns are those of ``row(_:_:named:in:)`` and `name_tag`.
    static func row(_ row: any Statement, in place: RecordPlace) throws -> RecordRow {
        guard let tag = row.withBytes(6, Tag.init) else { throw StorageError(.corrupt) }
        return try RecordTable.row(row, tag, named: nil, in: place)
    }

    /// - Parameter row: Its first columns are `number`, `type`, `change_tag`, `created_at`, `modified_at` and `sealed_fields`.
    static func row(
        _ row: any Statement,
        _ tag: Tag,
        named name: String?,
        in place: RecordPlace
    ) throws -> RecordRow {
        guard let changeTag = row.withBytes(2, ChangeTag.init) else { throw StorageError(.corrupt) }
        return try row.withBytes(5) { sealed in
            try RecordRow(
                sealed,
                number: row.integer(0),
                type: row.integer(1),
                changeTag: changeTag,
                times: (Timestamp(microseconds: row.integer(3)), Timestamp(microseconds: row.integer(4))),
                at: tag,
                named: name,
                in: place
            )
        }
    }

    /// Inserts a record, or replaces the row with its number.
    ///
    /// - Parameters:
    ///   - row: The row to replace; nil, or without a number, to insert one.
    ///   - change: The number of the change, 0 in a default zone; nil to keep that of the row.
    /// - Returns: The length of the sealed content.
    package static func save(
        _ content: RecordContent,
        number: Int64,
        over row: RecordRow? = nil,
        type: Int64,
        changeTag: ChangeTag,
        change: Int64?,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> Int {
        let tag = place.tags[0].name(content.name, zone: place.zone)
        let sealed = try place.sealing.seal(content.bytes, at: place.seal(at: tag, type: type))
        let times = (content.createdAt.microseconds, content.modifiedAt.microseconds)
        if row?.number == nil {
            try db.execute(
                """
                INSERT INTO records (number, container_id, owner, zone, name_tag, type, change_tag, created_at, modified_at,
                    change, sealed_fields)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                """,
                .integer(number),
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .tag(tag),
                .integer(type),
                .bytes(changeTag.bytes),
                .integer(times.0),
                .integer(times.1),
                .integer(change ?? 0),
                .bytes(sealed)
            )
        } else if row?.epoch == 0 {
            // The tag is the same, and so its index need not be changed.
            try db.execute(
                """
                UPDATE records SET change_tag = $2, modified_at = $3, change = coalesce($4, change), sealed_fields = $5
                WHERE number = $1
                """,
                .integer(number),
                .bytes(changeTag.bytes),
                .integer(times.1),
                change.map(Value.integer) ?? .null,
                .bytes(sealed)
            )
        } else {
            try db.execute(
                """
                UPDATE records SET name_tag = $2, change_tag = $3, modified_at = $4, change = coalesce($5, change),
                    sealed_fields = $6
                WHERE number = $1
                """,
                .integer(number),
                .tag(tag),
                .bytes(changeTag.bytes),
                .integer(times.1),
                change.map(Value.integer) ?? .null,
                .bytes(sealed)
            )
        }
        return sealed.count
    }

    /// The numbers of the public records that a user created, apart from the user record.
    package static func numbers(createdBy user: UserRecordID, in place: RecordPlace, _ db: Connection) throws -> [Int64]
    {
        try numbers(under: place.tags.map { $0.creator(user) }, in: place, db)
    }

    /// Whether a user created a public record of a type, which one entry tells. User records are not among them.
    static func exists(
        createdBy user: UserRecordID,
        ofType type: Int64,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> Bool {
        try place.tags.contains { tags in
            try db.first(
                """
                SELECT 1 FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 LIMIT 1
                """,
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .tag(tags.creator(user, ofType: type))
            ) { _ in true } ?? false
        }
    }

    /// The numbers of the public records that another user created and this one changed last, apart from user records.
    package static func numbers(changedBy user: UserRecordID, in place: RecordPlace, _ db: Connection) throws -> [Int64]
    {
        try numbers(under: place.tags.map { $0.modifier(user) }, in: place, db)
    }

    private static func numbers(under tags: [Tag], in place: RecordPlace, _ db: Connection) throws -> [Int64] {
        try tags.flatMap { tag in
            try db.all(
                "SELECT number FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4",
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .tag(tag)
            ) { $0.integer(0) }
        }
    }

    /// The record with this number, if it is in this zone.
    ///
    /// The plus signs keep PostgreSQL from reading a zone by another index: while it has no statistics of a new table, that seems as cheap.
    package static func row(number: Int64, in place: RecordPlace, _ db: Connection) throws -> RecordRow? {
        try db.first(
            """
            SELECT number, type, change_tag, created_at, modified_at, sealed_fields, name_tag FROM records
            WHERE number = $1 AND +container_id = $2 AND owner = $3 AND +zone = $4
            """,
            .integer(number),
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone)
        ) { try row($0, in: place) }
    }

    /// The tag of the name of the record with this number.
    static func nameTag(ofNumber number: Int64, in place: RecordPlace, _ db: Connection) throws -> Tag? {
        try db.first(
            "SELECT name_tag FROM records WHERE number = $1 AND +container_id = $2 AND owner = $3 AND +zone = $4",
            .integer(number),
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone)
        ) { $0.withBytes(0, Tag.init) } ?? nil
    }

    /// How many records a private database has, apart from the user record and from deleted zones, whose rows are being removed.
    static func count(ownedBy user: UserRecordID, in container: Int64, _ db: Connection) throws -> Int {
        try db.first(
            """
            SELECT (SELECT count(*) FROM records WHERE container_id = $1 AND owner = $2 AND zone = 0 AND type <> 0)
                + (SELECT CAST(coalesce(sum((
                    SELECT count(*) FROM records r WHERE r.container_id = $1 AND r.owner = $2 AND r.zone = z.zone
                )), 0) AS BIGINT) FROM zones z WHERE z.container_id = $1 AND z.owner = $2)
            """,
            .integer(container),
            .id(user.value)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The numbers and zones of the records of a private database, apart from the user record and the rows of deleted zones, zone by
    /// zone.
    package static func numbers(
        ownedBy user: UserRecordID,
        in container: Int64,
        _ db: Connection
    ) throws -> [(number: Int64, zone: Int64)] {
        try db.all(
            """
            SELECT number, zone FROM records r WHERE container_id = $1 AND owner = $2 AND type <> 0 AND (zone = 0 OR EXISTS
            (SELECT 1 FROM zones z WHERE z.container_id = r.container_id AND z.owner = r.owner AND z.zone = r.zone))
            ORDER BY zone, type, created_at, number
            """,
            .integer(container),
            .id(user.value)
        ) { ($0.integer(0), $0.integer(1)) }
    }

    // MARK: Changes

    /// The number of the last change of a record of a custom zone; nil if there is no such record.
    static func change(of id: RecordID, in place: RecordPlace, _ db: Connection) throws -> Int64? {
        for tags in place.tags {
            let change = try db.first(
                "SELECT change FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND name_tag = $4",
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .tag(tags.name(id.name, zone: place.zone))
            ) { $0.integer(0) }
            if let change { return change }
        }
        return nil
    }

    /// The changes of the next records of a custom zone after one change, with the sizes of their sealed contents, in order.
    static func changes(
        after change: Int64,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [(change: Int64, size: Int)] {
        try db.all(
            """
            SELECT change, length(sealed_fields) FROM records
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND zone > 0 AND change > $4 ORDER BY change LIMIT $5
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(change),
            .integer(Int64(limit))
        ) { ($0.integer(0), Int($0.integer(1))) }
    }

    /// Calls `body` for the records of a custom zone that were changed after one change, up to another, in the order of their changes.
    static func forEachRow(
        changedAfter start: Int64,
        through end: Int64,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection,
        _ body: (RecordRow) throws -> Void
    ) throws {
        try db.forEach(
            """
            SELECT number, type, change_tag, created_at, modified_at, sealed_fields, name_tag FROM records
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND zone > 0 AND change > $4 AND change <= $5
            ORDER BY change, number LIMIT $6
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(start),
            .integer(end),
            .integer(Int64(limit))
        ) {
            try body(row($0, in: place))
            return true
        }
    }

    /// Deletes the record whose name has this tag, without regard to its content.
    package static func delete(named tag: Tag, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND name_tag = $4",
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .tag(tag)
        )
    }

    package static func delete(_ number: Int64, _ db: Connection) throws {
        try db.execute("DELETE FROM records WHERE number = $1", .integer(number))
    }
}
