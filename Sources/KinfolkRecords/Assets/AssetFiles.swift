package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The files of a container's assets, in one transaction, without regard to sessions.
package struct AssetFiles {
    private let container: Int64
    private let keys: ContainerKeys
    private let db: Connection

    package init(in container: Int64, _ service: Service, _ db: Connection) throws {
        try self.init(in: container, service.keys(ofContainer: container, in: db), db)
    }

    package init(in container: Int64, _ keys: ContainerKeys, _ db: Connection) {
        (self.container, self.keys, self.db) = (container, keys, db)
    }

    /// Calls `body` with the pieces of an asset of a record.
    package func forEachPiece(
        of asset: Asset,
        in record: Record,
        _ body: ([UInt8]) throws(KinfolkError) -> Void
    ) throws {
        let database = RecordPlace(ofPrivate: record.state?.home.owner, in: container, keys)
        let place =
            asset.zone == RecordID.defaultZone ? database : try ZoneTable.place(named: asset.zone, in: database, db)
        guard let place, let row = try AssetTable.row(asset.id, in: place, db), row.holds(asset) else {
            throw KinfolkError.damaged("The file of an asset is missing.")
        }
        try forEachPiece(of: row, body)
    }

    /// Calls `body` with the chunks of a complete asset, opened and without padding.
    package func forEachPiece(of row: AssetRow, _ body: ([UInt8]) throws(KinfolkError) -> Void) throws {
        guard let file = row.content.file else { return }
        let count = ChunkKey.chunkCount(ofSize: file.size)
        for chunk in 0..<count {
            try AssetChunkTable.forEach(chunk..<chunk + 1, of: row.number, in: container, db) { number, sealed in
                var bytes = try row.open(sealed, number, isLast: chunk == count - 1)
                bytes.removeLast(bytes.count - min(bytes.count, file.size - chunk * ChunkKey.chunkLength))
                try body(bytes)
            }
        }
    }
}
