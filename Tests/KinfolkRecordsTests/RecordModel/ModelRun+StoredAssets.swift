import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Compares the tables of assets with the model, when the chunks of deleted assets are removed.
extension ModelRun {
    /// Compares all assets and uploads, and how many rows their chunks and their records have.
    ///
    /// - Parameter bytes: The counts of bytes, to which those of the assets are added.
    func checkAssets(
        of container: Container,
        _ keys: ContainerKeys,
        _ bytes: inout [String: Int],
        _ db: Connection
    ) throws {
        var found: [String: Int] = [:]
        var position: AssetTable.Position? = .start
        while let start = position {
            position = try AssetTable.forEach(in: container.number, after: start, limit: 100, keys, db) {
                place,
                row,
                _ in
                let (content, zone) = (row.content, "\(place.owner) \(place.zoneName)")
                let id = content.file == nil ? nil : row.id
                found[name(of: id, in: zone, content.creator, row.bytes, until: row.expiresAt), default: 0] += 1
                bytes["\(place.owner) \(place.zone) 0", default: 0] += row.bytes
                guard place.database == .public, let creator = content.creator else { return }
                bytes["\(creator.value.bytes) 0 1", default: 0] += row.bytes
            }
        }
        var expected: [String: Int] = [:]
        var rows = ["asset_chunks": 0, "record_references": 0, "removed_assets": 0]
        for (place, assets) in model.assets where place.home.environment == container.environment {
            let zone = "\(place.home.owner?.value.bytes ?? []) \(place.zone)"
            for asset in assets.values {
                let id = asset.file?.id
                expected[name(of: id, in: zone, asset.uploader, asset.bytes, until: asset.expiresAt), default: 0] += 1
                rows["asset_chunks", default: 0] += asset.chunks
            }
        }
        for (place, records) in model.records where place.home.environment == container.environment {
            for record in records.values { rows["record_references", default: 0] += record.assets.count }
        }
        try compare(found, expected, "assets")
        try compare(assetRows(of: container, db), rows, "rows of assets")
    }

    private func name(
        of asset: RandomID?,
        in zone: String,
        _ uploader: UserRecordID?,
        _ bytes: Int,
        until end: Timestamp?
    ) -> String {
        let (id, user) = (asset?.hex ?? "an upload", uploader?.description ?? "nobody")
        return "\(id) in \(zone) by \(user), \(bytes) bytes, until \(end.map(\.description) ?? "its last record goes")"
    }

    private func assetRows(of container: Container, _ db: Connection) throws -> [String: Int] {
        func count(_ sql: StaticString) throws -> Int {
            try db.first(sql, .integer(container.number)) { Int($0.integer(0)) } ?? 0
        }
        return [
            "asset_chunks": try count("SELECT count(*) FROM asset_chunks WHERE container_id = $1"),
            "record_references": try count(
                "SELECT count(*) FROM record_references WHERE container_id = $1 AND kind = 3"
            ),
            "removed_assets": try count("SELECT count(*) FROM removed_assets WHERE container_id = $1"),
        ]
    }
}
