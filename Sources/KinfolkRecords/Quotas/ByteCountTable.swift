import KinfolkModel
package import KinfolkStorage

/// The table of the bytes of records and assets: of each zone, and of what each person created in the public one.
package enum ByteCountTable {
    /// What a lane of a public database has counted.
    struct Lane {
        let lane: Int
        let bytes: Int
        /// Up to how many bytes it may count.
        let allowance: Int
    }

    /// A count that only an edited store can have, beyond 2^54, is replaced: sums do not overflow.
    package static func add(_ changes: ByteChanges, _ db: Connection) throws {
        for count in changes.withdrawals { try withdrawAllowances(in: count.container, except: count.lane, db) }
        let counts = changes.changes.filter { $0.value != 0 || changes.allowances[$0.key] != nil }
        try db.execute(
            """
            INSERT INTO record_bytes (container_id, owner, zone, kind, lane, bytes, allowance)
            VALUES ($1, $2, $3, $4, $5, $6, coalesce(CAST($7 AS BIGINT), 0))
            ON CONFLICT (container_id, owner, zone, kind, lane) DO UPDATE
            SET bytes = excluded.bytes + CASE WHEN record_bytes.bytes BETWEEN -18014398509481984 AND 18014398509481984
                    THEN record_bytes.bytes ELSE 0 END,
                allowance = coalesce(CAST($7 AS BIGINT), record_bytes.allowance)
            """,
            for: counts
        ) { count, bytes in
            [
                .integer(count.container),
                .bytes(count.owner),
                .integer(count.zone),
                .integer(count.kind.rawValue),
                .integer(Int64(count.lane)),
                .integer(Int64(bytes)),
                changes.allowances[count].map { .integer(Int64($0)) } ?? .null,
            ]
        }
    }

    /// Deletes the count of a zone that is deleted.
    static func delete(zone: Int64, in database: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM record_bytes WHERE container_id = $1 AND owner = $2 AND zone = $3",
            .integer(database.container),
            .bytes(database.owner),
            .integer(zone)
        )
    }

    // MARK: Totals

    /// The bytes of a private database, or of what a user created in the public one.
    static func total(
        _ kind: ByteChanges.Count.Kind,
        of owner: [UInt8],
        in container: Int64,
        _ db: Connection
    ) throws -> Int {
        try db.first(
            """
            SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM record_bytes
            WHERE container_id = $1 AND owner = $2 AND kind = $3
            """,
            .integer(container),
            .bytes(owner),
            .integer(kind.rawValue)
        ) { plausible($0.integer(0)) } ?? 0
    }

    /// The bytes of a custom zone of a private database.
    static func bytes(ofZone place: RecordPlace, _ db: Connection) throws -> Int {
        try db.first(
            """
            SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM record_bytes
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND kind = 0
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone)
        ) { plausible($0.integer(0)) } ?? 0
    }

    /// The bytes of all private databases.
    package static func totalOfPrivateDatabases(in container: Int64, _ db: Connection) throws -> Int {
        try db.first(
            """
            SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM record_bytes
            WHERE container_id = $1 AND kind = 0 AND length(owner) > 0
            """,
            .integer(container)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The bytes of the public database.
    package static func totalOfPublicDatabase(in container: Int64, _ db: Connection) throws -> Int {
        try total(.database, of: [], in: container, db)
    }

    /// Limits a stored count to 2^54: sums of such counts do not overflow, also if the rows were edited.
    fileprivate static func plausible(_ bytes: Int64) -> Int { Int(min(max(bytes, -1 << 54), 1 << 54)) }

    // MARK: The lanes of a public database

    /// One lane; nil if it has counted nothing yet.
    static func lane(_ lane: Int, in container: Int64, _ db: Connection) throws -> Lane? {
        try db.first(
            """
            SELECT lane, bytes, allowance FROM record_bytes
            WHERE container_id = $1 AND owner = $2 AND zone = 0 AND kind = 0 AND lane = $3
            """,
            .integer(container),
            .bytes([]),
            .integer(Int64(lane)),
            read: Lane.init
        )
    }

    static func lanes(in container: Int64, _ db: Connection) throws -> [Lane] {
        try db.all(
            """
            SELECT lane, bytes, allowance FROM record_bytes
            WHERE container_id = $1 AND owner = $2 AND zone = 0 AND kind = 0
            """,
            .integer(container),
            .bytes([]),
            read: Lane.init
        )
    }

    /// Takes the allowances from the lanes: none of them can count more without a new one. A lane in which more was deleted than added
    /// has a negative count.
    static func withdrawAllowances(in container: Int64, except lane: Int = -1, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE record_bytes SET allowance = CASE WHEN bytes < 0 THEN bytes ELSE 0 END
            WHERE container_id = $1 AND owner = $2 AND zone = 0 AND kind = 0 AND lane <> $3
                AND allowance <> CASE WHEN bytes < 0 THEN bytes ELSE 0 END
            """,
            .integer(container),
            .bytes([]),
            .integer(Int64(lane))
        )
    }

    /// Replaces all counts of a container.
    package static func replace(with counts: ByteChanges, in container: Int64, _ db: Connection) throws {
        try db.execute("DELETE FROM record_bytes WHERE container_id = $1", .integer(container))
        try add(counts, db)
    }
}

extension ByteCountTable.Lane {
    fileprivate init(_ row: any Statement) {
        self.init(
            lane: Int(row.integer(0)),
            bytes: ByteCountTable.plausible(row.integer(1)),
            allowance: ByteCountTable.plausible(row.integer(2))
        )
    }
}
