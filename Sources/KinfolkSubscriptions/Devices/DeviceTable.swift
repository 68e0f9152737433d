import KinfolkAccounts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
import KinfolkRecords
package import KinfolkStorage

/// The table of the devices that receive the notifications of their users.
package enum DeviceTable {
    /// The most devices of a user in a container, with sessions that have no name.
    package static let limit = 2_000
    /// After how many seconds a session without a name is forgotten, unless it asks for notifications.
    package static let lifetime = 86_400.0

    // MARK: Looking up

    /// The device with this name; nil if the user has no such device.
    static func id(
        named name: String,
        of user: UserRecordID,
        _ keys: ContainerKeys,
        in container: Int64,
        _ db: Connection
    )
        throws -> RandomID?
    {
        let place = RecordPlace(ofPrivate: user, in: container, keys)
        for tags in place.tags {
            let row = try db.first(
                """
                SELECT device, sealed_name FROM devices
                WHERE container_id = $1 AND owner = $2 AND name_tag = $3 AND length(name_tag) > 0
                """,
                .integer(container),
                .id(user.value),
                .tag(tags.device(name))
            ) { row in
                guard let id = row.withBytes(0, RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
                return (id: id, name: try self.name(row.bytes(1), of: id, of: user, keys, in: container))
            }
            guard let row else { continue }
            guard row.name == name else { throw StorageError(.corrupt) }
            return row.id
        }
        return nil
    }

    /// The devices of a user, those with a name first.
    package static func all(of user: UserRecordID, _ keys: ContainerKeys, in container: Int64, _ db: Connection) throws
        -> [DeviceRow]
    {
        let rows = try db.all(
            "SELECT device, acknowledged, sealed_name FROM devices WHERE container_id = $1 AND owner = $2",
            .integer(container),
            .id(user.value)
        ) { row in
            guard let id = row.withBytes(0, RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
            let name = row.isNull(2) ? nil : try name(row.bytes(2), of: id, of: user, keys, in: container)
            return DeviceRow(id: id, name: name, acknowledged: row.integer(1))
        }
        let named = rows.compactMap { row in row.name.map { (name: $0, row: row) } }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(\.row)
        return named + rows.filter { $0.name == nil }.sorted { $0.id < $1.id }
    }

    static func ids(of user: UserRecordID, in container: Int64, _ db: Connection) throws -> Set<RandomID> {
        Set(
            try db.all(
                "SELECT device FROM devices WHERE container_id = $1 AND owner = $2",
                .integer(container),
                .id(user.value)
            ) { $0.withBytes(0, RandomID.init(bytes:)) }.compactMap(\.self)
        )
    }

    /// The last notification that a device has acknowledged; nil if it is not registered.
    static func acknowledged(by device: RandomID, of user: UserRecordID, in container: Int64, _ db: Connection) throws
        -> Int64?
    {
        try db.first(
            "SELECT acknowledged FROM devices WHERE container_id = $1 AND owner = $2 AND device = $3",
            .integer(container),
            .id(user.value),
            .id(device)
        ) { $0.integer(0) }
    }

    private static func count(of user: UserRecordID, in container: Int64, _ db: Connection) throws -> Int {
        try db.first(
            "SELECT count(*) FROM devices WHERE container_id = $1 AND owner = $2",
            .integer(container),
            .id(user.value)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The users, of a list of record IDs, who have a device other than the one that made a change.
    static func users(
        _ users: [UserRecordID],
        withDeviceOtherThan origin: RandomID?,
        in container: Int64,
        _ db: Connection
    ) throws -> Set<UserRecordID> {
        var found: Set<UserRecordID> = []
        try users.flatMap(\.value.bytes).withUnsafeBytes { bytes in
            try db.lookUp(
                """
                SELECT owner, count(*) FROM devices WHERE container_id = $1 AND device <> $2 AND owner = ANY($3)
                GROUP BY owner
                """,
                .integer(container),
                origin.map(Value.id) ?? .bytes([]),
                keys: KeyList(bytes)
            ) { position, _ in found.insert(users[position]) }
        }
        return found
    }

    // MARK: Changes

    /// Makes the device of a session one that receives notifications: those from now on.
    ///
    /// - Returns: The last notification that it has acknowledged, and whether it was registered by this call.
    static func register(_ session: Session, of user: UserRecordID, at now: Timestamp, _ db: Connection) throws
        -> (acknowledged: Int64, isNew: Bool)
    {
        let container = session.container.number
        if let known = try acknowledged(by: session.device, of: user, in: container, db) { return (known, false) }
        if try count(of: user, in: container, db) >= limit, try !deleteOldestUnnamed(of: user, in: container, db) {
            throw KinfolkError(.limitExceeded, "A user has at most \(limit) devices.")
        }
        let keys = try session.service.keys(ofContainer: container, in: db)
        if let name = session.deviceName, try id(named: name, of: user, keys, in: container, db) != nil {
            throw KinfolkError(.notAuthenticated, "The device was removed and made again: make a new session for it.")
        }
        try StoreHistory.begin(db)
        let count = try NotificationCountTable.begin(for: user, in: container, db)
        let tags = RecordPlace(ofPrivate: user, in: container, keys).tags[0]
        let place = place(of: session.device, of: user, in: container)
        try db.execute(
            """
            INSERT INTO devices (container_id, owner, device, name_tag, acknowledged, expires_at, sealed_name)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            .integer(container),
            .id(user.value),
            .id(session.device),
            session.deviceName.map { .tag(tags.device($0)) } ?? .bytes([]),
            .integer(count.last),
            .integer(session.deviceName == nil ? now.adding(seconds: lifetime).microseconds : 0),
            try session.deviceName.map { .bytes(try keys.sealing.seal(Array($0.utf8), at: place)) } ?? .null
        )
        return (count.last, true)
    }

    /// Notes what devices have acknowledged, and that they were there.
    static func note(
        _ acknowledged: some Sequence<(device: RandomID, last: Int64)>,
        of user: UserRecordID,
        in container: Int64,
        at now: Timestamp,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE devices SET acknowledged = CASE WHEN acknowledged < $4 THEN $4 ELSE acknowledged END,
            expires_at = CASE WHEN expires_at > 0 THEN $5 ELSE 0 END
            WHERE container_id = $1 AND owner = $2 AND device = $3
            """,
            for: acknowledged
        ) {
            [
                .integer(container), .id(user.value), .id($0.device), .integer($0.last),
                .integer(now.adding(seconds: lifetime).microseconds),
            ]
        }
    }

    /// Forgets a device.
    ///
    /// - Returns: Whether it was there.
    static func delete(_ device: RandomID, of user: UserRecordID, in container: Int64, _ db: Connection) throws -> Bool
    {
        try db.changes(
            "DELETE FROM devices WHERE container_id = $1 AND owner = $2 AND device = $3",
            .integer(container),
            .id(user.value),
            .id(device)
        ) == 1
    }

    /// Forgets the session without a name that has not asked for notifications for the longest time.
    ///
    /// - Returns: Whether there was one.
    private static func deleteOldestUnnamed(of user: UserRecordID, in container: Int64, _ db: Connection) throws -> Bool
    {
        try db.changes(
            """
            DELETE FROM devices WHERE container_id = $1 AND owner = $2 AND device = (SELECT device FROM devices
                WHERE container_id = $1 AND owner = $2 AND expires_at > 0 ORDER BY expires_at, device LIMIT 1)
            """,
            .integer(container),
            .id(user.value)
        ) == 1
    }

    /// Forgets sessions without a name that have not asked for notifications for a long time, at most 1,000 of them.
    ///
    /// - Returns: Whose devices they were.
    static func deleteExpired(at now: Timestamp, _ db: Connection) throws -> [(container: Int64, owner: [UInt8])] {
        let rows = try db.all(
            """
            SELECT container_id, owner, device FROM devices WHERE expires_at > 0 AND expires_at <= $1
            ORDER BY expires_at LIMIT 1000
            """,
            .integer(now.microseconds)
        ) { (container: $0.integer(0), owner: $0.bytes(1), device: $0.bytes(2)) }
        try db.execute(
            "DELETE FROM devices WHERE container_id = $1 AND owner = $2 AND device = $3",
            for: rows
        ) { [.integer($0.container), .bytes($0.owner), .bytes($0.device)] }
        return rows.map { ($0.container, $0.owner) }
    }

    static func hasExpired(at now: Timestamp, _ db: Connection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM devices WHERE expires_at > 0 AND expires_at <= $1 LIMIT 1",
            .integer(now.microseconds)
        ) { _ in true } ?? false
    }

    // MARK: Sealed names

    package static func name(
        _ sealed: [UInt8],
        of device: RandomID,
        of user: UserRecordID,
        _ keys: ContainerKeys,
        in container: Int64
    ) throws -> String {
        let content = try keys.sealing.open(sealed, at: place(of: device, of: user, in: container))
        return String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// What a device with a name has seen of the key-value store: a server change token. Nil if it has seen nothing, or has no name.
    ///
    /// It is sealed with the name, after a NUL, which no name has.
    package static func keyValueToken(
        of device: RandomID,
        of user: UserRecordID,
        _ keys: ContainerKeys,
        in container: Int64,
        _ db: Connection
    ) throws -> ServerChangeToken? {
        guard let content = try content(of: device, of: user, keys, in: container, db) else { return nil }
        let token = content.drop { $0 != 0 }.dropFirst()
        return token.isEmpty ? nil : try ServerChangeToken(bytes: Array(token))
    }

    /// Notes what a device with a name has seen of the key-value store. Does nothing for others.
    package static func note(
        keyValueToken token: ServerChangeToken,
        of device: RandomID,
        of user: UserRecordID,
        _ keys: ContainerKeys,
        in container: Int64,
        _ db: Connection
    ) throws {
        guard let content = try content(of: device, of: user, keys, in: container, db) else { return }
        let new = content.prefix { $0 != 0 } + [0] + token.bytes
        try db.execute(
            "UPDATE devices SET sealed_name = $4 WHERE container_id = $1 AND owner = $2 AND device = $3",
            .integer(container),
            .id(user.value),
            .id(device),
            .bytes(try keys.sealing.seal(Array(new), at: place(of: device, of: user, in: container)))
        )
    }

    /// The opened content of a device with a name.
    private static func content(
        of device: RandomID,
        of user: UserRecordID,
        _ keys: ContainerKeys,
        in container: Int64,
        _ db: Connection
    ) throws -> [UInt8]? {
        try db.first(
            """
            SELECT sealed_name FROM devices
            WHERE container_id = $1 AND owner = $2 AND device = $3 AND sealed_name IS NOT NULL
            """,
            .integer(container),
            .id(user.value),
            .id(device)
        ) { try keys.sealing.open($0.bytes(0), at: place(of: device, of: user, in: container)) }
    }

    private static func place(of device: RandomID, of user: UserRecordID, in container: Int64) -> SealedPlace {
        SealedPlace(
            "devices",
            "sealed_name",
            row: .number(container),
            .bytes(user.value.bytes),
            .bytes(device.bytes)
        )
    }

    // MARK: Rotation

    package struct Position: Sendable {
        var owner: [UInt8]
        var device: [UInt8]
        package static let start = Position(owner: [], device: [])
    }

    /// Seals the next names again under the newest key.
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
            SELECT owner, device, sealed_name FROM devices
            WHERE container_id = $1 AND (owner, device) > ($2, $3) ORDER BY owner, device LIMIT $4
            """,
            .integer(container),
            .bytes(start.owner),
            .bytes(start.device),
            .integer(Int64(limit))
        ) { (owner: $0.bytes(0), device: $0.bytes(1), sealed: $0.isNull(2) ? nil : $0.bytes(2)) }
        for row in rows {
            guard let sealed = row.sealed, !keys.sealing.isNewest(sealed) else { continue }
            guard let owner = row.owner.withUnsafeBytes(RandomID.init(bytes:)),
                let device = row.device.withUnsafeBytes(RandomID.init(bytes:))
            else { throw StorageError(.corrupt) }
            let user = UserRecordID(owner)
            let content = try keys.sealing.open(sealed, at: place(of: device, of: user, in: container))
            let name = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
            let tags = RecordPlace(ofPrivate: user, in: container, keys).tags[0]
            try db.execute(
                """
                UPDATE devices SET name_tag = $4, sealed_name = $5
                WHERE container_id = $1 AND owner = $2 AND device = $3
                """,
                .integer(container),
                .bytes(row.owner),
                .bytes(row.device),
                .tag(tags.device(name)),
                .bytes(try keys.sealing.seal(content, at: place(of: device, of: user, in: container)))
            )
        }
        return rows.count == limit ? rows.last.map { Position(owner: $0.owner, device: $0.device) } : nil
    }
}
