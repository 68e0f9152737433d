package import KinfolkCore
import KinfolkModel
package import KinfolkStorage

/// Seals the records of a container again under the newest keys, with their tags, a number of them in each transaction.
package struct RecordRotation {
    /// How many records a transaction reads.
    private static let batchSize = 200

    private let service: Service
    private let container: Int64
    private var position: RecordTable.Position? = .start

    package init(_ service: Service, container: Int64) {
        self.service = service
        self.container = container
    }

    /// A rotation with nothing to do.
    package static func over(_ service: Service, container: Int64) -> RecordRotation {
        var rotation = RecordRotation(service, container: container)
        rotation.position = nil
        return rotation
    }

    /// Whether no records are left.
    package var isOver: Bool { position == nil }

    /// Renews the next records. Records that are saved meanwhile are sealed under the newest keys.
    package mutating func renewBatch(_ db: Connection) throws {
        guard let start = position else { return }
        let keys = try service.keys(ofContainer: container, in: db)
        let schema = try service.schemas.schema(of: container, service, db)
        let storage = RecordStorage(service, db)
        position = try RecordTable.forEach(
            in: container,
            after: start,
            limit: RecordRotation.batchSize,
            keys,
            db
        ) { place, row in
            guard row.epoch > 0 else { return }
            try storage.renew(row, schema.type(row.type), in: place)
        }
        try storage.finish()
    }
}
