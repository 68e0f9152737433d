import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions

extension StoreChecker {
    /// Opens all subscriptions, the names of devices and the notifications. The rules of the tables compare their numbers.
    func checkSubscriptions() throws {
        try forEachRow(of: "subscriptions") { row in
            let container = try row.integer("container_id")
            guard let keys = try keys(of: container) else { return }
            let database = try RecordPlace(ofOwner: row.bytes("owner"), in: container, keys)
            let subscriber = try user(row.bytes("subscriber"))
            let sealed = try row.bytes("sealed_subscription")
            let opened = try SubscriptionRow(
                sealed,
                number: row.integer("number"),
                subscriber: subscriber,
                in: database
            )
            guard let epoch = sealed.withUnsafeBytes(keys.sealing.index) else { throw CryptoError.notAuthentic }
            let tags = RecordPlace(ofPrivate: subscriber, in: container, keys).tags[epoch]
            guard try row.tag("id_tag") == tags.subscription(opened.subscription.id) else {
                return found(.changed, in: "subscriptions")
            }
            try checkKeys(of: opened, in: database, tags: database.tags[epoch])
        }
        try forEachRow(of: "devices") { row in
            let container = try row.integer("container_id")
            guard try !row.isNull("sealed_name"), let keys = try keys(of: container) else { return }
            let device = try RandomID(tag: row.tag("device"))
            let owner = try user(row.bytes("owner"))
            let sealed = try row.bytes("sealed_name")
            let name = try DeviceTable.name(sealed, of: device, of: owner, keys, in: container)
            guard let epoch = sealed.withUnsafeBytes(keys.sealing.index) else { throw CryptoError.notAuthentic }
            let tags = RecordPlace(ofPrivate: owner, in: container, keys).tags[epoch]
            guard try row.tag("name_tag") == tags.device(name) else { return found(.changed, in: "devices") }
        }
        try forEachRow(of: "notifications") { row in
            let container = try row.integer("container_id")
            guard let keys = try keys(of: container) else { return }
            _ = try NotificationTable.open(
                row.bytes("sealed_notification"),
                number: row.integer("notification"),
                for: user(row.bytes("owner")),
                in: container,
                keys
            )
        }
    }

    /// Whether a subscription is found by all changes that may concern it. One that has too many keys only costs time.
    private func checkKeys(of row: SubscriptionRow, in database: RecordPlace, tags: RecordTags) throws {
        guard isInUse(database.container) else { return }
        let types = try unlessDamaged { try SchemaTable.types(of: database.container, keys, db) }
        let type = row.subscription.query.flatMap { query in types?.values.first { $0.name == query.recordType } }
        guard row.subscription.query == nil || type != nil else { return }
        guard let wanted = try? SubscriptionKeys.keys(of: row.subscription, type, tags) else { return }
        let present = try SubscriptionTable.keys(of: row.number, in: database.container, db)
        // All changes of the record type find it, whatever the predicate.
        if let query = row.subscription.query, present.contains(tags.subscribed(type: query.recordType)) { return }
        if !wanted.isSubset(of: present) { found(.missing, in: "subscription_keys", wanted.subtracting(present).count) }
    }

    private func user(_ bytes: [UInt8]) throws -> UserRecordID {
        guard let id = bytes.withUnsafeBytes(RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
        return UserRecordID(id)
    }
}
