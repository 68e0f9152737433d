package import KinfolkModel
package import KinfolkStorage

/// The table of activity: how many discoveries and refusals each day had.
package enum ActivityTable {
    /// How long the counts of a day are kept.
    private static let kept: Int64 = 400 * 86_400_000_000

    /// Adds to the counts of days. Counts that were edited without the key stay as they are, so that a check still finds them.
    package static func add(_ rows: [Activity.Row], to lane: Int, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO activity (container_id, day, lane, discoveries, refusals)
            SELECT container_id, $2, $3, $4, $5 FROM containers WHERE container_id = $1 AND state = 0
            ON CONFLICT (container_id, day, lane) DO UPDATE
            SET discoveries = activity.discoveries + excluded.discoveries,
                refusals = activity.refusals + excluded.refusals
            WHERE activity.discoveries BETWEEN 0 AND 1099511627776 AND activity.refusals BETWEEN 0 AND 1099511627776
            """,
            for: rows
        ) { row in
            [
                .integer(row.container), .integer(row.day.microseconds), .integer(Int64(lane)),
                .integer(Int64(row.discoveries)), .integer(Int64(row.refusals)),
            ]
        }
    }

    /// Deletes days that are too old to be kept.
    package static func trim(in container: Int64, at now: Timestamp, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM activity WHERE container_id = $1 AND day < $2",
            .integer(container),
            .integer(now.microseconds &- kept)
        )
    }

    /// All days, in order.
    package static func all(in container: Int64, at now: Timestamp, _ db: Connection) throws -> [Activity.Row] {
        var days: [Activity.Row] = []
        _ = try db.all(
            "SELECT day, discoveries, refusals FROM activity WHERE container_id = $1 AND day >= $2 ORDER BY day",
            .integer(container),
            .integer(now.microseconds &- kept)
        ) { row in
            let day = Timestamp(microseconds: row.integer(0))
            if days.last?.day != day {
                days.append(Activity.Row(container: container, day: day, discoveries: 0, refusals: 0))
            }
            // If the file was edited without the key, the values may be anything.
            days[days.count - 1].discoveries &+= Int(min(max(row.integer(1), 0), 1 << 40))
            days[days.count - 1].refusals &+= Int(min(max(row.integer(2), 0), 1 << 40))
        }
        return days
    }
}
