package import KinfolkCore
import KinfolkModel
package import KinfolkStorage

/// Seals the zones and records of a container again under the newest keys, with their tags and all that is sealed of them, a number of
/// rows in each transaction.
package struct RecordRotation {
    /// How many records a transaction reads.
    package static let batchSize = 200

    private let service: Service
    private let container: Int64
    private var zones: RowPosition? = .start
    private var tombstones: TombstoneTable.Position? = .start
    private var outbox: (lane: Int64, sequence: Int64)? = (-1, -1)
    private var postings: PostingTable.Position? = .start
    private var assets: AssetTable.Position? = .start
    private var position: RecordTable.Position? = .start

    package init(_ service: Service, container: Int64) {
        self.service = service
        self.container = container
    }

    /// A rotation with nothing to do.
    package static func over(_ service: Service, container: Int64) -> RecordRotation {
        var rotation = RecordRotation(service, container: container)
        (rotation.zones, rotation.tombstones, rotation.outbox) = (nil, nil, nil)
        (rotation.postings, rotation.assets, rotation.position) = (nil, nil, nil)
        return rotation
    }

    /// Whether nothing is left.
    package var isOver: Bool { position == nil }

    /// Renews the next rows. What is saved meanwhile is sealed under the newest keys.
    package mutating func renewBatch(_ db: Connection, limit: Int = batchSize) throws {
        let keys = try service.keys(ofContainer: container, in: db)
        if let start = zones {
            zones = try ZoneTable.renew(in: container, after: start, limit: limit, keys, db)
        } else if let start = tombstones {
            tombstones = try TombstoneTable.renew(in: container, after: start, limit: limit, keys, db)
        } else if let start = outbox {
            outbox = try OutboxTable.renew(in: container, after: start, limit: limit, keys, db)
        } else if let start = postings {
            postings = try PostingTable.renew(in: container, after: start, limit: limit, keys, db)
        } else if let start = assets {
            assets = try AssetTable.renew(in: container, after: start, limit: limit, keys, db)
        } else if let start = position {
            try renewRecords(after: start, limit: limit, keys, db)
        }
    }

    private mutating func renewRecords(
        after start: RecordTable.Position,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws {
        let schema = try service.schemas.schema(of: container, service, db)
        let storage = RecordStorage(service, db)
        position = try RecordTable.forEach(
            in: container,
            after: start,
            limit: limit,
            keys,
            db
        ) { place, row in
            guard row.epoch > 0 else { return }
            try storage.renew(row, schema.type(row.type), in: place)
        }
        try storage.finish()
    }
}
