package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of assets: their keys, and what is known of their files.
package enum AssetTable {
    /// The asset with this ID; nil if there is none.
    package static func row(_ id: RandomID, in place: RecordPlace, _ db: Connection) throws -> AssetRow? {
        try db.first(
            """
            SELECT id, number, expires_at, bytes, sealed_asset FROM assets
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .id(id)
        ) { try row($0, in: place) }
    }

    private static func row(_ row: any Statement, in place: RecordPlace) throws -> AssetRow {
        guard let id = row.withBytes(0, RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
        return try row.withBytes(4) { sealed in
            AssetRow(
                id: id,
                number: row.integer(1),
                expiresAt: row.integer(2) == 0 ? nil : Timestamp(microseconds: row.integer(2)),
                bytes: plausible(row.integer(3)),
                content: try open(sealed, id, in: place)
            )
        }
    }

    /// Opens the sealed part of a row.
    package static func open(
        _ sealed: UnsafeRawBufferPointer,
        _ id: RandomID,
        in place: RecordPlace
    ) throws -> AssetContent {
        var content = try place.sealing.open(sealed, at: seal(at: id, in: place))
        return try AssetContent(wiping: &content)
    }

    /// The length of a sealed asset.
    static func sealedLength(_ content: AssetContent) -> Int { SealingKey.sealedLength(of: content.bytes.count) }

    // MARK: Writing

    static func insert(_ row: AssetRow, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO assets (container_id, owner, zone, id, number, creator_tag, expires_at, bytes, sealed_asset)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .id(row.id),
            .integer(row.number),
            .bytes(creatorTag(row.content, in: place)),
            .integer(row.expiresAt?.microseconds ?? 0),
            .integer(Int64(row.bytes)),
            .bytes(try sealed(row.content, row.id, in: place))
        )
    }

    /// Notes that chunks were added to an upload.
    static func add(_ bytes: Int, to id: RandomID, expiresAt: Timestamp, in place: RecordPlace, _ db: Connection) throws
    {
        try db.execute(
            """
            UPDATE assets SET bytes = bytes + $5, expires_at = $6
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .id(id),
            .integer(Int64(bytes)),
            .integer(expiresAt.microseconds)
        )
    }

    /// Replaces the sealed content of an asset.
    static func update(_ content: AssetContent, of id: RandomID, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE assets SET sealed_asset = $5, creator_tag = $6
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .id(id),
            .bytes(try sealed(content, id, in: place)),
            .bytes(creatorTag(content, in: place))
        )
    }

    /// Notes that records name assets. This writes to each row also if nothing changes in it: on a server, a transaction that deletes the
    /// asset at the same time must fail.
    static func noteNamed(_ ids: some Sequence<RandomID>, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "UPDATE assets SET expires_at = 0 WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4",
            for: ids
        ) { [.integer(place.container), .bytes(place.owner), .integer(place.zone), .id($0)] }
    }

    /// Whether a record names an asset.
    package static func isNamed(_ id: RandomID, in place: RecordPlace, _ db: Connection) throws -> Bool {
        try place.tags.contains { tags in
            try !ReferenceTable.sources(of: tags.asset(id), .asset, limit: 1, in: place, db).isEmpty
        }
    }

    /// Deletes an asset: its key at once, its chunks afterwards.
    static func delete(_ row: AssetRow, in place: RecordPlace, _ db: Connection) throws {
        try RemovedAssetTable.insert(row.number, in: place.container, db)
        try delete(row.id, in: place, db)
    }

    /// Deletes an asset that no record names any more, with its chunks if they are few. Otherwise they are deleted afterwards.
    ///
    /// - Parameter limit: The most chunks that are deleted now.
    /// - Returns: How many were deleted, at most `limit`: then more may be left. And what is counted no more.
    static func delete(
        unnamed id: RandomID,
        chunksAtMost limit: Int,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> (chunks: Int, bytes: Int, creator: UserRecordID?)? {
        let found: (number: Int64, bytes: Int, creator: UserRecordID?)?
        if place.database == .public {
            found = try row(id, in: place, db).map { ($0.number, $0.bytes, $0.content.countedCreator) }
        } else {
            // Nothing that is sealed is needed, and opening a key takes time.
            found = try db.first(
                "SELECT number, bytes FROM assets WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4",
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .id(id)
            ) { ($0.integer(0), plausible($0.integer(1)), nil) }
        }
        guard let found else { return nil }
        var chunks = 0
        if limit > 0, found.bytes <= limit * ChunkKey.chunkLength {
            chunks = try AssetChunkTable.delete(atMost: limit, of: found.number, in: place.container, db)
        }
        if chunks == limit || chunks == 0 { try RemovedAssetTable.insert(found.number, in: place.container, db) }
        try delete(id, in: place, db)
        return (chunks, found.bytes, found.creator)
    }

    /// Limited, so that sums do not overflow if the row was edited.
    private static func plausible(_ bytes: Int64) -> Int { Int(min(max(bytes, 0), 1 << 54)) }

    private static func delete(_ id: RandomID, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM assets WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4",
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .id(id)
        )
    }

    /// Deletes an asset that cannot be opened, or whose ID has another length.
    static func deleteUnread(_ id: [UInt8], in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO removed_assets (container_id, asset)
            SELECT container_id, number FROM assets
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4 ON CONFLICT DO NOTHING
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .bytes(id)
        )
        try db.execute(
            "DELETE FROM assets WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4",
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .bytes(id)
        )
    }

    private static func sealed(_ content: AssetContent, _ id: RandomID, in place: RecordPlace) throws -> [UInt8] {
        var bytes = content.bytes
        defer { bytes.withUnsafeMutableBytes(wipe) }
        return try place.sealing.seal(bytes, at: seal(at: id, in: place))
    }

    private static func creatorTag(_ content: AssetContent, in place: RecordPlace) -> [UInt8] {
        content.creator.map { place.tags[0].creator($0).bytes } ?? []
    }

    private static func seal(at id: RandomID, in place: RecordPlace) -> SealedPlace {
        SealedPlace(
            "assets",
            "sealed_asset",
            row: .number(place.container),
            .bytes(place.owner),
            .number(place.zone),
            .tag(id.tag)
        )
    }

    // MARK: Many assets

    /// A position among the assets of a container.
    package struct Position: Sendable {
        package static let start = Position(owner: [], zone: -1, id: RandomID(tag: Tag()))

        let owner: [UInt8]
        let zone: Int64
        let id: RandomID

        func precedes(_ other: Position) -> Bool {
            guard owner == other.owner else { return owner.lexicographicallyPrecedes(other.owner) }
            return zone == other.zone ? id < other.id : zone < other.zone
        }
    }

    /// Calls `body` for the next assets of a container, of all its databases.
    ///
    /// - Returns: The position of the last one; nil if there are no more.
    package static func forEach(
        in container: Int64,
        after start: Position,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection,
        _ body: (RecordPlace, AssetRow, _ isNewest: Bool) throws -> Void
    ) throws -> Position? {
        var last = start
        let places = ZonePlaces(in: container, keys, db)
        var found: [(place: RecordPlace, row: AssetRow, isNewest: Bool)] = []
        let rows: [Void] = try db.all(
            """
            SELECT id, number, expires_at, bytes, sealed_asset, owner, zone FROM assets
            WHERE container_id = $1 AND (owner, zone, id) > ($2, $3, $4) ORDER BY owner, zone, id LIMIT $5
            """,
            .integer(container),
            .bytes(start.owner),
            .integer(start.zone),
            .id(start.id),
            .integer(Int64(limit))
        ) { row in
            guard let id = row.withBytes(0, RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
            let position = Position(owner: row.bytes(5), zone: row.integer(6), id: id)
            // In a damaged index, the pages could form an endless cycle.
            guard last.precedes(position) else { throw StorageError(.corrupt) }
            last = position
            // The rows of a deleted zone are being removed.
            guard let place = try places.place(owner: last.owner, zone: last.zone) else { return }
            found.append((place, try AssetTable.row(row, in: place), place.sealing.isNewest(row.bytes(4))))
        }
        for (place, row, isNewest) in found { try body(place, row, isNewest) }
        return rows.count == limit ? last : nil
    }

    /// Seals the next assets of a container again under the newest key. Their chunks stay as they are.
    static func renew(
        in container: Int64,
        after start: Position,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> Position? {
        try forEach(in: container, after: start, limit: limit, keys, db) { place, row, isNewest in
            if !isNewest { try update(row.content, of: row.id, in: place, db) }
        }
    }

    /// An upload in the public database or in a private one, as its row names it.
    struct Expiring {
        let expiresAt: Int64
        let container: Int64
        let owner: [UInt8]
        let zone: Int64
        let id: [UInt8]

        /// Before all uploads.
        static let start = Expiring(expiresAt: 0, container: 0, owner: [], zone: 0, id: [])

        /// Whether it is before another upload in the order in which they expire.
        func precedes(_ other: Expiring) -> Bool {
            if expiresAt != other.expiresAt { return expiresAt < other.expiresAt }
            if container != other.container { return container < other.container }
            if owner != other.owner { return owner.lexicographicallyPrecedes(other.owner) }
            if zone != other.zone { return zone < other.zone }
            return id.lexicographicallyPrecedes(other.id)
        }
    }

    /// The next assets that no record has named in time.
    static func expired(
        at now: Timestamp,
        after last: Expiring = .start,
        limit: Int,
        _ db: Connection
    ) throws -> [Expiring] {
        try db.all(
            """
            SELECT expires_at, container_id, owner, zone, id FROM assets
            WHERE expires_at > 0 AND expires_at <= $1
                AND (expires_at, container_id, owner, zone, id) > ($2, $3, $4, $5, $6)
            ORDER BY expires_at, container_id, owner, zone, id LIMIT $7
            """,
            .integer(now.microseconds),
            .integer(last.expiresAt),
            .integer(last.container),
            .bytes(last.owner),
            .integer(last.zone),
            .bytes(last.id),
            .integer(Int64(limit))
        ) { row in
            Expiring(
                expiresAt: row.integer(0),
                container: row.integer(1),
                owner: row.bytes(2),
                zone: row.integer(3),
                id: row.bytes(4)
            )
        }
    }

    /// The IDs of the assets that a user uploaded to the public database, as they are in the rows.
    static func ids(createdBy user: UserRecordID, in place: RecordPlace, _ db: Connection) throws -> [[UInt8]] {
        try place.tags.flatMap { tags in
            try db.all(
                "SELECT id FROM assets WHERE container_id = $1 AND creator_tag = $2",
                .integer(place.container),
                .tag(tags.creator(user))
            ) { $0.bytes(0) }
        }
    }

    /// Lets the chunks of all assets of a private database be deleted. Their rows are deleted with the user.
    package static func removeChunks(ofOwner user: UserRecordID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO removed_assets (container_id, asset)
            SELECT container_id, number FROM assets WHERE container_id = $1 AND owner = $2
            ON CONFLICT DO NOTHING
            """,
            .integer(container),
            .id(user.value)
        )
    }

    /// Deletes the next assets of a deleted zone.
    ///
    /// - Returns: How many there were.
    static func delete(atMost limit: Int, of zone: RemovedZoneTable.Unswept, _ db: Connection) throws -> Int {
        let rows = try db.all(
            """
            SELECT id, number FROM assets WHERE container_id = $1 AND owner = $2 AND zone = $3 ORDER BY id LIMIT $4
            """,
            .integer(zone.container),
            .bytes(zone.owner),
            .integer(zone.zone),
            .integer(Int64(limit))
        ) { (id: $0.bytes(0), number: $0.integer(1)) }
        for row in rows { try RemovedAssetTable.insert(row.number, in: zone.container, db) }
        try db.execute(
            "DELETE FROM assets WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4",
            for: rows
        ) { [.integer(zone.container), .bytes(zone.owner), .integer(zone.zone), .bytes($0.id)] }
        return rows.count
    }

    /// Counts the bytes of an asset again, and corrects its row.
    package static func recount(_ row: AssetRow, in place: RecordPlace, _ db: Connection) throws -> Int {
        let chunks = try AssetChunkTable.total(of: row.number, in: place.container, db).bytes
        let bytes = chunks + sealedLength(row.content)
        if bytes != row.bytes {
            try db.execute(
                "UPDATE assets SET bytes = $5 WHERE container_id = $1 AND owner = $2 AND zone = $3 AND id = $4",
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .id(row.id),
                .integer(Int64(bytes))
            )
        }
        return bytes
    }

    /// How many files the records of a container name, and how many bytes they have when they are sealed.
    package static func total(in container: Int64, _ db: Connection) throws -> (count: Int, bytes: Int) {
        try db.first(
            """
            SELECT count(*), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM assets
            WHERE container_id = $1 AND expires_at = 0
            """,
            .integer(container)
        ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }
}
