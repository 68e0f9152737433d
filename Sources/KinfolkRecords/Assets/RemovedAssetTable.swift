package import KinfolkStorage

/// The table of deleted assets whose chunks are still in the store.
package enum RemovedAssetTable {
    static func insert(_ asset: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "INSERT INTO removed_assets (container_id, asset) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            .integer(container),
            .integer(asset)
        )
    }

    /// Whether a deleted asset still has chunks.
    package static func isEmpty(_ db: Connection) throws -> Bool {
        try db.first("SELECT 1 FROM removed_assets LIMIT 1") { _ in false } ?? true
    }

    /// Deletes the next chunks, of as many assets as fit into a transaction.
    ///
    /// - Returns: How many rows were deleted; nil if none are left.
    static func sweep(_ db: Connection) throws -> Int? {
        var deleted = 0
        while deleted < AssetChunkTable.batchSize, let asset = try next(db) {
            let limit = AssetChunkTable.batchSize - deleted
            let chunks = try AssetChunkTable.delete(atMost: limit, of: asset.number, in: asset.container, db)
            deleted += chunks
            guard chunks < limit else { break }
            let rows = try db.changes(
                "DELETE FROM removed_assets WHERE container_id = $1 AND asset = $2",
                .integer(asset.container),
                .integer(asset.number)
            )
            // In a damaged index, the row might be found again and again.
            guard rows == 1 else { throw StorageError(.corrupt) }
            deleted += 1
        }
        return deleted == 0 ? nil : deleted
    }

    private static func next(_ db: Connection) throws -> (container: Int64, number: Int64)? {
        try db.first("SELECT container_id, asset FROM removed_assets ORDER BY container_id, asset LIMIT 1") {
            ($0.integer(0), $0.integer(1))
        }
    }
}
