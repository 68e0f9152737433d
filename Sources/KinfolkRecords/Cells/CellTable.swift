import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of the cells in which locations are. A row has the exact location, sealed, so that a query opens no record to compare
/// distances.
package enum CellTable {
    /// Inserts entries; those that are there already stay.
    static func insert(_ entries: Set<CellEntry>, of number: Int64, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO cell_entries (container_id, owner, zone, tag, number, sealed_point)
            VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
            """,
            for: entries.sorted { $0.index < $1.index }
        ) { entry in
            let seal = self.place(ofPointIn: entry.index.tag, number, in: place.container)
            return values(of: entry, number, place) + [.bytes(try place.sealing.seal(bytes(of: entry.point), at: seal))]
        }
    }

    static func delete(_ entries: Set<CellEntry>, of number: Int64, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM cell_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 AND number = $5",
            for: entries.sorted { $0.index < $1.index }
        ) { values(of: $0, number, place) }
    }

    private static func values(of entry: CellEntry, _ number: Int64, _ place: RecordPlace) -> [Value] {
        [
            .integer(place.container), .bytes(entry.index.scope.owner), .integer(entry.index.scope.zone),
            .tag(entry.index.tag), .integer(number),
        ]
    }

    /// The sealed location of an entry, as the store has it; nil if there is no such entry.
    package static func sealedPoint(
        of entry: CellEntry,
        _ number: Int64,
        in container: Int64,
        _ db: Connection
    ) throws -> [UInt8]? {
        try db.first(
            """
            SELECT sealed_point FROM cell_entries
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 AND number = $5
            """,
            .integer(container),
            .bytes(entry.index.scope.owner),
            .integer(entry.index.scope.zone),
            .tag(entry.index.tag),
            .integer(number)
        ) { $0.bytes(0) }
    }

    // MARK: Reading

    /// Calls `body` for each entry under one of the tags, in no particular order.
    static func forEach(
        _ tags: [Tag],
        in scope: IndexScope,
        _ db: Connection,
        _ body: (_ number: Int64, _ point: Location) throws -> Void
    ) throws {
        try withKeys(tags) { keys in
            try db.lookUp(
                """
                SELECT tag, number, sealed_point FROM cell_entries
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = ANY($4)
                """,
                .integer(scope.container),
                .bytes(scope.key.owner),
                .integer(scope.key.zone),
                keys: keys
            ) { position, row in
                let number = row.integer(1)
                let point = try row.withBytes(2) { try open($0, tags[position], number, in: scope.place) }
                try body(number, point)
            }
        }
    }

    /// How many entries there are under the tags: exactly, or at least `limit`.
    static func count(_ tags: [Tag], atMost limit: Int, in scope: IndexScope, _ db: Connection) throws -> Int {
        var count = 0
        for tag in tags where count < limit {
            count +=
                try db.first(
                    """
                    SELECT count(*) FROM (SELECT 1 FROM cell_entries
                    WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 LIMIT $5) AS entries
                    """,
                    .integer(scope.container),
                    .bytes(scope.key.owner),
                    .integer(scope.key.zone),
                    .tag(tag),
                    .integer(Int64(limit - count))
                ) { Int($0.integer(0)) } ?? 0
        }
        return count
    }

    private static func withKeys<Result>(_ tags: [Tag], _ body: (KeyList) throws -> Result) rethrows -> Result {
        try tags.withUnsafeBytes { try body(KeyList($0)) }
    }

    // MARK: Points

    /// Where the point of an entry is sealed. The tag says in which scope, field and cell the entry is.
    private static func place(ofPointIn tag: Tag, _ number: Int64, in container: Int64) -> SealedPlace {
        SealedPlace("cell_entries", "sealed_point", row: .number(container), .tag(tag), .number(number))
    }

    /// Latitude and longitude, as their bits.
    private static func bytes(of point: Location) -> [UInt8] {
        withUnsafeBytes(
            of: (point.latitude.bitPattern.littleEndian, point.longitude.bitPattern.littleEndian),
            Array.init
        )
    }

    package static func open(
        _ sealed: UnsafeRawBufferPointer,
        _ tag: Tag,
        _ number: Int64,
        in place: RecordPlace
    ) throws -> Location {
        let bytes = try place.sealing.open(sealed, at: self.place(ofPointIn: tag, number, in: place.container))
        guard bytes.count == 16 else { throw damaged }
        let (latitude, longitude) = bytes.withUnsafeBytes {
            (
                UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        do {
            return try Location(latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude))
        } catch { throw damaged }
    }

    private static var damaged: KinfolkError { KinfolkError.damaged("An entry of an index of locations is not valid.") }
}
