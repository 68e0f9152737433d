import KinfolkStorage

/// The table of activity: how many discoveries and refusals each day had.
enum ActivityTable {
    /// How long a day is kept.
    private static let kept: Int64 = 400 * 86_400_000_000

    static func add(_ rows: [Activity.Row], _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO activity (container_id, day, discoveries, refusals) VALUES ($1, $2, $3, $4)
            ON CONFLICT (container_id, day) DO UPDATE
            SET discoveries = activity.discoveries + excluded.discoveries,
                refusals = activity.refusals + excluded.refusals
            """,
            for: rows
        ) { row in
            [
                .integer(row.container), .integer(row.day.microseconds), .integer(Int64(row.discoveries)),
                .integer(Int64(row.refusals)),
            ]
        }
        for row in rows {
            try db.execute(
                "DELETE FROM activity WHERE container_id = $1 AND day < $2",
                .integer(row.container),
                .integer(row.day.microseconds &- kept)
            )
        }
    }

    /// In the order of the days.
    static func all(in container: Int64, _ db: Connection) throws -> [Activity.Row] {
        try db.all(
            "SELECT day, discoveries, refusals FROM activity WHERE container_id = $1 ORDER BY day",
            .integer(container)
        ) { row in
            // Of a file that was written from outside they may be anything.
            Activity.Row(
                container: container,
                day: Timestamp(microseconds: row.integer(0)),
                discoveries: Int(min(max(row.integer(1), 0), 1 << 40)),
                refusals: Int(min(max(row.integer(2), 0), 1 << 40))
            )
        }
    }
}
