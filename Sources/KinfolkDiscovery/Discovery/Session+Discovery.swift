public import KinfolkAccounts
public import KinfolkContacts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
package import KinfolkStorage

/// Discovery finds people who granted discoverability in the session's container.
///
/// For a person who is unknown, has not opted in, is suspended or never used this container, the answer is the same, after the
/// same work.
extension Session {
    /// The person with this user record ID, or nil. It costs no permit: 128 random bits cannot be guessed.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func discover(_ record: UserRecordID) throws(KinfolkError) -> DiscoveredIdentity? {
        let found = try service.read { db in try search(db).find(record, db) }
        note(.discovery)
        return found
    }

    /// The person who has this address verified, or nil. Each call costs one permit.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing,
    ///   ``KinfolkError/Code/requestRateLimited`` if no permit is left,
    ///   ``KinfolkError/Code/permissionFailure`` if the container's directory is private.
    public func discover(_ email: EmailAddress) throws(KinfolkError) -> DiscoveredIdentity? {
        let found = try spending(1) { () throws(KinfolkError) in
            try service.read { db in try hashSearch(db).find(email.contactHash, db) }
        }
        note(.discovery)
        return found
    }

    /// The people in a contact book: each once, in the order of the book, with all contacts that led to them. The session's own
    /// person is left out.
    ///
    /// Each contact that was not searched for before costs a permit. Contacts that match nobody are not stored.
    ///
    /// ```swift
    /// let discovery = try session.discover(book, syncState: saved)
    /// saved = discovery.syncState  // next time these contacts cost no permits
    /// for person in discovery.identities { print(person.name.givenName, person.contacts.map(\.label)) }
    /// ```
    ///
    /// - Parameters:
    ///   - book: The contacts.
    ///   - syncState: The state from an earlier discovery by this account in this container, several states one after the other,
    ///     or nothing. A forged, damaged or foreign state is ignored.
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing,
    ///   ``KinfolkError/Code/limitExceeded`` for more new contacts than the permits that the person can ever hold,
    ///   ``KinfolkError/Code/requestRateLimited`` for more than the permits that are left,
    ///   ``KinfolkError/Code/permissionFailure`` if the container's directory is private. None of the last three errors spends a
    ///   permit.
    public func discover(_ book: ContactBook, syncState: [UInt8] = []) throws(KinfolkError) -> Discovery {
        guard let account else { throw Session.nobody }
        let owner = syncStateOwner(account)
        func find(_ db: Connection) throws -> [DiscoveredIdentity] { try hashSearch(db).find(book, db) }
        // If everything is paid for, one transaction does all the work.
        var (paid, new, keys, free) = try service.read { db in
            let keys = try service.keys(db).syncStates
            let paid = SyncState(opening: syncState, with: keys, for: owner)
            let new = newContacts(in: book, paid)
            return (paid, new, keys, new.isEmpty ? try find(db) : nil)
        }
        let identities =
            if let free { free } else {
                try spending(new.count) { () throws(KinfolkError) in try service.read(find) }
            }
        note(.discovery)
        if new.isEmpty && paid.isAsGiven { return Discovery(identities: identities, syncState: syncState) }
        paid.add(new)
        do {
            return Discovery(identities: identities, syncState: try paid.sealed(with: keys, for: owner))
        } catch { throw KinfolkError(error) }
    }

    /// A search by contact hashes; throws if the container keeps no directory of them.
    private func hashSearch(_ db: Connection) throws -> DirectorySearch {
        let search = try search(db)
        guard try service.directories(ofContainer: container.number, in: db).hasHashes else {
            throw KinfolkError(
                .permissionFailure,
                "The container keeps no directory of contact hashes: people are found by private discovery."
            )
        }
        return search
    }

    /// What this session may find, as the transaction sees it.
    package func search(_ db: Connection) throws -> DirectorySearch {
        let user = try userInGoodStanding(db)
        return DirectorySearch(
            container: container.number,
            keys: try service.keys(ofContainer: container.number, in: db),
            accountKeys: try service.keys(db),
            caller: user.record,
            hidden: try BlockTable.hidden(from: user.record, in: container.number, db),
            filters: service.filters
        )
    }

    /// The contacts that were not paid for before, sorted, each once.
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
        SealedPlace("sync", "state", row: .number(container.number), .tag(account.value.tag))
    }
}
