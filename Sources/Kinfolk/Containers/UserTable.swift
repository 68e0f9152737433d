import KinfolkStorage

/// The table of users: the user record ID of each account in each container that it uses.
enum UserTable {
    static func recordID(of account: AccountID, in container: Int64, _ db: Connection) throws -> UserRecordID? {
        let row = try db.first(
            "SELECT record_id FROM users WHERE account_id = $1 AND container_id = $2",
            .id(account.value),
            .integer(container)
        ) { $0.withBytes(0, RandomID.init(bytes:)) }
        return row.flatMap { $0.map(UserRecordID.init) }
    }

    /// Whose a user record ID is.
    static func account(of record: UserRecordID, in container: Int64, _ db: Connection) throws -> AccountID? {
        let row = try db.first(
            "SELECT account_id FROM users WHERE container_id = $1 AND record_id = $2",
            .integer(container),
            .id(record.value)
        ) { $0.withBytes(0, RandomID.init(bytes:)) }
        return row.flatMap { $0.map(AccountID.init) }
    }

    /// The containers that an account uses, and its user record ID in each.
    static func uses(of account: AccountID, _ db: Connection) throws -> [(container: Int64, record: UserRecordID)] {
        let rows = try db.all(
            "SELECT container_id, record_id FROM users WHERE account_id = $1",
            .id(account.value)
        ) { row in
            row.withBytes(1, RandomID.init(bytes:)).map { (container: row.integer(0), record: UserRecordID($0)) }
        }
        return rows.compactMap(\.self)
    }

    /// Inserts one user, unless the account has a user record ID there, is suspended or is gone: then no row changes. It asks
    /// nothing, so that on a server many share a journey.
    static func insertIfPossible(
        _ record: UserRecordID,
        of account: AccountID,
        in container: Int64,
        at now: Timestamp,
        _ db: Connection
    ) throws -> ChangeCount {
        try db.executeCounting(
            """
            INSERT INTO users (account_id, container_id, record_id, created_at)
            SELECT account_id, $2, $3, $4 FROM accounts WHERE account_id = $1 AND is_suspended = 0
            ON CONFLICT DO NOTHING
            """,
            .id(account.value),
            .integer(container),
            .id(record.value),
            .integer(now.startOfDay.microseconds)
        )
    }

    /// Of the moment only the day is kept: others read it, and a moment would tell which IDs in two containers are one
    /// person's whom the host signed in to both.
    static func insert(
        _ rows: some Sequence<(account: AccountID, record: UserRecordID)>,
        in container: Int64,
        at now: Timestamp,
        _ db: Connection
    ) throws {
        try db.execute(
            "INSERT INTO users (account_id, container_id, record_id, created_at) VALUES ($1, $2, $3, $4)",
            for: rows
        ) { row in
            [
                .id(row.account.value),
                .integer(container),
                .id(row.record.value),
                .integer(now.startOfDay.microseconds),
            ]
        }
    }

    /// Notes that something changed between the account and the container, for those who watch it.
    static func touch(_ account: AccountID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE users SET revision = revision + 1 WHERE account_id = $1 AND container_id = $2",
            .id(account.value),
            .integer(container)
        )
    }
}
