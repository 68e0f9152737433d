package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// All authenticated rows of one account: its status, its addresses, its user record IDs and roles, its decisions about being
/// found, and its blocks.
///
/// The account's row holds a digest of them and a message authentication code. If somebody changes one of these rows without the
/// key, the next use of the account throws `storeCorrupt`. The code covers a revision that increases with each change, so a
/// restored older row is detected too. A restored older state of the whole account is not detected: see `docs/threat-model.md`.
package struct AccountRows {
    package internal(set) var account: AccountTable.Row
    package internal(set) var emails: [EmailTable.Row]
    package internal(set) var users: [UserTable.Row]
    /// The last decision in each container that has one.
    package internal(set) var decisions: [Int64: ConsentTable.Last]
    /// The blocks that the person, or the operator for them, made in each container that has some.
    package internal(set) var blocks: [Int64: [BlockTable.Row]]
    /// Whether the rows in the store were edited without the key. This value then has no rows.
    let isDamaged: Bool
    /// Shared by the states of an account before and after a change.
    private let opened: OpenedAddresses

    package init(
        account: AccountTable.Row,
        emails: [EmailTable.Row],
        users: [UserTable.Row] = [],
        decisions: [Int64: ConsentTable.Last] = [:],
        blocks: [Int64: [BlockTable.Row]] = [:]
    ) {
        self.account = account
        self.emails = emails
        self.users = users
        self.decisions = decisions
        self.blocks = blocks
        isDamaged = false
        opened = OpenedAddresses()
    }

    /// Stands for the rows of an account that were edited without the key: changes are made in the store only.
    init(damaged id: AccountID) {
        account = AccountTable.Row(
            standing: AccountStanding(id: id, revision: 0, digest: Tag()),
            sealedName: [],
            createdAt: Timestamp(microseconds: 0)
        )
        (emails, users, decisions, blocks) = ([], [], [:], [:])
        isDamaged = true
        opened = OpenedAddresses()
    }

    /// Prefetches all of them in one round trip to a server.
    package static func askAhead(_ id: AccountID, _ db: Connection) throws {
        try db.askAhead {
            _ = try KeyTable.stamp(db)
            _ = try AccountTable.row(id, db)
            _ = try EmailTable.all(of: id, db)
            _ = try UserTable.all(of: id, db)
            _ = try ConsentTable.last(of: id, db)
            _ = try BlockTable.all(of: id, db)
        }
    }

    /// The rows without verification. Nil if there is no such account.
    package static func load(_ id: AccountID, _ db: Connection) throws -> AccountRows? {
        try askAhead(id, db)
        let (account, emails) = (try AccountTable.row(id, db), try EmailTable.all(of: id, db))
        let users = try UserTable.all(of: id, db)
        guard let account else {
            // An account is deleted together with all its rows.
            guard emails.isEmpty, users.isEmpty else { throw AccountRows.changed }
            return nil
        }
        return AccountRows(
            account: account,
            emails: emails,
            users: users,
            decisions: try ConsentTable.last(of: id, db),
            blocks: Dictionary(grouping: try BlockTable.all(of: id, db), by: \.container)
        )
    }

    /// The user record ID in a container.
    package func record(in container: Int64) -> UserRecordID? { users.first { $0.container == container }?.record }

    /// Whether the person may be found in a container, unless the account is suspended.
    package func isDiscoverable(in container: Int64) -> Bool { decisions[container]?.decision == .granted }

    /// The rows without those of one container.
    package func without(_ container: Int64) -> AccountRows {
        AccountRows(
            account: account,
            emails: emails,
            users: users.filter { $0.container != container },
            decisions: decisions.filter { $0.key != container },
            blocks: blocks.filter { $0.key != container }
        )
    }

    // MARK: What is authenticated

    /// The digest of everything except the status and the revision.
    package var digest: Tag {
        var encoding = RowEncoding("account", capacity: 1_024)
        encoding.append(account.createdAt.microseconds)
        encoding.append(account.sealedName)
        encoding.append(emails.count)
        for email in emails { email.append(to: &encoding) }
        for user in users.sorted(by: { $0.container < $1.container }) {
            let (decision, blocks) = (decisions[user.container], blocks[user.container] ?? [])
            // A first session does not change the digest, so that it needs only one statement.
            guard decision != nil || !blocks.isEmpty || !user.roles.isEmpty else { continue }
            encoding.append(user.container)
            encoding.append(user.record.value)
            encoding.append((decision == nil ? 0 : 1) + (user.roles.isEmpty ? 0 : 2))
            decision?.append(to: &encoding)
            encoding.append(blocks.count)
            for block in blocks { block.append(to: &encoding) }
            // Version 0.1.0 had no roles, so a user without roles is encoded as in it.
            if !user.roles.isEmpty { encoding.append(Array(user.roles.stored.utf8)) }
        }
        return encoding.digest
    }

    /// Throws unless the rows are those that were last written with the key.
    package func verify(with keys: KeyRing) throws {
        guard account.standing.digest == digest, account.standing.isAuthentic(with: keys),
            users.allSatisfy({ $0.isAuthentic(with: keys) }), Set(users.map(\.container)).count == users.count,
            decisions.values.allSatisfy(\.isChained),
            emails.allSatisfy({ $0.isVerified == ($0.owner == account.id) })
        else { throw AccountRows.changed }
    }

    package static var changed: KinfolkError {
        .damaged(
            "The rows of an account are not authentic: the store was edited without the key."
        )
    }
}

