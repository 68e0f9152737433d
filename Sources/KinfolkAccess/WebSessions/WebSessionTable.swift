import KinfolkAccounts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of web sessions, and of sign-in codes, which become web sessions when they are redeemed.
///
/// The content of a row is sealed at a place that has the account, the container and the session ID in it, and repeats the other columns.
/// So nobody without the key can give a session another account, token or time.
package enum WebSessionTable {
    /// The most sessions of an account in a container. The oldest one ends when there is another.
    package static let limit = 100

    private static let columns = """
        account_id, container_id, session_id, token_tag, previous_tag, code_tag, api_token_tag, expires_at, sealed_session
        """

    // MARK: Looking up

    /// By which of its tags a row is found.
    enum TagColumn: String {
        case token = "token_tag"
        case previousToken = "previous_tag"
        case code = "code_tag"
    }

    static func row(
        by column: TagColumn,
        _ tag: Tag,
        in container: Int64,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> WebSessionRow? {
        try rows("container_id = $1 AND \(column.rawValue) = $2", [.integer(container), .tag(tag)], keys, db).first
    }

    /// The sessions and codes of an account in one container.
    static func all(of account: AccountID, in container: Int64, _ keys: KeyRing, _ db: Connection) throws
        -> [WebSessionRow]
    {
        try rows("account_id = $1 AND container_id = $2", [.id(account.value), .integer(container)], keys, db)
    }

    /// The sessions of an account, without codes, the oldest first.
    ///
    /// - Parameter container: Those in this container; nil for all.
    package static func sessions(
        of account: AccountID,
        in container: Int64? = nil,
        at now: Timestamp,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> [WebSession] {
        let containers = try db.all(
            """
            SELECT container_id, name, environment FROM containers WHERE state = 0 AND container_id IN
            (SELECT container_id FROM web_sessions WHERE account_id = $1)
            """,
            .id(account.value)
        ) { (number: $0.integer(0), name: $0.text(1), environment: ContainerEnvironment(rawValue: $0.integer(2))) }
        var found: [(row: WebSessionRow, session: WebSession)] = []
        for (number, name, environment) in containers where container == nil || container == number {
            guard let environment else { throw StorageError(.corrupt) }
            for row in try all(of: account, in: number, keys, db)
            where row.content.tokenTag != nil && row.content.isCurrent(at: now) {
                found.append((row, row.description(container: name, environment)))
            }
        }
        return found.sorted { ($0.session.createdAt, $0.row.id) < ($1.session.createdAt, $1.row.id) }.map(\.session)
    }

    private static func rows(_ condition: String, _ values: [Value], _ keys: KeyRing, _ db: Connection) throws
        -> [WebSessionRow]
    {
        try db.using(composed: "SELECT \(columns) FROM web_sessions WHERE \(condition)", values) { statement in
            var rows: [WebSessionRow] = []
            while try statement.step() {
                if let row = try row(statement, keys) { rows.append(row) }
            }
            return rows
        }
    }

    /// A session, verified. Nil if it ended because the key leaked under which it is sealed: whoever has that key can make sessions.
    ///
    /// - Parameter row: A row with all columns of the table, in their order.
    package static func row(_ row: any Statement, _ keys: KeyRing) throws -> WebSessionRow? {
        func tag(_ column: Int32) throws -> Tag? {
            guard !row.isNull(column) else { return nil }
            guard let tag = row.withBytes(column, Tag.init) else { throw StorageError(.corrupt) }
            return tag
        }
        guard let account = row.withBytes(0, RandomID.init(bytes:)).map(AccountID.init),
            let id = row.withBytes(2, RandomID.init(bytes:))
        else { throw StorageError(.corrupt) }
        let (container, sealed) = (row.integer(1), row.bytes(8))
        guard !keys.isLeaked || keys.sealing.isNewest(sealed) else { return nil }
        let content = try WebSessionContent(keys.sealing.open(sealed, at: place(of: id, account, in: container)))
        guard try tag(3) == content.tokenTag, try tag(4) == content.previousTag, try tag(5) == content.codeTag,
            try tag(6) == content.apiTokenTag, row.integer(7) == content.expiresAt.microseconds
        else { throw KinfolkError.damaged("A web session was changed: the store was edited without the key.") }
        return WebSessionRow(account: account, container: container, id: id, content: content)
    }

    // MARK: Changes

    static func insert(_ row: WebSessionRow, _ keys: KeyRing, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO web_sessions (account_id, container_id, session_id, token_tag, previous_tag, code_tag, expires_at,
            sealed_session, api_token_tag) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            for: [row]
        ) { try values($0, keys) + [.tag($0.content.apiTokenTag)] }
    }

    /// Writes the content of a session that exists.
    static func update(_ row: WebSessionRow, _ keys: KeyRing, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE web_sessions SET token_tag = $4, previous_tag = $5, code_tag = $6, expires_at = $7, sealed_session = $8
            WHERE account_id = $1 AND container_id = $2 AND session_id = $3
            """,
            for: [row]
        ) { try values($0, keys) }
    }

    private static func values(_ row: WebSessionRow, _ keys: KeyRing) throws -> [Value] {
        func value(_ tag: Tag?) -> Value { tag.map(Value.tag) ?? .null }
        let sealed = try keys.sealing.seal(row.content.bytes, at: place(of: row.id, row.account, in: row.container))
        return [
            .id(row.account.value), .integer(row.container), .id(row.id), value(row.content.tokenTag),
            value(row.content.previousTag), value(row.content.codeTag), .integer(row.content.expiresAt.microseconds),
            .bytes(sealed),
        ]
    }

    static func delete(_ row: WebSessionRow, _ db: Connection) throws {
        try delete(row.id, of: row.account, db)
    }

    static func delete(_ id: RandomID, of account: AccountID, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM web_sessions WHERE account_id = $1 AND session_id = $2",
            .id(account.value),
            .id(id)
        )
    }

    /// Ends the session with this token, or with this token as its previous one. A damaged row can be deleted, too.
    static func delete(withToken tag: Tag, in container: Int64, _ db: Connection) throws {
        for sql in [
            "DELETE FROM web_sessions WHERE container_id = $1 AND token_tag = $2",
            "DELETE FROM web_sessions WHERE container_id = $1 AND previous_tag = $2",
        ] as [StaticString] {
            try db.execute(sql, .integer(container), .tag(tag))
        }
    }

    /// Ends all sessions of an account, also those whose rows are damaged.
    static func deleteAll(of account: AccountID, _ db: Connection) throws {
        try db.execute("DELETE FROM web_sessions WHERE account_id = $1", .id(account.value))
    }

    static func deleteAll(of account: AccountID, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM web_sessions WHERE account_id = $1 AND container_id = $2",
            .id(account.value),
            .integer(container)
        )
    }

    /// Ends the sessions that were begun through an API token.
    static func deleteAll(through token: Tag, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM web_sessions WHERE container_id = $1 AND api_token_tag = $2",
            .integer(container),
            .tag(token)
        )
    }

    /// Ends the sessions of accounts that were suspended, in the transaction that suspends them. An account that is resumed signs in again.
    static func follow(_ changes: [AccountChange], _ db: Connection) throws {
        for change in changes {
            switch change {
            case .changed(let before, let after):
                if after.account.isSuspended && !before.account.isSuspended {
                    try deleteAll(of: after.account.id, db)
                    try SignInTable.deleteAll(of: after.account.id, db)
                }
            case .damaged(let account):
                try deleteAll(of: account, db)
                try SignInTable.deleteAll(of: account, db)
            }
        }
    }

    // MARK: Time

    /// How many expired rows are deleted at once.
    private static let batchSize: Int64 = 10_000

    /// Deletes sessions and codes that have expired.
    static func deleteExpired(at now: Timestamp, _ db: Connection) throws {
        let rows = try db.all(
            """
            SELECT account_id, container_id, session_id FROM web_sessions WHERE expires_at <= $1
            ORDER BY expires_at LIMIT $2
            """,
            .integer(now.microseconds),
            .integer(batchSize)
        ) { (account: $0.bytes(0), container: $0.integer(1), id: $0.bytes(2)) }
        try db.execute(
            "DELETE FROM web_sessions WHERE account_id = $1 AND container_id = $2 AND session_id = $3",
            for: rows
        ) { [.bytes($0.account), .integer($0.container), .bytes($0.id)] }
    }

    // MARK: Leaked keys

    /// Ends the sessions that are not sealed under the newest key, because an older one leaked.
    package static func deleteUnlessNewest(_ keys: KeyRing, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM web_sessions WHERE substr(sealed_session, 1, 4) <> $1",
            .bytes(keys.sealing.newestID)
        )
    }

    private static func place(of id: RandomID, _ account: AccountID, in container: Int64) -> SealedPlace {
        SealedPlace(
            "web_sessions",
            "sealed_session",
            row: .tag(account.value.tag),
            .number(container),
            .tag(id.tag)
        )
    }
}
