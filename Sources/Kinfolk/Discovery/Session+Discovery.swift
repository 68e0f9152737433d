import KinfolkCrypto
import KinfolkStorage

/// Discovery finds people who granted discoverability in the session's container.
///
/// Somebody unknown, somebody who did not opt in, a suspended one and one who never used this container give the same answer,
/// through the same work.
extension Session {
    /// The person with this user record ID, or nil. It costs no permit: 128 random bits cannot be guessed.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func discover(_ record: UserRecordID) throws(KinfolkError) -> DiscoveredIdentity? {
        try service.read { db in
            _ = try userInGoodStanding(db)
            return try search(db).find(record, db)
        }
    }

    /// The person with this address, verified, or nil. It costs one permit, each time.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing,
    ///   ``KinfolkError/Code/requestRateLimited`` if no permit is left.
    public func discover(_ email: EmailAddress) throws(KinfolkError) -> DiscoveredIdentity? {
        try spendPermits(1)
        return try service.read { db in
            _ = try userInGoodStanding(db)
            return try search(db).find(email.contactHash, db)
        }
    }

    /// The people in a contact book: each once, in the order of the book, with all contacts that led to them. The session's
    /// own person is left out.
    ///
    /// Each contact that was not asked about before costs a permit. Contacts that lead to nobody leave no trace.
    ///
    /// - Parameters:
    ///   - book: The contacts.
    ///   - syncState: What an earlier discovery of this account in this container gave; several one after the other; or
    ///     nothing. A forged, damaged or foreign one counts as none.
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing,
    ///   ``KinfolkError/Code/limitExceeded`` for more new contacts than permits can ever be held,
    ///   ``KinfolkError/Code/requestRateLimited`` for more than are left. Neither of the last two spends a permit.
    public func discover(_ book: ContactBook, syncState: [UInt8] = []) throws(KinfolkError) -> Discovery {
        guard let account else { throw Session.nobody }
        let owner = syncStateOwner(account)
        var paid = SyncState(opening: syncState, with: service.keys.syncStates, for: owner)
        let new = newContacts(in: book, paid)
        try spendPermits(new.count)
        let identities = try service.read { db in
            try search(db).find(book, leavingOut: userInGoodStanding(db).record, db)
        }
        paid.add(new)
        return Discovery(
            identities: identities,
            syncState: paid.sealed(with: service.keys.syncStates, for: owner)
        )
    }

    private func search(_ db: Connection) throws -> DirectorySearch {
        DirectorySearch(container: container.number, keys: try service.keys(ofContainer: container.number, in: db))
    }

    private func spendPermits(_ count: Int) throws(KinfolkError) {
        guard count > 0 else { return }
        try service.write { db in
            let user = try userInGoodStanding(db)
            let limit = try container.permitLimit(db)
            try Permits.spend(count, of: user.account, in: container.number, limit: limit, at: service.clock(), db)
        }
    }

    /// The contacts that were not paid for, sorted, each once.
    private func newContacts(in book: ContactBook, _ paid: SyncState) -> [SyncState.Key] {
        var new = book.withUnsafeHashes { hashes in
            Array(hashes.lazy.map { $0.withUnsafeBytes(SyncState.Key.init) }.filter { !paid.contains($0) })
        }
        new.sort()
        var distinct: [SyncState.Key] = []
        for contact in new where contact != distinct.last { distinct.append(contact) }
        return distinct
    }

    private func syncStateOwner(_ account: AccountID) -> SealedPlace {
        SealedPlace("sync", "state", row: Array(String(container.number).utf8), account.value.bytes)
    }
}
