import KinfolkCrypto
import KinfolkStorage

/// What one person may find in the directory of one container.
///
/// Somebody unknown, not opted in, suspended or never here has no rows, so each of these searches is the same for all of
/// them, and does the same work. Whoever is hidden from the caller by a block is taken for nobody before anything of theirs
/// is read.
struct DirectorySearch {
    let container: Int64
    let keys: ContainerKeys
    let caller: UserRecordID
    let hidden: Set<UserRecordID>
    let filters: DirectoryFilters

    /// Searches for fewer contacts do not ask the filter, as single look-ups do not: in so short a time it would show whether
    /// one of them needed a look at the store.
    private static let fewContacts = 100

    private static let recordsByTag: StaticString =
        "SELECT tag, record_id FROM directory WHERE container_id = $1 AND tag = ANY($2)"

    private static let namesByRecord: StaticString =
        "SELECT record_id, sealed_name FROM identities WHERE container_id = $1 AND record_id = ANY($2)"

    /// The row of a tag, or the one after it: there is a row to read for somebody who is not there too, so that reading it
    /// does not tell whom a block hides.
    private static let nearest: StaticString =
        "SELECT tag, record_id FROM directory WHERE container_id = $1 AND tag >= $2 ORDER BY tag LIMIT 1"

    /// The person with this user record ID.
    func find(_ record: UserRecordID, _ db: Connection) throws -> DiscoveredIdentity? {
        // A hidden person is looked for like any other, under an ID that nobody has.
        let opposite = record.opposite
        return try identity(hidden.contains(record) ? opposite : record, [], db)
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
            return try identity(record, [], db)
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
        var people: [(record: UserRecordID, contacts: [DiscoveredIdentity.Contact])] = []
        var positions: [UserRecordID: Int] = [:]
        for (record, index) in try matches(in: book, db) {
            let contact = DiscoveredIdentity.Contact(index: index, label: book.label(at: index))
            if let position = positions[record] {
                people[position].contacts.append(contact)
            } else {
                positions[record] = people.count
                people.append((record, [contact]))
            }
        }
        let names = try sealedNames(of: people.map(\.record), db)
        return try zip(people, names).compactMap { person, sealed in
            try sealed.map { try identity(person.record, $0, person.contacts) }
        }
    }

    /// The names of people as the directory has them; nil for whoever is not in it.
    private func sealedNames(of people: [UserRecordID], _ db: Connection) throws -> [[UInt8]?] {
        var names = [[UInt8]?](repeating: nil, count: people.count)
        try people.withUnsafeBytes { people in
            try db.lookUp(DirectorySearch.namesByRecord, .integer(container), keys: KeyList(people)) { position, row in
                names[position] = row.bytes(1)
            }
        }
        return names
    }

    private func identity(
        _ record: UserRecordID,
        _ contacts: [DiscoveredIdentity.Contact],
        _ db: Connection
    ) throws -> DiscoveredIdentity? {
        let sealed = try sealedNames(of: [record], db).first ?? nil
        return try sealed.map { try identity(record, $0, contacts) }
    }

    private func identity(
        _ record: UserRecordID,
        _ sealedName: [UInt8],
        _ contacts: [DiscoveredIdentity.Contact]
    ) throws -> DiscoveredIdentity {
        DiscoveredIdentity(userRecordID: record, name: try name(sealedName, of: record), contacts: contacts)
    }

    /// Whom the contacts of a book lead to, in its order; nobody hidden, nor the caller.
    private func matches(in book: ContactBook, _ db: Connection) throws -> [(record: UserRecordID, index: Int)] {
        let filter = book.count < DirectorySearch.fewContacts ? nil : try filters.filter(of: container, db)
        var matches: [(record: UserRecordID, index: Int)] = []
        for key in keys.directoryTags {
            let (distinct, positions) = tags(of: book, key)
            let records = try records(of: distinct, filter, db)
            for (index, position) in positions.enumerated() {
                if let record = records[position] { matches.append((record, index)) }
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

    private func name(_ sealed: [UInt8], of record: UserRecordID) throws -> PersonName {
        PersonName(bytes: try keys.sealing.open(sealed, at: Directory.place(ofNameOf: record, in: container)))
    }
}
