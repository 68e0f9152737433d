import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Deletes the uploads that no record has named in time.
enum AssetExpiry {
    /// How many are deleted at once. The rest follows in the next minute.
    private static let batchSize = 100

    /// Makes room for a call that a quota refuses, by deleting expired uploads. The work that follows writes does not delete them as long
    /// as no write succeeds.
    struct Room {
        let service: Service
        /// A call deletes at most so many batches. Its next attempt goes on with the rest.
        private var batchesLeft = 100

        init(_ service: Service) { self.service = service }

        /// Deletes some of the expired uploads. False if there are none left, or this call has deleted enough.
        mutating func make() -> Bool {
            guard batchesLeft > 0 else { return false }
            batchesLeft -= 1
            return (try? AssetExpiry.run(service)) == true
        }
    }

    /// Runs `body`, and again after some expired uploads were deleted, as long as a quota has no room for it.
    static func makingRoom<Result>(
        _ service: Service,
        _ body: () throws(KinfolkError) -> Result
    ) throws(KinfolkError) -> Result {
        var room = Room(service)
        while true {
            do { return try body() } catch {
                guard error.code == .quotaExceeded, room.make() else { throw error }
            }
        }
    }

    /// Whether uploads have expired.
    static func isDue(_ service: Service, _ db: Connection) throws -> Bool {
        try !AssetTable.expired(at: service.steadyClock(), limit: 1, db).isEmpty
    }

    /// - Returns: Whether uploads were deleted.
    @discardableResult
    static func run(_ service: Service) throws -> Bool {
        guard !service.isReadOnly, try service.store.read({ try isDue(service, $0) }) else { return false }
        let now = service.steadyClock()
        let isAny = try service.store.write { db in
            var bytes = ByteChanges()
            var deleted = 0
            var last = AssetTable.Expiring.start
            while deleted < batchSize {
                let found = try AssetTable.expired(at: now, after: last, limit: batchSize, db)
                for asset in found where deleted < batchSize {
                    // A zone that cannot be opened must not keep the others from expiring.
                    let isDeleted = try skippingDamage { try delete(asset, &bytes, service, db) }
                    if isDeleted == true { deleted += 1 }
                }
                guard found.count == batchSize, let end = found.last else { break }
                // In a damaged index, the pages could form an endless cycle.
                guard last.precedes(end) else { throw StorageError(.corrupt) }
                last = end
            }
            try ByteCountTable.add(bytes, db)
            return deleted > 0
        }
        service.sweeper.start(service)
        return isAny
    }

    /// Deletes an upload. False if it stays, or goes with its zone or container.
    private static func delete(
        _ asset: AssetTable.Expiring,
        _ bytes: inout ByteChanges,
        _ service: Service,
        _ db: Connection
    ) throws -> Bool {
        // The assets of a container that is being deleted go with it.
        guard (try? service.keys(db).requireInUse(asset.container)) != nil else { return false }
        let keys = try service.keys(ofContainer: asset.container, in: db)
        let places = ZonePlaces(in: asset.container, keys, db)
        guard let place = try places.place(owner: asset.owner, zone: asset.zone) else { return false }
        let row = try skippingDamage { () throws -> AssetRow? in
            guard let id = asset.id.withUnsafeBytes(RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
            // The time is not authenticated.
            guard try !AssetTable.isNamed(id, in: place, db) else {
                try AssetTable.noteNamed([id], in: place, db)
                return nil
            }
            return try AssetTable.row(id, in: place, db)
        }
        switch row {
        case nil: try AssetTable.deleteUnread(asset.id, in: place, db)
        case .some(nil): return false
        case .some(let row?):
            try AssetTable.delete(row, in: place, db)
            bytes.add(from: (row.bytes, row.content.countedCreator), to: (0, nil), lane: service.lane, in: place)
        }
        return true
    }

    /// The result of `body`; nil if it found damage.
    private static func skippingDamage<Result>(_ body: () throws -> Result) throws -> Result? {
        do { return try body() } catch let error where KinfolkError(error).code == .storeCorrupt { return nil }
    }
}
