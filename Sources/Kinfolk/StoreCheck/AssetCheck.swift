import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

extension StoreChecker {
    /// Opens all assets with their chunks, and compares their sizes, hashes and counts with them.
    ///
    /// - Returns: Whether all could be opened. Otherwise the bytes of some are not known.
    func checkAssets(_ zones: CheckedZones, _ bytes: inout ByteCountCheck) throws -> Bool {
        var (assets, chunks) = (0, 0)
        try forEachRow(of: "assets") { row in
            guard let place = try zones.place(of: row) else { return }
            let id = RandomID(tag: try row.tag("id"))
            guard let asset = try AssetTable.row(id, in: place, db) else { throw StorageError(.corrupt) }
            assets += 1
            bytes.note(asset, in: place)
            let total = try AssetChunkTable.total(of: asset.number, in: place.container, db)
            chunks += total.count
            if try total.bytes + row.bytes("sealed_asset").count != asset.bytes { found(.miscounted, in: "assets") }
            let isNamed = try AssetTable.isNamed(id, in: place, db)
            if asset.isNamed, !isNamed { found(.unexpected, in: "assets") }
            if !asset.isNamed, isNamed { found(.changed, in: "assets") }
            try attempt("asset_chunks") { try checkChunks(of: asset, count: total.count, in: place) }
        }
        guard try assets + zones.rowsToRemove(in: "assets") == rowCount(of: "assets") else { return false }
        // Their chunks are going to be deleted.
        let doomed = try StoreCheckTable.removedAssetsThatExist(db)
        if doomed > 0 { found(.unexpected, in: "removed_assets", doomed) }
        let removed = try StoreCheckTable.chunksOfRemovedAssets(db)
        let more = rowCount(of: "asset_chunks") - chunks - removed
        if more > 0, try zones.rowsToRemove(in: "assets") == 0 { found(.unexpected, in: "asset_chunks", more) }
        return true
    }

    /// Opens the chunks of an asset. Of an upload, the number of chunks is not known.
    private func checkChunks(of asset: AssetRow, count: Int, in place: RecordPlace) throws {
        guard let keys = try keys(of: place.container), let file = asset.content.file else { return }
        guard count == ChunkKey.chunkCount(ofSize: file.size) else { throw KinfolkError.damaged("Chunks are missing.") }
        var hash = SHA256()
        try AssetFiles(in: place.container, keys, db).forEachPiece(of: asset) { piece throws(KinfolkError) in
            piece.withUnsafeBytes { hash.update($0) }
        }
        if hash.finish() != file.sha256 { found(.changed, in: "assets") }
    }
}
