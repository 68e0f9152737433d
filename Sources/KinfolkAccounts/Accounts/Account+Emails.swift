public import KinfolkContacts
import KinfolkCore
package import KinfolkCrypto
public import KinfolkModel
package import KinfolkStorage

extension Account {
    /// How many addresses an account may have.
    public static let maximumEmails = 100

    /// The account's addresses, in the order in which they were added.
    public func emails() throws(KinfolkError) -> [AccountEmail] {
        try service.read(emails)
    }

    package func emails(_ db: Connection) throws -> [AccountEmail] {
        _ = try row(db)
        let keys = try service.keys(db)
        return try EmailTable.all(of: id, db).map { row in
            AccountEmail(
                spelling: try row.open(with: keys).spelling,
                verifiedAt: row.verifiedAt,
                isDiscoverable: row.isDiscoverable,
                addedAt: row.addedAt
            )
        }
    }

    /// Adds an address.
    ///
    /// Adding an address again keeps the existing one, and proves it if `verified` is true.
    ///
    /// ```swift
    /// try account.addEmail("ada@example.com")                   // not verified: nobody finds her by it yet
    /// if let claim = try account.addEmail("ada@example.org", verified: true)?.claim {
    ///     print("another account has this address: mail the notice to \(claim.notice)")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - spelling: The address as the person writes it.
    ///   - verified: Whether the host vouches that the address belongs to this person. If no other account has it verified, it
    ///     becomes verified at once. Otherwise this opens or completes a claim, like `verifyEmail(_:code:)`: see ``EmailClaim``.
    /// - Returns: The result of the host's vouching; nil if `verified` is false.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if this is not an address,
    ///   ``KinfolkError/Code/limitExceeded`` if the account has ``maximumEmails`` already, or if a claim would be one of more than 20
    ///   on the address or 100 of the account.
    @discardableResult
    public func addEmail(_ spelling: String, verified: Bool = false) throws(KinfolkError) -> EmailVerification? {
        let email = try EmailAddress(spelling)
        let verification = try service.write { db in
            try AccountRows.askAhead(id, db)
            try db.askAhead {
                // Uses the keys in memory, which are stale only if they were changed just now.
                guard verified, let keys = service.keychain.latest else { return }
                _ = try EmailTable.owner(of: keys.tags(of: email), db)
            }
            _ = try row(db)
            return try addEmail(email, spelling: spelling, verified: verified, db)
        }
        service.watcher.stir()
        return verification
    }

    /// Changes the account, and notifies its watchers, only if the address is added or becomes verified. A claim does not change
    /// the account, because applications must not notice it.
    package func addEmail(
        _ email: EmailAddress,
        spelling: String,
        verified: Bool,
        _ db: Connection
    ) throws -> EmailVerification? {
        let tags = try service.tags(of: email, db)
        let owner = verified ? try EmailTable.owner(of: tags, db) : nil
        if let owner, owner != id {
            if try !has(tags, db) {
                try changing(db) { rows in try insertEmail(email, spelling: spelling, tags, &rows, db) }
            }
            return try prove(self.email(tags, db), db)
        }
        guard try !has(tags, db) || verified && owner == nil else { return verified ? .verified : nil }
        try changing(db) { rows in
            try insertEmail(email, spelling: spelling, tags, &rows, db)
            if verified { try own(rows.email(tags).tag, tags, from: nil, &rows, db) }
        }
        return verified ? .verified : nil
    }

    private func has(_ tags: [Tag], _ db: Connection) throws -> Bool {
        try EmailTable.all(of: id, db).contains { tags.contains($0.tag) }
    }

    /// Inserts an address unless the account has it. `rows` are those of this account, in a change of it.
    func insertEmail(
        _ email: EmailAddress,
        spelling: String,
        _ tags: [Tag],
        _ rows: inout AccountRows,
        _ db: Connection
    ) throws {
        guard !rows.emails.contains(where: { tags.contains($0.tag) }) else { return }
        guard rows.emails.count < Account.maximumEmails else {
            throw KinfolkError(.limitExceeded, "An account has at most \(Account.maximumEmails) addresses.")
        }
        let address = EmailTable.Address(email, spelling: Account.trimmed(spelling))
        try rows.insert(address, tag: tags[0], at: service.clock(), service.keys(db), db)
    }

    /// Sets whether people can find the account by this address.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have it.
    public func setEmailDiscoverable(_ email: EmailAddress, _ isDiscoverable: Bool) throws(KinfolkError) {
        try change { rows, db in
            try rows.setDiscoverable(rows.email(service.tags(of: email, db)).tag, isDiscoverable, db)
        }
    }

    /// Removes an address.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have it.
    public func removeEmail(_ email: EmailAddress) throws(KinfolkError) {
        try change { rows, db in
            let tags = try service.tags(of: email, db)
            let row = try rows.email(tags)
            try noteDebts(of: row, db)
            try rows.delete(row, tags, db)
            try Claims(service, db).withdraw(tags, by: id)
        }
    }

    /// The account's address with one of these tags.
    package func email(_ tags: [Tag], _ db: Connection) throws -> EmailTable.Row {
        guard let row = try EmailTable.all(of: id, db).first(where: { tags.contains($0.tag) }) else {
            throw KinfolkError(.unknownItem, "The account does not have this address.")
        }
        return row
    }

    /// Makes an address verified for this account, and takes it from its owner, if any.
    ///
    /// - Parameters:
    ///   - tag: The tag under which this account has the address, one of its `tags`.
    ///   - rows: The rows of this account, in a change of it.
    package func own(
        _ tag: Tag,
        _ tags: [Tag],
        from owner: AccountID?,
        _ rows: inout AccountRows,
        _ db: Connection
    ) throws {
        if let owner {
            if owner == id { return }
            let loser = Account(service: service, id: owner)
            try loser.changing(db) { rows in
                guard let row = rows.emails.first(where: { tags.contains($0.tag) && $0.isVerified }) else {
                    throw AccountRows.changed
                }
                try loser.noteDebts(of: row, db)
                try rows.delete(row, tags, db)
            }
        }
        try rows.setVerified(tag, at: service.clock(), db)
        try inheritDebts(of: rows.email([tag]), db)
    }

    /// Stores what was spent with an address that the account is about to lose. Call this before a verified address is taken from
    /// an account, or ``LimitDebts/note(of:for:_:)`` for several addresses.
    package func noteDebts(of row: EmailTable.Row, _ db: Connection) throws {
        guard row.isVerified else { return }
        try LimitDebts(service, db).note(of: id, for: [row.open(with: service.keys(db)).hash], db)
    }

    /// Makes the account inherit what was spent with an address that has become verified for it. Call this after an address
    /// becomes verified, in the same transaction.
    func inheritDebts(of row: EmailTable.Row, _ db: Connection) throws {
        try LimitDebts(service, db).inherit(id, from: [row.open(with: service.keys(db)).hash], db)
    }

    /// The spelling without white space around it.
    fileprivate static func trimmed(_ spelling: String) -> String {
        var text = spelling[...]
        while let first = text.first, first.isWhitespace { text.removeFirst() }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }
}

extension Service {
    /// The tags of an address in the operator's tables, under the keys of this transaction.
    package func tags(of email: EmailAddress, _ db: Connection) throws -> [Tag] { try keys(db).tags(of: email) }
}

extension KeyRing {
    package func tags(of email: EmailAddress) -> [Tag] { tags(of: email.contactHash.withUnsafeBytes { Array($0) }) }
}
