import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Deletes the uploads that no record has named in time.
enum AssetExpiry {
    /// How many are deleted at once. The rest follows in the next minute.
    private static let batchSize = 100

    static func run(_ service: Service) throws {
        guard !service.isReadOnly else { return }
        let now = service.clock()
        guard try !service.store.read({ try AssetTable.expired(at: now, limit: 1, $0) }).isEmpty else { return }
        try service.store.write { db in
            var bytes = ByteChanges()
            for asset in try AssetTable.expired(at: now, limit: batchSize, db) {
                // The assets of a container that is being deleted go with it.
                guard (try? service.keys(db).requireInUse(asset.container)) != nil else { continue }
                let keys = try service.keys(ofContainer: asset.container, in: db)
                let places = ZonePlaces(in: asset.container, keys, db)
                guard let place = try places.place(owner: asset.owner, zone: asset.zone) else { continue }
                // The time is not authenticated.
                guard try !AssetTable.isNamed(asset.id, in: place, db) else {
                    try AssetTable.noteNamed([asset.id], in: place, db)
                    continue
                }
                do {
                    guard let row = try AssetTable.row(asset.id, in: place, db) else { continue }
                    try AssetTable.delete(row, in: place, db)
                    bytes.add(from: (row.bytes, row.content.creator), to: (0, nil), lane: service.lane, in: place)
                } catch let error where KinfolkError(error).code == .storeCorrupt {
                    // It must not keep the others from expiring.
                    try AssetTable.deleteUnread(asset.id, in: place, db)
                }
            }
            try ByteCountTable.add(bytes, db)
        }
        service.sweeper.start(service)
    }
}
