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
    /// - Parameters:
    ///   - spelling: The address as the person writes it.
    ///   - verified: Whether the host vouches that the address belongs to this person. If no other account has it verified, it
    ///     becomes verified at once. Otherwise this opens or completes a claim, like `verifyEmail(_:code:)`: see ``EmailClaim``.
    /// - Returns: The result of the host's vouching; nil if `verified` is false.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if this is not an address,
    ///   ``KinfolkError/Code/limitExceeded`` if the account has ``maximumEmails`` already.
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
            if try !has(tags, db) { try changing(db) { try insertEmail(email, spelling: spelling, tags, db) } }
            return try prove(self.email(tags, db), db)
        }
        guard try !has(tags, db) || verified && owner == nil else { return verified ? .verified : nil }
        try changing(db) {
            try insertEmail(email, spelling: spelling, tags, db)
            if verified { try own(self.email(tags, db).tag, tags, from: nil, db) }
        }
        return verified ? .verified : nil
    }

    private func has(_ tags: [Tag], _ db: Connection) throws -> Bool {
        try EmailTable.all(of: id, db).contains { tags.contains($0.tag) }
    }

    /// Inserts an address unless the account has it. Call this inside a change of this account.
    func insertEmail(_ email: EmailAddress, spelling: String, _ tags: [Tag], _ db: Connection) throws {
        let known = try EmailTable.all(of: id, db)
        guard !known.contains(where: { tags.contains($0.tag) }) else { return }
        guard known.count < Account.maximumEmails else {
            throw KinfolkError(.limitExceeded, "An account has at most \(Account.maximumEmails) addresses.")
        }
        let address = EmailTable.Address(email, spelling: Account.trimmed(spelling))
        try EmailTable.insert(address, tag: tags[0], of: id, at: service.clock(), service.keys(db), db)
    }

    /// Sets whether people can find the account by this address.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have it.
    public func setEmailDiscoverable(_ email: EmailAddress, _ isDiscoverable: Bool) throws(KinfolkError) {
        try change { db in
            let row = try self.email(service.tags(of: email, db), db)
            try EmailTable.setDiscoverable(row.tag, of: id, isDiscoverable, db)
        }
    }

    /// Removes an address.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have it.
    public func removeEmail(_ email: EmailAddress) throws(KinfolkError) {
        try change { db in
            let tags = try service.tags(of: email, db)
            let row = try self.email(tags, db)
            try noteDebts(of: row, db)
            try EmailTable.delete(row.tag, tags, of: id, db)
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

    /// Makes an address verified for this account, and takes it from its owner, if any. The account must have the address under
    /// `tag`, one of its tags. Call this inside a change of this account.
    package func own(_ tag: Tag, _ tags: [Tag], from owner: AccountID?, _ db: Connection) throws {
        if let owner {
            if owner == id { return }
            let loser = Account(service: service, id: owner)
            try loser.changing(db) {
                let row = try EmailTable.all(of: owner, db).first { tags.contains($0.tag) && $0.isVerified }
                guard let row else { throw AccountRows.changed }
                try loser.noteDebts(of: row, db)
                try EmailTable.delete(row.tag, tags, of: owner, db)
            }
        }
        try EmailTable.setVerified(tag, of: id, at: service.clock(), db)
        try inheritDebts(of: email([tag], db), db)
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
