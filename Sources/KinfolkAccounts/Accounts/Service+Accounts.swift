public import KinfolkContacts
public import KinfolkCore
package import KinfolkCrypto
public import KinfolkModel
package import KinfolkStorage

extension Service {
    /// Creates an account.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if a part of the name has more than ``PersonName/maximumLength`` bytes.
    public func createAccount(name: PersonName = PersonName()) throws(KinfolkError) -> Account {
        try name.validate()
        return try write { db in try createAccount(name: name, db) }
    }

    /// Creates an account with addresses, or nothing if it fails. It takes no address from another account.
    package func createAccount(name: PersonName, emails: [String], verified: Bool) throws(KinfolkError) -> Account {
        try name.validate()
        var addresses: [(email: EmailAddress, spelling: String)] = []
        for spelling in emails { addresses.append((try EmailAddress(spelling), spelling)) }
        return try write { db in
            let account = try createAccount(name: name, db)
            for (email, spelling) in addresses {
                let owner = verified ? try EmailTable.owner(of: tags(of: email, db), db) : nil
                guard owner == nil || owner == account.id else {
                    throw KinfolkError(.conflict, "An account has this address already.")
                }
                _ = try account.addEmail(email, spelling: spelling, verified: verified, db)
            }
            return account
        }
    }

    /// - Parameter id: The ID of the account, random.
    package func createAccount(_ id: AccountID = AccountID(.make()), name: PersonName, _ db: Connection) throws
        -> Account
    {
        let keys = try keys(db)
        let row = try AccountTable.newRow(id, name, at: clock(), keys)
        try AccountTable.insert(
            [AccountRows(account: row, emails: [], users: [], decisions: [:], blocks: [:])],
            keys,
            db
        )
        return Account(service: self, id: id, isNew: true)
    }

    /// The account that has an address verified. If there is none, creates an account with this address, for which the host
    /// vouches.
    ///
    /// If several processes call this at the same time, one of them creates the account, and all of them get it.
    ///
    /// ```swift
    /// // The person has just proved the address to your sign-in service.
    /// let (account, isNew) = try service.findOrCreateAccount(email: "ada@example.com", name: PersonName(givenName: "Ada"))
    /// let session = try container.session(for: account)
    /// ```
    ///
    /// - Parameters:
    ///   - spelling: The address as the person writes it. Before you use this call to sign a person in, prove that the address is
    ///     theirs.
    ///   - name: The name for a new account. The name of an existing account is not changed.
    /// - Returns: The account, and whether this call created it.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if this is not an address,
    ///   ``KinfolkError/Code/limitExceeded`` if a part of the name has more than ``PersonName/maximumLength`` bytes.
    public func findOrCreateAccount(
        email spelling: String,
        name: PersonName = PersonName()
    ) throws(KinfolkError) -> (account: Account, isNew: Bool) {
        let email = try EmailAddress(spelling)
        try name.validate()
        if let id = try read({ db in try owner(of: tags(of: email, db), db)?.id }) {
            return (Account(service: self, id: id), false)
        }
        return try write { db in
            if let id = try owner(of: tags(of: email, db), db)?.id { return (Account(service: self, id: id), false) }
            let account = try createAccount(name: name, db)
            _ = try account.addEmail(email, spelling: spelling, verified: true, db)
            return (account, true)
        }
    }

    /// The account with this ID.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such account.
    public func account(_ id: AccountID) throws(KinfolkError) -> Account {
        let account = Account(service: self, id: id)
        _ = try read(account.row)
        return account
    }

    /// The account that has this address verified. An unverified address belongs to nobody.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if no account has it.
    public func account(email: EmailAddress) throws(KinfolkError) -> Account {
        let id = try read { db in try owner(of: tags(of: email, db), db)?.id }
        guard let id else {
            throw KinfolkError(
                .unknownItem,
                "No account has this address verified. Until one has, open the account by its ID."
            )
        }
        return Account(service: self, id: id)
    }

    /// The account that has the address with one of these tags verified. The table of addresses is trusted only if the account's
    /// own rows confirm it.
    package func owner(of tags: [Tag], _ db: Connection) throws -> (id: AccountID, tag: Tag)? {
        guard let id = try EmailTable.owner(of: tags, db) else { return nil }
        let emails = try AccountRows.verified(id, self, db)?.emails ?? []
        guard let row = emails.first(where: { tags.contains($0.tag) && $0.isVerified }) else {
            throw AccountRows.changed
        }
        return (id, row.tag)
    }

    /// Accounts in the order of their IDs, a page at a time: those after `last`, at most `limit`.
    ///
    /// ```swift
    /// var page = try service.accounts()
    /// while let last = page.last {
    ///     for account in page { print(account.id) }
    ///     page = try service.accounts(after: last.id)
    /// }
    /// ```
    public func accounts(after last: AccountID? = nil, limit: Int = 1_000) throws(KinfolkError) -> [Account] {
        let ids = try read { db in try AccountTable.ids(after: last, limit: max(0, limit), db) }
        return ids.map { Account(service: self, id: $0) }
    }
}
