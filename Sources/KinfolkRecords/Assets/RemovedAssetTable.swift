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

    /// Deletes the next chunks.
    ///
    /// - Returns: How many rows were deleted; nil if none are left.
    static func sweep(_ db: Connection) throws -> Int? {
        let asset = try db.first(
            "SELECT container_id, asset FROM removed_assets ORDER BY container_id, asset LIMIT 1"
        ) { (container: $0.integer(0), number: $0.integer(1)) }
        guard let asset else { return nil }
        let deleted = try AssetChunkTable.delete(of: asset.number, in: asset.container, db)
        guard deleted < AssetChunkTable.batchSize else { return deleted }
        try db.execute(
            "DELETE FROM removed_assets WHERE container_id = $1 AND asset = $2",
            .integer(asset.container),
            .integer(asset.number)
        )
        return deleted + 1
    }
}
