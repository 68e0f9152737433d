package import KinfolkStorage

/// The table of lanes: how many rows each lane of a container's directory has ever had.
package enum DirectoryLaneTable {
    package static func progress(of container: Int64, _ db: Connection) throws -> DirectoryProgress {
        var progress = DirectoryProgress()
        _ = try db.all("SELECT lane, row_count FROM directory_lanes WHERE container_id = $1", .integer(container)) {
            progress.set($0.integer(1), of: $0.integer(0))
        }
        return progress
    }

    /// Takes sequence numbers for `count` new rows. Returns the first one; the others follow it.
    package static func take(_ count: Int, from lane: Int, of container: Int64, _ db: Connection) throws -> Int64 {
        // In a store that was edited without the key, the count may be anything. Then no sequence number is valid.
        let taken = try db.first(
            """
            INSERT INTO directory_lanes (container_id, lane, row_count) VALUES ($1, $2, $3)
            ON CONFLICT (container_id, lane) DO UPDATE SET row_count = directory_lanes.row_count + excluded.row_count
            WHERE directory_lanes.row_count BETWEEN 0 AND $4
            RETURNING row_count
            """,
            .integer(container),
            .integer(Int64(lane)),
            .integer(Int64(count)),
            .integer(DirectoryProgress.maximumCount - Int64(count))
        ) { $0.integer(0) }
        guard let taken else { throw StorageError(.corrupt) }
        return DirectoryProgress.sequence(taken - Int64(count) + 1, of: lane)
    }
}
