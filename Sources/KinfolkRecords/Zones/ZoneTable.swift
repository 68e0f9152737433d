import KinfolkCore
package import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage

/// The table of the custom zones of private databases.
package enum ZoneTable {
    /// The zone with this name, as a place for records; nil if there is none.
    package static func place(named name: String, in database: RecordPlace, _ db: Connection) throws -> RecordPlace? {
        for tags in database.tags {
            let tag = tags.zone(name)
            let place = try db.first(
                "SELECT zone, sealed_zone FROM zones WHERE container_id = $1 AND owner = $2 AND name_tag = $3",
                .integer(database.container),
                .bytes(database.owner),
                .tag(tag)
            ) { row in try self.place(row, tag, in: database) }
            guard let place else { continue }
            guard place.zoneName == name else { throw misplaced }
            return place
        }
        return nil
    }

    /// The zone with this number, as a place for records; nil if there is none.
    package static func place(number: Int64, in database: RecordPlace, _ db: Connection) throws -> RecordPlace? {
        try db.first(
            "SELECT zone, sealed_zone, name_tag FROM zones WHERE container_id = $1 AND owner = $2 AND zone = $3",
            .integer(database.container),
            .bytes(database.owner),
            .integer(number)
        ) { row in
            guard let tag = row.withBytes(2, Tag.init) else { throw StorageError(.corrupt) }
            return try place(row, tag, in: database)
        }
    }

    private static func place(_ row: any Statement, _ tag: Tag, in database: RecordPlace) throws -> RecordPlace {
        let number = row.integer(0)
        var content = try row.withBytes(1) { sealed in
            try database.keys.sealing.open(sealed, at: place(of: number, tag, in: database))
        }
        let (name, key) = try ZoneContent.open(wiping: &content)
        return try RecordPlace(zone: number, named: name, key, in: database)
    }

    /// The zone in a row. Its columns are `zone`, `sealed_zone`, `name_tag`, `change`, `deletions` and `forgotten`.
    private static func zone(_ row: any Statement, in database: RecordPlace) throws -> Zone {
        guard let tag = row.withBytes(2, Tag.init) else { throw StorageError(.corrupt) }
        return try row.withBytes(1) { sealed in
            try zone(
                sealed,
                number: row.integer(0),
                tag,
                change: row.integer(3),
                deletions: row.integer(4),
                forgotten: row.integer(5),
                in: database
            )
        }
    }

    /// Opens the sealed part of a row.
    package static func zone(
        _ sealed: UnsafeRawBufferPointer,
        number: Int64,
        _ tag: Tag,
        change: Int64,
        deletions: Int64,
        forgotten: Int64,
        in database: RecordPlace
    ) throws -> Zone {
        guard let epoch = database.keys.sealing.index(of: sealed) else { throw CryptoError.notAuthentic }
        var content = try database.keys.sealing.open(sealed, at: place(of: number, tag, in: database))
        let name = try ZoneContent.name(wiping: &content)
        guard database.tags[epoch].zone(name) == tag else { throw misplaced }
        return Zone(number: number, name: name, change: change, deletions: deletions, forgotten: forgotten)
    }

    /// The zone with this name; nil if there is none.
    static func zone(named name: String, in database: RecordPlace, _ db: Connection) throws -> Zone? {
        for tags in database.tags {
            let zone = try db.first(
                """
                SELECT zone, sealed_zone, name_tag, change, deletions, forgotten FROM zones
                WHERE container_id = $1 AND owner = $2 AND name_tag = $3
                """,
                .integer(database.container),
                .bytes(database.owner),
                .tag(tags.zone(name))
            ) { try self.zone($0, in: database) }
            if let zone { return zone }
        }
        return nil
    }

    /// All zones of a database, in the order in which they were made.
    package static func all(of database: RecordPlace, _ db: Connection) throws -> [Zone] {
        try db.all(
            """
            SELECT zone, sealed_zone, name_tag, change, deletions, forgotten FROM zones
            WHERE container_id = $1 AND owner = $2 ORDER BY zone
            """,
            .integer(database.container),
            .bytes(database.owner)
        ) { try zone($0, in: database) }
    }

    /// The next zones of a container, of all its databases, with the tags of their names.
    static func positions(
        in container: Int64,
        after start: RowPosition,
        limit: Int,
        _ db: Connection
    ) throws -> [(owner: [UInt8], number: Int64, tag: Tag)] {
        try db.all(
            """
            SELECT owner, zone, name_tag FROM zones
            WHERE container_id = $1 AND (owner, zone) > ($2, $3) ORDER BY owner, zone LIMIT $4
            """,
            .integer(container),
            .bytes(start.owner),
            .integer(start.number),
            .integer(Int64(limit))
        ) { row in
            guard let tag = row.withBytes(2, Tag.init) else { throw StorageError(.corrupt) }
            return (row.bytes(0), row.integer(1), tag)
        }
    }

    static func count(in database: RecordPlace, _ db: Connection) throws -> Int {
        try db.first(
            "SELECT count(*) FROM zones WHERE container_id = $1 AND owner = $2",
            .integer(database.container),
            .bytes(database.owner)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// How many records of a zone were deleted; nil if there is no such zone.
    static func deletions(in place: RecordPlace, _ db: Connection) throws -> Int64? {
        let count = try db.first(
            "SELECT deletions FROM zones WHERE container_id = $1 AND owner = $2 AND zone = $3",
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone)
        ) { $0.integer(0) }
        guard count.map((0..<Int64.max / 2).contains) ?? true else {
            throw KinfolkError.damaged("The number of deletions in a zone is not valid.")
        }
        return count
    }

    // MARK: Writing

    /// Inserts a new zone.
    static func insert(_ name: String, number: Int64, in database: RecordPlace, _ db: Connection) throws {
        var content = ZoneContent.new(named: name)
        defer { content.withUnsafeMutableBytes(wipe) }
        let tag = database.tags[0].zone(name)
        try db.execute(
            """
            INSERT INTO zones (container_id, owner, zone, name_tag, change, deletions, forgotten, sealed_zone)
            VALUES ($1, $2, $3, $4, $3, 0, 0, $5)
            """,
            .integer(database.container),
            .bytes(database.owner),
            .integer(number),
            .tag(tag),
            .bytes(try database.keys.sealing.seal(content, at: place(of: number, tag, in: database)))
        )
    }

    /// Notes the last change of a zone.
    static func note(change: Int64, deletions: Int64, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE zones SET change = $4, deletions = deletions + $5
            WHERE container_id = $1 AND owner = $2 AND zone = $3
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(change),
            .integer(deletions)
        )
    }

    /// Notes that the tombstones of changes up to this one were purged, or some of them.
    static func note(forgotten change: Int64, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "UPDATE zones SET forgotten = $4 WHERE container_id = $1 AND owner = $2 AND zone = $3 AND forgotten < $4",
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(change)
        )
    }

    static func delete(_ number: Int64, in database: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM zones WHERE container_id = $1 AND owner = $2 AND zone = $3",
            .integer(database.container),
            .bytes(database.owner),
            .integer(number)
        )
    }

    /// Seals the next zones of a container again under the newest key, with their tags.
    ///
    /// - Returns: The position of the last one; nil if there are no more.
    static func renew(
        in container: Int64,
        after start: RowPosition,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> RowPosition? {
        let rows = try db.all(
            """
            SELECT owner, zone, sealed_zone, name_tag FROM zones
            WHERE container_id = $1 AND (owner, zone) > ($2, $3) ORDER BY owner, zone LIMIT $4
            """,
            .integer(container),
            .bytes(start.owner),
            .integer(start.number),
            .integer(Int64(limit))
        ) { row in
            (
                position: RowPosition(owner: row.bytes(0), number: row.integer(1)), sealed: row.bytes(2),
                tag: row.withBytes(3, Tag.init)
            )
        }
        for row in rows where !keys.sealing.isNewest(row.sealed) {
            guard let tag = row.tag else { throw StorageError(.corrupt) }
            let database = try RecordPlace(ofOwner: row.position.owner, in: container, keys)
            let number = row.position.number
            var content = try keys.sealing.open(row.sealed, at: place(of: number, tag, in: database))
            defer { content.withUnsafeMutableBytes(wipe) }
            var copy = content
            let newTag = database.tags[0].zone(try ZoneContent.name(wiping: &copy))
            try db.execute(
                "UPDATE zones SET name_tag = $4, sealed_zone = $5 WHERE container_id = $1 AND owner = $2 AND zone = $3",
                .integer(container),
                .bytes(database.owner),
                .integer(number),
                .tag(newTag),
                .bytes(try keys.sealing.seal(content, at: place(of: number, newTag, in: database)))
            )
        }
        return rows.count == limit ? rows.last?.position : nil
    }

    /// Where a zone is sealed.
    private static func place(of number: Int64, _ tag: Tag, in database: RecordPlace) -> SealedPlace {
        SealedPlace(
            "zones",
            "sealed_zone",
            row: .number(database.container),
            .bytes(database.owner),
            .number(number),
            .tag(tag)
        )
    }

    private static var misplaced: KinfolkError {
        KinfolkError.damaged("A zone does not belong to the row in which it is stored.")
    }
}
