package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of users: the user record ID of each account in each container that it uses.
package enum UserTable {
    /// A user: an account in a container, with the authentication code.
    package struct Row {
        package let account: AccountID
        package let container: Int64
        package let record: UserRecordID
        package let createdAt: Timestamp
        package var mac: [UInt8] = []
        /// The account's roles in the container. Only ``UserTable/all(of:_:)`` reads them, because the digest of the account's rows
        /// authenticates them, and not the code of this row.
        package internal(set) var roles = RoleNames()

        /// A new user. Only the day is stored, because other people can read the date. If the host signs a person in to two
        /// containers at once, an exact time would reveal that both IDs belong to the same person.
        package init(
            _ record: UserRecordID,
            of account: AccountID,
            in container: Int64,
            at now: Timestamp,
            _ keys: KeyRing
        ) {
            self.account = account
            self.container = container
            self.record = record
            createdAt = now.startOfDay
            mac = keys.authenticationCode(of: message).bytes
        }

        /// - Parameter row: Its first columns are `account_id`, `container_id`, `record_id`, `created_at` and `mac`.
        package init(_ row: any Statement) throws {
            guard let account = row.withBytes(0, RandomID.init(bytes:)),
                let record = row.withBytes(2, RandomID.init(bytes:))
            else { throw AccountRows.changed }
            self.account = AccountID(account)
            container = row.integer(1)
            self.record = UserRecordID(record)
            createdAt = Timestamp(microseconds: row.integer(3))
            mac = row.bytes(4)
        }

        package func isAuthentic(with keys: KeyRing) -> Bool { keys.isAuthentic(mac, of: message) }

        /// The row, verified.
        package func verified(with keys: KeyRing) throws -> Row {
            guard isAuthentic(with: keys) else { throw AccountRows.changed }
            return self
        }

        /// The row with its authentication code under the newest key.
        func renewed(with keys: KeyRing) -> Row {
            var row = self
            row.mac = keys.authenticationCode(of: message).bytes
            return row
        }

        fileprivate var message: [UInt8] {
            var encoding = RowEncoding("users", capacity: 64)
            encoding.append(account.value)
            encoding.append(container)
            encoding.append(record.value)
            encoding.append(createdAt.microseconds)
            return encoding.bytes
        }
    }

    /// The user of an account in a container, verified.
    package static func row(of account: AccountID, in container: Int64, _ service: Service, _ db: Connection) throws
        -> Row?
    {
        let row = try db.first(
            """
            SELECT account_id, container_id, record_id, created_at, mac FROM users
            WHERE account_id = $1 AND container_id = $2
            """,
            .id(account.value),
            .integer(container),
            read: Row.init
        )
        return try row?.verified(with: service.keys(db))
    }

    /// The user with a user record ID, verified.
    package static func row(of record: UserRecordID, in container: Int64, _ service: Service, _ db: Connection) throws
        -> Row?
    {
        let row = try db.first(
            """
            SELECT account_id, container_id, record_id, created_at, mac FROM users
            WHERE container_id = $1 AND record_id = $2
            """,
            .integer(container),
            .id(record.value),
            read: Row.init
        )
        return try row?.verified(with: service.keys(db))
    }

    /// The users of an account, in the order of their containers' numbers. The rows are not verified yet.
    package static func all(of account: AccountID, _ db: Connection) throws -> [Row] {
        try db.all(
            """
            SELECT account_id, container_id, record_id, created_at, mac, roles FROM users
            WHERE account_id = $1 ORDER BY container_id
            """,
            .id(account.value)
        ) { row in
            var user = try Row(row)
            user.roles = RoleNames(stored: row.text(5))
            return user
        }
    }

    /// Inserts one user, unless the account already has a user record ID there, is suspended, does not exist, or the keys have
    /// changed; in these cases no row changes. It reads nothing, so that on a server many inserts share a round trip.
    static func insertIfPossible(_ row: Row, _ keys: KeyRing, _ db: Connection) throws -> ChangeCount {
        try db.executeCounting(
            """
            INSERT INTO users (account_id, container_id, record_id, mac, created_at)
            SELECT account_id, $2, $3, $4, $5 FROM accounts WHERE account_id = $1 AND is_suspended = 0
            AND EXISTS (SELECT 1 FROM service WHERE name = 'key_stamp' AND value = $6)
            ON CONFLICT DO NOTHING
            """,
            .id(row.account.value),
            .integer(row.container),
            .id(row.record.value),
            .bytes(row.mac),
            .integer(row.createdAt.microseconds),
            .tag(keys.stamp)
        )
    }

    package static func insert(_ rows: some Sequence<Row>, _ db: Connection) throws {
        try db.execute(
            "INSERT INTO users (account_id, container_id, record_id, mac, created_at) VALUES ($1, $2, $3, $4, $5)",
            for: rows
        ) { row in
            [
                .id(row.account.value),
                .integer(row.container),
                .id(row.record.value),
                .bytes(row.mac),
                .integer(row.createdAt.microseconds),
            ]
        }
    }

    /// Writes the authentication codes of rows.
    static func setCodes(_ rows: some Sequence<Row>, _ db: Connection) throws {
        try db.execute("UPDATE users SET mac = $3 WHERE account_id = $1 AND container_id = $2", for: rows) { row in
            [.id(row.account.value), .integer(row.container), .bytes(row.mac)]
        }
    }

    /// Sets the roles of an account in a container.
    static func set(_ roles: RoleNames, of account: AccountID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE users SET roles = $3 WHERE account_id = $1 AND container_id = $2",
            .id(account.value),
            .integer(container),
            .text(roles.stored)
        )
    }

    /// The accounts that have a role in a container.
    package static func accountsWithRoles(in container: Int64, _ db: Connection) throws -> [AccountID] {
        try db.all(
            "SELECT account_id FROM users WHERE container_id = $1 AND roles <> '' ORDER BY account_id",
            .integer(container)
        ) { row in
            guard let id = row.withBytes(0, RandomID.init(bytes:)) else { throw AccountRows.changed }
            return AccountID(id)
        }
    }

    /// Increases the revision that watchers of the account in this container observe.
    package static func touch(_ account: AccountID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE users SET revision = CASE WHEN revision BETWEEN 0 AND 4611686018427387904 THEN revision + 1 ELSE 0 END
            WHERE account_id = $1 AND container_id = $2
            """,
            .id(account.value),
            .integer(container)
        )
    }
}
