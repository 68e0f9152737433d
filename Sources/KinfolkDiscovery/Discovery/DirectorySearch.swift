import KinfolkAccounts
package import KinfolkContacts
package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// What one person may find in the directory of one container.
///
/// A person who is unknown, has not opted in, is suspended or never used the container has no rows, so a search does the same
/// work for all of these cases. A person who is hidden from the caller by a block is treated as missing before any of their data
/// is read.
///
/// The tables are not trusted: each hit is checked against the sealed identity of the person, and the identity against the
/// account (``PublishedIdentity``). A row that contradicts the account is an error, and finds nobody.
package struct DirectorySearch {
    package let container: Int64
    package let keys: ContainerKeys
    /// The keys with which a hit is checked against the account.
    package let accountKeys: KeyRing
    package let caller: UserRecordID
    package let hidden: Set<UserRecordID>
    package let filters: DirectoryFilterCache

    /// Searches for fewer contacts than this, like single look-ups, do not use the filter: in a search that short, the time would
    /// reveal whether one of them needed a read of the store.
    private static let fewContacts = 100

    private static let recordsByTag: StaticString =
        "SELECT tag, record_id FROM directory WHERE container_id = $1 AND tag = ANY($2)"

    private static let identitiesByRecord: StaticString =
        "SELECT record_id, sealed_identity FROM identities WHERE container_id = $1 AND record_id = ANY($2)"

    /// The row of a tag, or the next one: there is a row to read even for a missing person, so that the time does not reveal whom
    /// a block hides.
    private static let nearest: StaticString =
        "SELECT tag, record_id FROM directory WHERE container_id = $1 AND tag >= $2 ORDER BY tag LIMIT 1"

    /// The person with this user record ID.
    package func find(_ record: UserRecordID, _ db: Connection) throws -> DiscoveredIdentity? {
        // A hidden person is looked up like any other, but under an ID that nobody has.
        let opposite = record.opposite
        let wanted = Wanted(record: hidden.contains(record) ? opposite : record, tags: [], contacts: [])
        return try identities(of: [wanted], db).first ?? nil
    }

    /// The person with this contact hash.
    package func find(_ hash: ContactHash, _ db: Connection) throws -> DiscoveredIdentity? {
        for key in keys.directoryTags {
            let tag = hash.withUnsafeBytes(key.tag)
            let row = try nearestRow(tag, db)
            // Both conditions are evaluated for every row, and a hidden person is then treated as missing.
            guard let row, let record = row.record.map(UserRecordID.init) else { continue }
            let isHidden = hidden.contains(record)
            let isThere = row.tag == tag
            guard isThere, !isHidden else { continue }
            return try identities(of: [Wanted(record: record, tags: [tag], contacts: [])], db).first ?? nil
        }
        return nil
    }

    private func nearestRow(_ tag: Tag, _ db: Connection) throws -> (tag: Tag?, record: RandomID?)? {
        let statement = try db.statement(DirectorySearch.nearest)
        defer { db.finish(statement) }
        try statement.bind(container, at: 1)
        return try tag.withUnsafeBytes { tag in
            try statement.bind(inPlace: tag, at: 2)
            guard try statement.step() else { return nil }
            return (statement.withBytes(0, Tag.init), statement.withBytes(1, RandomID.init(bytes:)))
        }
    }

    /// The people in a contact book, each once and in the order of the book, without the caller.
    package func find(_ book: ContactBook, _ db: Connection) throws -> [DiscoveredIdentity] {
        var people: [Wanted] = []
        var positions: [UserRecordID: Int] = [:]
        for match in try matches(in: book, db) {
            let contact = DiscoveredIdentity.Contact(index: match.index, label: book.label(at: match.index))
            if let position = positions[match.record] {
                people[position].contacts.append(contact)
                people[position].tags.append(match.tag)
            } else {
                positions[match.record] = people.count
                people.append(Wanted(record: match.record, tags: [match.tag], contacts: [contact]))
            }
        }
        return try identities(of: people, db).compactMap(\.self)
    }

    // MARK: Who they are

    /// A person to whom a search has led.
    private struct Wanted {
        let record: UserRecordID
        /// The tags by which the person was found, which must be in the person's identity; empty for a search by record ID.
        var tags: [Tag]
        var contacts: [DiscoveredIdentity.Contact]
    }

    /// The identities of people, checked; nil for people who are not in the directory, or who have blocked the caller.
    private func identities(of people: [Wanted], _ db: Connection) throws -> [DiscoveredIdentity?] {
        let identities = try publishedIdentities(of: people, db)
        try check(identities, db)
        return try zip(people, identities).map { wanted, identity in
            guard let identity else {
                // A search by ID may ask for a missing person. A tag only leads to people who are there.
                guard wanted.tags.isEmpty else { throw DirectorySearch.changed }
                return nil
            }
            guard wanted.tags.allSatisfy(identity.tags.contains) else { throw DirectorySearch.changed }
            // The table of blocks has already hidden them, unless a row was deleted without the key.
            guard !identity.hasBlocked(caller) else { return nil }
            return DiscoveredIdentity(userRecordID: wanted.record, name: identity.name, contacts: wanted.contacts)
        }
    }

    private func publishedIdentities(of people: [Wanted], _ db: Connection) throws -> [PublishedIdentity?] {
        var identities = [PublishedIdentity?](repeating: nil, count: people.count)
        try people.map(\.record).withUnsafeBytes { records in
            try db.lookUp(DirectorySearch.identitiesByRecord, .integer(container), keys: KeyList(records)) {
                position,
                row in
                let place = DirectoryIndex.place(ofIdentityOf: people[position].record, in: container)
                identities[position] = try row.withBytes(1) {
                    try PublishedIdentity(bytes: keys.sealing.open($0, at: place))
                }
            }
        }
        return identities
    }

    /// Throws unless each of these identities is the one that its account published last.
    private func check(_ identities: [PublishedIdentity?], _ db: Connection) throws {
        // A missing person is looked up like the others, under an ID that no account has.
        let accounts = identities.map { $0?.account ?? AccountID(.make()) }
        var isRight = identities.map { $0 == nil }
        try AccountTable.forEachStanding(of: accounts, db) { position, standing in
            guard let identity = identities[position] else { return }
            isRight[position] =
                standing.revision == identity.revision && !standing.isSuspended
                && standing.isAuthentic(with: accountKeys)
        }
        guard !isRight.contains(false) else { throw DirectorySearch.changed }
    }

    private static var changed: KinfolkError {
        .damaged(
            "The directory contradicts the accounts: the store was edited without the key, or a part of it is older."
        )
    }

    // MARK: What the contacts of a book lead to

    /// The people to whom the contacts of a book lead, in its order, without hidden people and the caller.
    private func matches(in book: ContactBook, _ db: Connection) throws -> [(
        record: UserRecordID, tag: Tag, index: Int
    )] {
        let filter = book.count < DirectorySearch.fewContacts ? nil : try filters.filter(of: container, db)
        var matches: [(record: UserRecordID, tag: Tag, index: Int)] = []
        for key in keys.directoryTags {
            let (distinct, positions) = tags(of: book, key)
            let records = try records(of: distinct, filter, db)
            for (index, position) in positions.enumerated() {
                if let record = records[position] { matches.append((record, distinct[position], index)) }
            }
        }
        // During a key rotation there are two passes.
        if keys.directoryTags.count > 1 { matches.sort { $0.index < $1.index } }
        return matches
    }

    /// The distinct tags of a book, and for each contact the position of its tag.
    private func tags(of book: ContactBook, _ key: TagKey) -> (tags: [Tag], positions: [Int]) {
        var distinct = DistinctTags(atMost: book.count)
        let positions = book.withUnsafeHashes { hashes in
            key.withTagger { tagger in hashes.map { distinct.insert($0.withUnsafeBytes(tagger)) } }
        }
        return (distinct.tags, positions)
    }

    /// The person of each of these tags. If the filter excludes a tag, the store is not read. Hidden people are treated as
    /// missing here, so that they cost no extra time for each contact that leads to them.
    private func records(of tags: [Tag], _ filter: DirectoryFilter?, _ db: Connection) throws -> [UserRecordID?] {
        guard let filter else { return try records(of: tags, db) }
        var records = [UserRecordID?](repeating: nil, count: tags.count)
        let positions = tags.indices.filter { filter.mayContain(tags[$0]) }
        for (position, record) in zip(positions, try self.records(of: positions.map { tags[$0] }, db)) {
            records[position] = record
        }
        return records
    }

    private func records(of tags: [Tag], _ db: Connection) throws -> [UserRecordID?] {
        var records = [UserRecordID?](repeating: nil, count: tags.count)
        try tags.withUnsafeBytes { tags in
            try db.lookUp(DirectorySearch.recordsByTag, .integer(container), keys: KeyList(tags)) { position, row in
                guard let record = row.withBytes(1, RandomID.init(bytes:)).map(UserRecordID.init) else { return }
                if record != caller && !hidden.contains(record) { records[position] = record }
            }
        }
        return records
    }
}