extension AccountRows {
    /// The rows, verified. Nil if there is no such account.
    package static func verified(_ id: AccountID, _ service: Service, _ db: Connection) throws -> AccountRows? {
        guard let rows = try load(id, db) else { return nil }
        try rows.verify(with: service.keys(db))
        try KnownAccounts.of(db)?.note(rows)
        VerifiedAccounts.note(rows, db)
        return rows
    }

    /// Writes a new revision and digest of each account after a change of any of its rows.
    static func renewed(_ accounts: [AccountRows], _ keys: KeyRing, _ db: Connection) throws -> [AccountRows] {
        let renewed = try accounts.map { rows in
            var rows = rows
            let (revision, isOver) = rows.account.standing.revision.addingReportingOverflow(1)
            guard !isOver else { throw AccountRows.changed }
            rows.account.standing.revision = revision
            rows.account.standing.digest = rows.digest
            rows.account.standing.authenticate(with: keys)
            return rows
        }
        try AccountTable.write(renewed.lazy.map(\.account.standing), db)
        return renewed
    }

    /// Reads the rows again, after changes that were made in the store only.
    package mutating func reload(_ db: Connection) throws {
        guard !isDamaged else { return }
        guard let rows = try AccountRows.load(account.id, db) else { throw Account.unknown }
        (account, emails, users) = (rows.account, rows.emails, rows.users)
        (decisions, blocks) = (rows.decisions, rows.blocks)
    }

    /// An address, for indexes.
    package struct Address {
        package let hash: [UInt8]
        /// Whether people can find the account by the address.
        package let isDiscoverable: Bool
    }

    /// The addresses of the account. Each is unsealed once.
    package func addresses(with keys: KeyRing) throws -> [Address] {
        try emails.map { row in
            Address(
                hash: try opened.address(of: row, with: keys).hash,
                isDiscoverable: row.isDiscoverable && row.isVerified
            )
        }
    }

    /// Replaces the addresses by the same ones under other keys, so that they need not be unsealed again.
    mutating func replace(_ rows: [(row: EmailTable.Row, address: EmailTable.Address)]) {
        // In the order in which they are read.
        emails = rows.map(\.row).sorted { ($0.number, $0.tag) < ($1.number, $1.tag) }
        for (row, address) in rows { opened.note(address, of: row) }
    }

    /// An address of the account, unsealed once.
    func address(of row: EmailTable.Row, with keys: KeyRing) throws -> EmailTable.Address {
        try opened.address(of: row, with: keys)
    }

    /// Verifies every account of the store.
    ///
    /// - Returns: How many there are.
    package static func verifyAll(with keys: KeyRing, _ db: Connection) throws -> Int {
        var (count, last): (Int, AccountID?) = (0, nil)
        while true {
            let ids = try AccountTable.ids(after: last, limit: 1_000, db)
            for id in ids { try load(id, db)?.verify(with: keys) }
            count += ids.count
            guard let end = ids.last else { return count }
            last = end
        }
    }
}
