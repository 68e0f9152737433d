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
                let keys = try service.keys(ofContainer: asset.container, in: db)
                let places = ZonePlaces(in: asset.container, keys, db)
                guard let place = try places.place(owner: asset.owner, zone: asset.zone),
                    let row = try AssetTable.row(asset.id, in: place, db)
                else { continue }
                try AssetTable.delete(row, in: place, db)
                bytes.add(from: (row.bytes, row.content.creator), to: (0, nil), lane: service.lane, in: place)
            }
            try ByteCountTable.add(bytes, db)
        }
        service.sweeper.start(service)
    }
}
