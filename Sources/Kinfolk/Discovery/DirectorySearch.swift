import KinfolkCrypto
import KinfolkStorage

/// What one person may find in the directory of one container.
///
/// Somebody unknown, not opted in, suspended or never here has no rows, so each of these searches is the same for all of
/// them, and does the same work. Whoever is hidden from the caller by a block is taken for nobody before anything of theirs
/// is read.
///
/// What the tables say is not believed: each hit is checked against what is sealed of the person, and that against the account
/// (``PublishedIdentity``). A row that says something else than the account is an error, and nobody is found by it.
struct DirectorySearch {
    let container: Int64
    let keys: ContainerKeys
    /// By which a hit is checked against the account.
    let accountKeys: KeyRing
    let caller: UserRecordID
    let hidden: Set<UserRecordID>
    let filters: DirectoryFilters

    /// Searches for fewer contacts do not ask the filter, as single look-ups do not: in so short a time it would show whether
    /// one of them needed a look at the store.
    private static let fewContacts = 100

    private static let recordsByTag: StaticString =
        "SELECT tag, record_id FROM directory WHERE container_id = $1 AND tag = ANY($2)"

    private static let identitiesByRecord: StaticString =
        "SELECT record_id, sealed_identity FROM identities WHERE container_id = $1 AND record_id = ANY($2)"

    /// The row of a tag, or the one after it: there is a row to read for somebody who is not there too, so that reading it
    /// does not tell whom a block hides.
    private static let nearest: StaticString =
        "SELECT tag, record_id FROM directory WHERE container_id = $1 AND tag >= $2 ORDER BY tag LIMIT 1"

    /// The person with this user record ID.
    func find(_ record: UserRecordID, _ db: Connection) throws -> DiscoveredIdentity? {
        // A hidden person is looked for like any other, under an ID that nobody has.
        let opposite = record.opposite
        let wanted = Wanted(record: hidden.contains(record) ? opposite : record, tags: [], contacts: [])
        return try identities(of: [wanted], db).first ?? nil
    }

    /// The person with this contact hash.
    func find(_ hash: ContactHash, _ db: Connection) throws -> DiscoveredIdentity? {
        for key in keys.directoryTags {
            let tag = hash.withUnsafeBytes(key.tag)
            let row = try nearestRow(tag, db)
            // Both are asked of every row, and for whoever is hidden it goes on as if they were not there.
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

    /// The people in a contact book, each once and in its order, the caller left out.
    func find(_ book: ContactBook, _ db: Connection) throws -> [DiscoveredIdentity] {
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

    /// Somebody whom a search has led to.
    private struct Wanted {
        let record: UserRecordID
        /// By which the person was found, and must therefore be there to be found; none if by the record ID.
        var tags: [Tag]
        var contacts: [DiscoveredIdentity.Contact]
    }

    /// What the directory says of people, checked; nil for whoever is not in it, and whoever hides from the caller.
    private func identities(of people: [Wanted], _ db: Connection) throws -> [DiscoveredIdentity?] {
        let identities = try publishedIdentities(of: people, db)
        try check(identities, db)
        return try zip(people, identities).map { wanted, identity in
            guard let identity else {
                // By an ID somebody may ask who is not there. A tag leads to those alone who are.
                guard wanted.tags.isEmpty else { throw DirectorySearch.changed }
                return nil
            }
            guard wanted.tags.allSatisfy(identity.tags.contains) else { throw DirectorySearch.changed }
            // The table of blocks has hidden them already, unless somebody took that row away.
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
                let place = Directory.place(ofIdentityOf: people[position].record, in: container)
                identities[position] = try row.withBytes(1) {
                    try PublishedIdentity(bytes: keys.sealing.open($0, at: place))
                }
            }
        }
        return identities
    }

    /// Throws unless each of these identities is what its account has published last.
    private func check(_ identities: [PublishedIdentity?], _ db: Connection) throws {
        // Whoever is not there is looked for like the others, under an ID that no account has.
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
            "The directory does not say what the accounts say: the store was changed from outside, or a part of it is older."
        )
    }

    // MARK: What the contacts of a book lead to

    /// Whom the contacts of a book lead to, in its order; nobody hidden, nor the caller.
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
        // While keys are rotated there are two passes.
        if keys.directoryTags.count > 1 { matches.sort { $0.index < $1.index } }
        return matches
    }

    /// The tags of a book, each once, and which of them each contact has.
    private func tags(of book: ContactBook, _ key: TagKey) -> (tags: [Tag], positions: [Int]) {
        var distinct = DistinctTags(atMost: book.count)
        let positions = book.withUnsafeHashes { hashes in
            key.withTagger { tagger in hashes.map { distinct.insert($0.withUnsafeBytes(tagger)) } }
        }
        return (distinct.tags, positions)
    }

    /// Who has each of these tags. Where the filter knows that there is nobody, the store is not asked. Whoever is hidden is
    /// taken for nobody here, so that it costs nothing more for each contact that leads to them.
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
