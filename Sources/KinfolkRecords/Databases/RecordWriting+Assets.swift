import KinfolkAccounts
import KinfolkModel
import KinfolkStorage

/// The assets of the records that are saved.
extension RecordWriting {
    /// Reads the assets that saves add to their records. A server answers all of it at once.
    mutating func readAssets(of requests: [RecordRequest]) throws {
        let named = try requests.flatMap { request in
            let named = request.assets
            let known = named.isEmpty ? [] : try knownAssets(of: rows[request.id])
            return named.filter { !known.contains($0) }.map { (asset: $0, zone: request.id.zone) }
        }
        guard !named.isEmpty else { return }
        let db = transaction.db
        try db.askAhead {
            for (asset, zone) in named {
                guard let place = try transaction.place(ofZone: zone) else { continue }
                _ = try AssetTable.row(asset.id, in: place, db)
            }
        }
        for (asset, zone) in named where assets[asset] == nil {
            guard let place = try transaction.place(ofZone: zone) else { continue }
            assets[asset] = try AssetTable.row(asset.id, in: place, db)
        }
    }

    /// Throws unless the caller may give the record the assets that are sent: those that it has already, all of a private database, and in
    /// the public one those that the caller uploaded. Those of fields that are not sent stay in it, also if the caller may not read them.
    /// Otherwise a caller could read the files of others by naming them.
    func requireAssets(of request: RecordRequest, _ before: RecordRow?) throws {
        let named = Set(request.assets)
        guard !named.isEmpty else { return }
        for asset in try named.subtracting(knownAssets(of: before)) {
            guard let row = assets[asset], row.holds(asset),
                transaction.database == .private || row.content.creator == caller.record
            else { throw AssetAccess.notAvailable }
        }
    }

    /// The assets that a record has already, as far as the caller may read it.
    private func knownAssets(of row: RecordRow?) throws -> Set<Asset> {
        try row.map { try access.mayRead($0) ? Set($0.content.assets) : [] } ?? []
    }
}
