import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// The numbers of the last notifications of users.
enum NotificationCountTable {
    struct Count: Sendable {
        /// The number of the last notification.
        let last: Int64
        /// The last notification that was dropped because there were too many newer ones.
        let forgotten: Int64
    }

    static func count(for user: UserRecordID, in container: Int64, _ db: Connection) throws -> Count? {
        try db.first(
            "SELECT last_notification, forgotten FROM notification_counts WHERE container_id = $1 AND owner = $2",
            .integer(container),
            .id(user.value)
        ) { Count(last: $0.integer(0), forgotten: $0.integer(1)) }
    }

    /// The count of a user, which begins with 0.
    static func begin(for user: UserRecordID, in container: Int64, _ db: Connection) throws -> Count {
        if let count = try count(for: user, in: container, db) { return count }
        let first = Count(last: 0, forgotten: 0)
        try set(first, for: user, in: container, db)
        return first
    }

    static func set(_ count: Count, for user: UserRecordID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO notification_counts (container_id, owner, last_notification, forgotten) VALUES ($1, $2, $3, $4)
            ON CONFLICT (container_id, owner) DO UPDATE SET last_notification = excluded.last_notification,
            forgotten = excluded.forgotten
            """,
            .integer(container),
            .id(user.value),
            .integer(count.last),
            .integer(count.forgotten)
        )
    }

    /// Changes a count that exists. One that was deleted meanwhile, with its user, is not made again.
    static func update(_ count: Count, for user: UserRecordID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE notification_counts SET last_notification = $3, forgotten = $4
            WHERE container_id = $1 AND owner = $2
            """,
            .integer(container),
            .id(user.value),
            .integer(count.last),
            .integer(count.forgotten)
        )
    }

    /// The counts of those of the users who have one.
    static func counts(for users: [UserRecordID], in container: Int64, _ db: Connection) throws -> [UserRecordID: Count]
    {
        var found: [UserRecordID: Count] = [:]
        try users.flatMap(\.value.bytes).withUnsafeBytes { bytes in
            try db.lookUp(
                """
                SELECT owner, last_notification, forgotten FROM notification_counts
                WHERE container_id = $1 AND owner = ANY($2)
                """,
                .integer(container),
                keys: KeyList(bytes)
            ) { found[users[$0]] = Count(last: $1.integer(1), forgotten: $1.integer(2)) }
        }
        return found
    }
}
