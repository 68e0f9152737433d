package import KinfolkStorage

/// The table of row counts of private directories, by lane.
package enum DirectoryCountTable {
    /// The count of each lane. It may be negative: the service that deletes a row need not be the one that added it.
    package static func all(of epoch: UInt32, in container: Int64, _ db: Connection) throws -> [Int64: Int] {
        var counts: [Int64: Int] = [:]
        _ = try db.all(
            "SELECT lane, row_count FROM directory_counts WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch))
        ) { row in
            // If the store was edited without the key, the value may be anything.
            counts[row.integer(0)] = Int(min(max(row.integer(1), -(1 << 40)), 1 << 40))
        }
        return counts
    }

    package static func total(of epoch: UInt32, in container: Int64, _ db: Connection) throws -> Int {
        min(max(0, try all(of: epoch, in: container, db).values.reduce(0, &+)), 1 << 48)
    }

    /// Adds to the count of a lane and returns its new value.
    package static func add(
        _ difference: Int,
        to lane: Int,
        of epoch: UInt32,
        in container: Int64,
        _ db: Connection
    ) throws -> Int {
        let before = try db.first(
            "SELECT row_count FROM directory_counts WHERE container_id = $1 AND epoch = $2 AND lane = $3",
            .integer(container),
            .integer(Int64(epoch)),
            .integer(Int64(lane))
        ) { Int(min(max($0.integer(0), -(1 << 40)), 1 << 40)) }
        let count = (before ?? 0) + difference
        try db.execute(
            """
            INSERT INTO directory_counts (container_id, epoch, lane, row_count) VALUES ($1, $2, $3, $4)
            ON CONFLICT (container_id, epoch, lane) DO UPDATE SET row_count = excluded.row_count
            """,
            .integer(container),
            .integer(Int64(epoch)),
            .integer(Int64(lane)),
            .integer(Int64(count))
        )
        return count
    }

    package static func delete(_ epoch: UInt32, of container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM directory_counts WHERE container_id = $1 AND epoch = $2",
            .integer(container),
            .integer(Int64(epoch))
        )
    }
}
