import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of references that keep or delete their targets, of parents, and of the assets that records name. A row names its target by the tag of the target's name,
/// so that it finds a target that does not exist yet, or exists again. The tag is under the key that seals the source.
package enum ReferenceTable {
    /// How a record refers to the target of a row.
    package enum Kind: Int64, Sendable {
        case parent = 0
        case deleteSelf = 1
        case validate = 2
        /// The target is the tag of an asset, and not that of a name.
        case asset = 3

        init(_ kind: BackReference.Kind) {
            switch kind {
            case .parent: self = .parent
            case .deleteSelf: self = .deleteSelf
            case .validate: self = .validate
            }
        }
    }

    /// What a record refers to.
    package struct Entry: Hashable, Comparable, Sendable {
        package let target: Tag
        package let kind: Kind

        package static func < (left: Entry, right: Entry) -> Bool {
            (left.target, left.kind.rawValue) < (right.target, right.kind.rawValue)
        }
    }

    /// A record that refers to another one.
    package struct Source: Sendable {
        package let number: Int64
        /// The tag of its name.
        package let tag: Tag
        /// The number of its record type.
        package let type: Int64
    }

    /// The rows of a record.
    ///
    /// - Parameter tags: The tags under the key that seals the record.
    package static func entries(of content: RecordContent, _ tags: RecordTags, in place: RecordPlace) -> Set<Entry> {
        var entries: Set<Entry> = []
        for (target, kind) in content.targets {
            entries.insert(Entry(target: tags.name(target, zone: place.zone), kind: Kind(kind)))
        }
        for asset in content.assets { entries.insert(Entry(target: tags.asset(asset.id), kind: .asset)) }
        return entries
    }

    package static func insert(_ entries: Set<Entry>, of source: Int64, in place: RecordPlace, _ db: Connection) throws
    {
        try db.execute(
            """
            INSERT INTO record_references (container_id, owner, zone, target, kind, source) VALUES ($1, $2, $3, $4, $5, $6)
            """,
            for: entries.sorted()
        ) { values(of: $0, source, in: place) }
    }

    package static func delete(_ entries: Set<Entry>, of source: Int64, in place: RecordPlace, _ db: Connection) throws
    {
        try db.execute(
            """
            DELETE FROM record_references
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND target = $4 AND kind = $5 AND source = $6
            """,
            for: entries.sorted()
        ) { values(of: $0, source, in: place) }
    }

    package static func has(_ entry: Entry, of source: Int64, in place: RecordPlace, _ db: Connection) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM record_references
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND target = $4 AND kind = $5 AND source = $6
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .tag(entry.target),
            .integer(entry.kind.rawValue),
            .integer(source)
        ) { _ in true } ?? false
    }

    /// Deletes the rows of records that were deleted although their contents could not be read. It looks at all rows of the zone.
    static func deleteRest(in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM record_references WHERE container_id = $1 AND owner = $2 AND zone = $3
            AND NOT EXISTS (SELECT 1 FROM records r WHERE r.number = record_references.source)
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone)
        )
    }

    // MARK: The sources of a target

    /// The next sources of a target, in the order of their numbers.
    ///
    /// - Parameter tag: The tag of the target's name under one of the keys. A source is found under its own key only.
    static func sources(
        of tag: Tag,
        _ kind: Kind,
        after number: Int64 = 0,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [Source] {
        try db.all(
            """
            SELECT r.number, r.name_tag, r.type FROM record_references x JOIN records r ON r.number = x.source
            WHERE x.container_id = $1 AND x.owner = $2 AND x.zone = $3 AND x.target = $4 AND x.kind = $5 AND x.source > $6
            ORDER BY x.source LIMIT $7
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .tag(tag),
            .integer(kind.rawValue),
            .integer(number),
            .integer(Int64(limit))
        ) { row in try source(row, 0) }
    }

    /// How many sources are deleted with a target, at most `limit`.
    static func deletedSourceCount(of tag: Tag, limit: Int, in place: RecordPlace, _ db: Connection) throws -> Int {
        try db.first(
            """
            SELECT count(*) FROM (SELECT 1 FROM record_references
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND target = $4 AND kind = 1 LIMIT $5) AS sources
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .tag(tag),
            .integer(Int64(limit))
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Whether one of these targets has a source that needs it.
    static func isNeeded(anyOf tags: [Tag], in place: RecordPlace, _ db: Connection) throws -> Bool {
        var isNeeded = false
        try tags.withUnsafeBytes { bytes in
            try db.lookUp(
                """
                SELECT target, count(*) FROM record_references
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND kind = 2 AND target = ANY($4) GROUP BY target
                """,
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                keys: KeyList(bytes)
            ) { _, _ in isNeeded = true }
        }
        return isNeeded
    }

    private static func source(_ row: any Statement, _ column: Int32) throws -> Source {
        guard let tag = row.withBytes(column + 1, Tag.init) else { throw StorageError(.corrupt) }
        return Source(number: row.integer(column), tag: tag, type: row.integer(column + 2))
    }

    private static func values(of entry: Entry, _ source: Int64, in place: RecordPlace) -> [Value] {
        [
            .integer(place.container), .bytes(place.owner), .integer(place.zone), .tag(entry.target),
            .integer(entry.kind.rawValue), .integer(source),
        ]
    }
}

extension RecordContent {
    /// The assets in all fields. One that is named twice is listed twice.
    package var assets: [Asset] {
        var assets: [Asset] = []
        for value in fields.values { assets += value.assets }
        return assets
    }

    /// The targets of the references that delete or need them, and the parent. A target that is named twice is listed twice.
    package var targets: [(name: String, kind: BackReference.Kind)] {
        var targets: [(String, BackReference.Kind)] = []
        if let parent { targets.append((parent.name, .parent)) }
        for value in fields.values {
            for reference in value.references {
                switch reference.action {
                case .none: break
                case .deleteSelf: targets.append((reference.target.name, .deleteSelf))
                case .validate: targets.append((reference.target.name, .validate))
                }
            }
        }
        return targets
    }
}
