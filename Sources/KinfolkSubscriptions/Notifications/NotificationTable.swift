package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
import KinfolkRecords
package import KinfolkStorage

/// The table of notifications that devices have not acknowledged.
package enum NotificationTable {
    /// The most notifications of a user that wait.
    package static let limit: Int64 = 1_000

    struct Row {
        let number: Int64
        /// Nil if the row was edited without the key.
        let content: NotificationContent?
    }

    /// The next notifications of a user, in order.
    static func rows(
        for user: UserRecordID,
        after last: Int64,
        limit: Int,
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> [Row] {
        try db.all(
            """
            SELECT notification, sealed_notification FROM notifications
            WHERE container_id = $1 AND owner = $2 AND notification > $3 ORDER BY notification LIMIT $4
            """,
            .integer(container),
            .id(user.value),
            .integer(last),
            .integer(Int64(limit))
        ) { row in
            let number = row.integer(0)
            do {
                let content = try open(row.bytes(1), number: number, for: user, in: container, keys)
                return Row(number: number, content: content)
            } catch let error where KinfolkError(error).code == .storeCorrupt {
                return Row(number: number, content: nil)
            }
        }
    }

    /// The random number of a notification; nil if it is gone, or was edited without the key.
    static func stamp(
        _ number: Int64,
        for user: UserRecordID,
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> Int64? {
        let row = try rows(for: user, after: number - 1, limit: 1, in: container, keys, db).first
        return row?.number == number ? row?.content?.stamp : nil
    }

    package static func open(
        _ sealed: [UInt8],
        number: Int64,
        for user: UserRecordID,
        in container: Int64,
        _ keys: ContainerKeys
    ) throws -> NotificationContent {
        try NotificationContent(keys.sealing.open(sealed, at: place(of: number, for: user, in: container)))
    }

    /// Adds a notification, unless its subscription was deleted meanwhile.
    static func insert(
        _ content: NotificationContent,
        number: Int64,
        of subscription: Int64,
        for user: UserRecordID,
        in database: RecordPlace,
        _ db: Connection
    ) throws {
        let tags = database.tags[0]
        let sealed = try database.keys.sealing.seal(
            content.bytes,
            at: place(of: number, for: user, in: database.container)
        )
        try db.execute(
            """
            INSERT INTO notifications
                (container_id, owner, notification, subscription, creator_tag, modifier_tag, sealed_notification)
            SELECT $1, $2, $3, $4, $5, $6, $7
            WHERE EXISTS (SELECT 1 FROM subscriptions WHERE container_id = $1 AND number = $4)
            """,
            .integer(database.container),
            .id(user.value),
            .integer(number),
            .integer(subscription),
            content.creator.map { .tag(tags.creator($0)) } ?? .bytes([]),
            content.modifier.map { .tag(tags.modifier($0)) } ?? .bytes([]),
            .bytes(sealed)
        )
    }

    // MARK: Deletion

    /// Deletes the notifications of a subscription.
    static func delete(of subscription: Int64, for user: UserRecordID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM notifications WHERE container_id = $1 AND owner = $2 AND subscription = $3",
            .integer(container),
            .id(user.value),
            .integer(subscription)
        )
    }

    /// Deletes the notifications that all devices of a user have acknowledged; all of them if the user has no devices.
    static func deleteAcknowledged(by user: UserRecordID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM notifications WHERE container_id = $1 AND owner = $2 AND notification <= coalesce(
                (SELECT min(acknowledged) FROM devices WHERE container_id = $1 AND owner = $2), 9223372036854775807)
            """,
            .integer(container),
            .id(user.value)
        )
    }

    /// Drops the oldest notifications of a user.
    static func delete(through last: Int64, for user: UserRecordID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM notifications WHERE container_id = $1 AND owner = $2 AND notification <= $3",
            .integer(container),
            .id(user.value),
            .integer(last)
        )
    }

    /// Deletes the notifications of deleted records that a person created or changed last, when the person is erased.
    package static func forget(_ user: UserRecordID, in container: Int64, _ keys: ContainerKeys, _ db: Connection)
        throws
    {
        // The tags are those of the public database: nobody else sees records of private ones.
        for tags in RecordPlace(ofPrivate: nil, in: container, keys).tags {
            try db.execute(
                "DELETE FROM notifications WHERE container_id = $1 AND creator_tag = $2 AND length(creator_tag) > 0",
                .integer(container),
                .tag(tags.creator(user))
            )
            try db.execute(
                "DELETE FROM notifications WHERE container_id = $1 AND modifier_tag = $2 AND length(modifier_tag) > 0",
                .integer(container),
                .tag(tags.modifier(user))
            )
        }
    }

    private static func place(of number: Int64, for user: UserRecordID, in container: Int64) -> SealedPlace {
        SealedPlace(
            "notifications",
            "sealed_notification",
            row: .number(container),
            .bytes(user.value.bytes),
            .number(number)
        )
    }

    // MARK: Rotation

    package struct Position: Sendable {
        var owner: [UInt8]
        var number: Int64
        package static let start = Position(owner: [], number: 0)
    }

    /// Seals the next notifications again under the newest key.
    ///
    /// - Returns: The position of the last one; nil if there are no more.
    static func renew(
        in container: Int64,
        after start: Position,
        limit: Int,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> Position? {
        let rows = try db.all(
            """
            SELECT owner, notification, sealed_notification FROM notifications
            WHERE container_id = $1 AND (owner, notification) > ($2, $3) ORDER BY owner, notification LIMIT $4
            """,
            .integer(container),
            .bytes(start.owner),
            .integer(start.number),
            .integer(Int64(limit))
        ) { (owner: $0.bytes(0), number: $0.integer(1), sealed: $0.bytes(2)) }
        for row in rows where !keys.sealing.isNewest(row.sealed) {
            guard let owner = row.owner.withUnsafeBytes(RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
            let user = UserRecordID(owner)
            let content = try open(row.sealed, number: row.number, for: user, in: container, keys)
            let database = RecordPlace(
                ofPrivate: content.scope == .private ? user : nil,
                in: container,
                keys
            )
            let tags = database.tags[0]
            try db.execute(
                """
                UPDATE notifications SET creator_tag = $4, modifier_tag = $5, sealed_notification = $6
                WHERE container_id = $1 AND owner = $2 AND notification = $3
                """,
                .integer(container),
                .bytes(row.owner),
                .integer(row.number),
                content.creator.map { .tag(tags.creator($0)) } ?? .bytes([]),
                content.modifier.map { .tag(tags.modifier($0)) } ?? .bytes([]),
                .bytes(try keys.sealing.seal(content.bytes, at: place(of: row.number, for: user, in: container)))
            )
        }
        return rows.count == limit ? rows.last.map { Position(owner: $0.owner, number: $0.number) } : nil
    }
}
