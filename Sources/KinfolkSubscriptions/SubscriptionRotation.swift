package import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
package import KinfolkStorage

/// Seals the subscriptions, devices and notifications of a container again under the newest keys, with their tags, a number of rows in each
/// transaction.
package struct SubscriptionRotation {
    /// How many rows a transaction reads.
    package static let batchSize = 200

    private let service: Service
    private let container: Int64
    private var subscription: Int64? = 0
    private var device: DeviceTable.Position? = .start
    private var notification: NotificationTable.Position? = .start

    package init(_ service: Service, container: Int64) {
        self.service = service
        self.container = container
    }

    /// Whether nothing is left.
    package var isOver: Bool { subscription == nil && device == nil && notification == nil }

    /// Ends a rotation of a container that was deleted.
    package mutating func end() { (subscription, device, notification) = (nil, nil, nil) }

    /// Renews the next rows. What is saved meanwhile is sealed under the newest keys.
    package mutating func renewBatch(_ db: Connection, limit: Int = batchSize) throws {
        let keys = try service.keys(ofContainer: container, in: db)
        if let start = subscription {
            subscription = try renewSubscriptions(after: start, limit: limit, keys, db)
        } else if let start = device {
            device = try DeviceTable.renew(in: container, after: start, limit: limit, keys, db)
        } else if let start = notification {
            notification = try NotificationTable.renew(in: container, after: start, limit: limit, keys, db)
        }
    }

    private func renewSubscriptions(after start: Int64, limit: Int, _ keys: ContainerKeys, _ db: Connection) throws
        -> Int64?
    {
        let schema = try service.schemas.schema(of: container, service, db)
        let rows = try SubscriptionTable.rows(in: container, after: start, limit: limit, keys, db)
        for row in rows where !row.isNewest {
            let type = row.row.subscription.query.flatMap { schema.types[$0.recordType] }
            let tags = row.database.tags[0]
            // A field of the predicate may be missing now, and declared again later. Until then the record type finds the subscription.
            let keys =
                try (try? SubscriptionKeys.keys(of: row.row.subscription, type, tags))
                ?? SubscriptionKeys.keys(of: row.row.subscription, nil, tags)
            try SubscriptionTable.save(row.row, keys: keys, in: row.database, db)
            // No service uses the keys that it has in memory.
            try OutboxTable.noteReaders(of: row.database, db)
        }
        return rows.count == limit ? rows.last?.number : nil
    }
}
