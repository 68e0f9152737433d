package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkRecords
package import KinfolkStorage

/// The table of subscriptions, with the keys by which they are found.
package enum SubscriptionTable {
    /// The most subscriptions of a user in a database.
    package static let limit = 1_000

    // MARK: Those of a user

    /// The subscriptions of a user to a database, in no particular order.
    package static func all(of user: UserRecordID, in database: RecordPlace, _ db: Connection) throws
        -> [SubscriptionRow]
    {
        try db.all(
            """
            SELECT number, sealed_subscription FROM subscriptions
            WHERE container_id = $1 AND subscriber = $2 AND owner = $3
            """,
            .integer(database.container),
            .id(user.value),
            .bytes(database.owner)
        ) { try SubscriptionRow($0.bytes(1), number: $0.integer(0), subscriber: user, in: database) }
    }

    static func count(of user: UserRecordID, in database: RecordPlace, _ db: Connection) throws -> Int {
        try db.first(
            "SELECT count(*) FROM subscriptions WHERE container_id = $1 AND subscriber = $2 AND owner = $3",
            .integer(database.container),
            .id(user.value),
            .bytes(database.owner)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The subscription with this ID; nil if there is none.
    static func row(_ id: String, of user: UserRecordID, in database: RecordPlace, _ db: Connection) throws
        -> SubscriptionRow?
    {
        for tags in tags(of: user, in: database) {
            let row = try db.first(
                """
                SELECT number, sealed_subscription FROM subscriptions
                WHERE container_id = $1 AND subscriber = $2 AND owner = $3 AND id_tag = $4
                """,
                .integer(database.container),
                .id(user.value),
                .bytes(database.owner),
                .tag(tags.subscription(id))
            ) { try SubscriptionRow($0.bytes(1), number: $0.integer(0), subscriber: user, in: database) }
            guard let row else { continue }
            guard row.subscription.id == id else { throw StorageError(.corrupt) }
            return row
        }
        return nil
    }

    /// The number of the subscription with this ID, which may be unreadable; nil if there is none.
    static func number(_ id: String, of user: UserRecordID, in database: RecordPlace, _ db: Connection) throws -> Int64?
    {
        for tags in tags(of: user, in: database) {
            let number = try db.first(
                """
                SELECT number FROM subscriptions
                WHERE container_id = $1 AND subscriber = $2 AND owner = $3 AND id_tag = $4
                """,
                .integer(database.container),
                .id(user.value),
                .bytes(database.owner),
                .tag(tags.subscription(id))
            ) { $0.integer(0) }
            if let number { return number }
        }
        return nil
    }

    /// Saves a subscription with its keys, or replaces the one with its number.
    package static func save(_ row: SubscriptionRow, keys: Set<Tag>, in database: RecordPlace, _ db: Connection) throws
    {
        let place = SubscriptionRow.place(of: row.number, of: row.subscriber, in: database)
        let sealed = try database.keys.sealing.seal(row.content, at: place)
        let tag = tags(of: row.subscriber, in: database)[0].subscription(row.subscription.id)
        try db.execute(
            """
            INSERT INTO subscriptions (container_id, owner, subscriber, number, id_tag, sealed_subscription)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (container_id, number) DO UPDATE SET id_tag = excluded.id_tag,
            sealed_subscription = excluded.sealed_subscription
            """,
            .integer(database.container),
            .bytes(database.owner),
            .id(row.subscriber.value),
            .integer(row.number),
            .tag(tag),
            .bytes(sealed)
        )
        try deleteKeys(of: row.number, in: database.container, db)
        try db.execute(
            """
            INSERT INTO subscription_keys (container_id, owner, key_tag, number, subscriber)
            VALUES ($1, $2, $3, $4, $5)
            """,
            for: keys.sorted()
        ) { key in
            [
                .integer(database.container), .bytes(database.owner), .tag(key), .integer(row.number),
                .id(row.subscriber.value),
            ]
        }
    }

    static func delete(_ number: Int64, in container: Int64, _ db: Connection) throws {
        try deleteKeys(of: number, in: container, db)
        try db.execute(
            "DELETE FROM subscriptions WHERE container_id = $1 AND number = $2",
            .integer(container),
            .integer(number)
        )
    }

    private static func deleteKeys(of number: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM subscription_keys WHERE container_id = $1 AND number = $2",
            .integer(container),
            .integer(number)
        )
    }

    private static func tags(of user: UserRecordID, in database: RecordPlace) -> RecordTags.Epochs {
        RecordPlace(ofPrivate: user, in: database.container, database.keys).tags
    }

    // MARK: Those that a change may concern

    /// Adds the numbers of the next subscriptions with a key, in order.
    static func addNumbers(
        under key: Tag,
        after last: Int64,
        limit: Int,
        in database: RecordPlace,
        _ db: Connection,
        to numbers: inout [Int64]
    ) throws {
        try db.forEach(
            """
            SELECT number FROM subscription_keys
            WHERE container_id = $1 AND owner = $2 AND key_tag = $3 AND number > $4 ORDER BY number LIMIT $5
            """,
            .integer(database.container),
            .bytes(database.owner),
            .tag(key),
            .integer(last),
            .integer(Int64(limit))
        ) { row in
            numbers.append(row.integer(0))
            return true
        }
    }

    /// All keys of a database with the numbers of their subscriptions, in order; nil if there are more than `limit`.
    static func keys(in database: RecordPlace, limit: Int, _ db: Connection) throws -> [(key: Tag, number: Int64)]? {
        let keys = try db.all(
            """
            SELECT key_tag, number FROM subscription_keys WHERE container_id = $1 AND owner = $2
            ORDER BY key_tag, number LIMIT $3
            """,
            .integer(database.container),
            .bytes(database.owner),
            .integer(Int64(limit) + 1)
        ) { row in row.withBytes(0, Tag.init).map { (key: $0, number: row.integer(1)) } }
        // A key of another length was edited, and is that of no change.
        return keys.count > limit ? nil : keys.compactMap(\.self)
    }

    /// The keys of a subscription.
    package static func keys(of number: Int64, in container: Int64, _ db: Connection) throws -> Set<Tag> {
        Set(
            try db.all(
                "SELECT key_tag FROM subscription_keys WHERE container_id = $1 AND number = $2",
                .integer(container),
                .integer(number)
            ) { row in
                guard let key = row.withBytes(0, Tag.init) else { throw StorageError(.corrupt) }
                return key
            }
        )
    }

    static func hasAny(in database: RecordPlace, _ db: Connection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM subscription_keys WHERE container_id = $1 AND owner = $2 LIMIT 1",
            .integer(database.container),
            .bytes(database.owner)
        ) { _ in true } ?? false
    }

    /// Ends the outboxes of databases whose last subscriber was erased.
    static func removeUnusedReaders(_ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM outbox_readers WHERE NOT EXISTS (SELECT 1 FROM subscription_keys k
            WHERE k.container_id = outbox_readers.container_id AND k.owner = outbox_readers.owner)
            """
        )
    }

    /// The sealed part of a subscription, and its user; nil if it was deleted, or if its user was edited.
    static func sealed(_ number: Int64, in container: Int64, _ db: Connection) throws
        -> (subscriber: UserRecordID, sealed: [UInt8])?
    {
        try db.first(
            "SELECT subscriber, sealed_subscription FROM subscriptions WHERE container_id = $1 AND number = $2",
            .integer(container),
            .integer(number)
        ) { row in
            row.withBytes(0, RandomID.init(bytes:)).map { (UserRecordID($0), row.bytes(1)) }
        } ?? nil
    }

    // MARK: Rotation

    /// The next subscriptions of a container, in the order of their numbers.
    package static func rows(
        in container: Int64,
        after last: Int64,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> [(number: Int64, database: RecordPlace, isNewest: Bool, row: SubscriptionRow)] {
        try db.all(
            """
            SELECT number, owner, subscriber, sealed_subscription FROM subscriptions
            WHERE container_id = $1 AND number > $2 ORDER BY number LIMIT $3
            """,
            .integer(container),
            .integer(last),
            .integer(Int64(limit))
        ) { row in
            guard let subscriber = row.withBytes(2, RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
            let database = try RecordPlace(ofOwner: row.bytes(1), in: container, keys)
            let sealed = row.bytes(3)
            let opened = try SubscriptionRow(
                sealed,
                number: row.integer(0),
                subscriber: UserRecordID(subscriber),
                in: database
            )
            return (row.integer(0), database, keys.sealing.isNewest(sealed), opened)
        }
    }
}
