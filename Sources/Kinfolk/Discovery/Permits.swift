import KinfolkStorage

/// The permits of a person in a container: how many contacts they may still ask about.
enum Permits {
    /// Spends permits, or throws and spends none.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if so many can never be held,
    ///   ``KinfolkError/Code/requestRateLimited`` if they are not there now.
    static func spend(
        _ count: Int,
        of account: AccountID,
        in container: Int64,
        limit: PermitLimit,
        at now: Timestamp,
        _ db: Connection
    ) throws {
        let capacity = Double(limit.capacity)
        guard Double(count) <= capacity else {
            throw KinfolkError(
                .limitExceeded,
                "\(count) new contacts are more than the \(limit.capacity) permits that a person can hold. "
                    + "Send the book in parts."
            )
        }
        let held = try held(by: account, in: container, limit: limit, at: now, db)
        guard held >= Double(count) else {
            // A rate of nothing has no moment to wait for; a year stands for it.
            let wait = limit.perHour > 0 ? (Double(count) - held) / limit.perHour * 3_600 : 31_536_000
            throw KinfolkError(
                .requestRateLimited,
                "\(count) new contacts need as many permits, and \(Int(held)) are left.",
                retryAfter: min(max(wait, 1), 31_536_000)
            )
        }
        try db.execute(
            """
            INSERT INTO permits (account_id, container_id, permits, counted_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT (account_id, container_id) DO UPDATE
            SET permits = excluded.permits, counted_at = excluded.counted_at
            """,
            .bytes(account.value.bytes),
            .integer(container),
            .real(held - Double(count)),
            .integer(now.microseconds)
        )
    }

    /// What was held when it was last counted, and what was gained since.
    private static func held(
        by account: AccountID,
        in container: Int64,
        limit: PermitLimit,
        at now: Timestamp,
        _ db: Connection
    ) throws -> Double {
        let capacity = Double(limit.capacity)
        let counted = try db.first(
            "SELECT permits, counted_at FROM permits WHERE account_id = $1 AND container_id = $2",
            .bytes(account.value.bytes),
            .integer(container)
        ) { (permits: $0.real(0), at: Timestamp(microseconds: $0.integer(1))) }
        guard let counted else { return capacity }
        // A clock that was set back gains nothing, and counts on from where it is now.
        let gained = max(0, now.seconds(since: counted.at)) / 3_600 * limit.perHour
        return min(capacity, counted.permits + gained)
    }
}
