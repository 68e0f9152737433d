import KinfolkStorage

/// The table of permits: how many a person held in a container when they were last counted.
enum PermitTable {
    struct Count {
        /// What is held now: what was counted, and what was gained since.
        let permits: Double
        /// Whether it was last counted by a clock that was ahead of this moment.
        let isAhead: Bool
    }

    static func count(
        of holder: PermitLeases.Holder,
        limit: PermitLimit,
        at now: Timestamp,
        _ db: Connection
    ) throws -> Count {
        let counted = try db.first(
            "SELECT permits, counted_at FROM permits WHERE account_id = $1 AND container_id = $2",
            .id(holder.account.value),
            .integer(holder.container)
        ) { (permits: $0.real(0), at: Timestamp(microseconds: $0.integer(1))) }
        guard let counted else { return Count(permits: Double(limit.capacity), isAhead: false) }
        let permits = held(counted.permits, countedAt: counted.at, limit: limit, at: now)
        return Count(permits: permits, isAhead: counted.at > now)
    }

    /// What is held now of so many permits that were counted before.
    static func held(_ permits: Double, countedAt: Timestamp, limit: PermitLimit, at now: Timestamp) -> Double {
        // A clock that was set back gains nothing, and counts on from where it is now.
        let gained = max(0, now.seconds(since: countedAt)) / 3_600 * limit.perHour
        let held = permits + gained
        // Of a file that was written from outside it may be anything, or no number.
        return held > 0 ? min(Double(limit.capacity), held) : 0
    }

    static func set(_ permits: Double, of holder: PermitLeases.Holder, at now: Timestamp, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO permits (account_id, container_id, permits, counted_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id, container_id) DO UPDATE
            SET permits = excluded.permits, counted_at = excluded.counted_at
            """,
            .id(holder.account.value),
            .integer(holder.container),
            .real(permits),
            .integer(now.microseconds)
        )
    }

    /// Adds to what was counted. More than can be held is cut off when it is counted again.
    static func giveBack(_ permits: Int, to holder: PermitLeases.Holder, _ db: Connection) throws {
        try db.execute(
            "UPDATE permits SET permits = permits + $3 WHERE account_id = $1 AND container_id = $2",
            .id(holder.account.value),
            .integer(holder.container),
            .real(Double(permits))
        )
    }
}
