import KinfolkCrypto
import KinfolkStorage

/// Searches in the directory of one container.
///
/// Somebody unknown, not opted in, suspended or never here has no rows, so each of these searches is the same for all of
/// them, and does the same work.
struct DirectorySearch {
    let container: Int64
    let keys: ContainerKeys

    private static let byTag: StaticString = """
        SELECT d.record_id, i.sealed_name FROM directory d
        JOIN identities i ON i.container_id = d.container_id AND i.record_id = d.record_id
        WHERE d.container_id = $1 AND d.tag = $2
        """

    /// The person with this user record ID.
    func find(_ record: UserRecordID, _ db: Connection) throws -> DiscoveredIdentity? {
        let sealed = try db.first(
            "SELECT sealed_name FROM identities WHERE container_id = $1 AND record_id = $2",
            .integer(container),
            .bytes(record.value.bytes)
        ) { $0.bytes(0) }
        return try sealed.map { try DiscoveredIdentity(userRecordID: record, name: name($0, of: record), contacts: []) }
    }

    /// The person with this contact hash.
    func find(_ hash: ContactHash, _ db: Connection) throws -> DiscoveredIdentity? {
        let tag = keys.directoryTags.tag(hash.bytes)
        let row = try db.first(DirectorySearch.byTag, .integer(container), .bytes(tag.bytes)) { row in
            row.withBytes(0, RandomID.init(bytes:)).map { (record: UserRecordID($0), sealedName: row.bytes(1)) }
        }
        guard let row, let row else { return nil }
        return DiscoveredIdentity(
            userRecordID: row.record,
            name: try name(row.sealedName, of: row.record),
            contacts: []
        )
    }

    /// The people in a contact book, each once and in its order, `caller` left out.
    func find(_ book: ContactBook, leavingOut caller: UserRecordID, _ db: Connection) throws -> [DiscoveredIdentity] {
        var people = People(book: book)
        let statement = try db.statement(DirectorySearch.byTag)
        defer { db.finish(statement) }
        try statement.bind(container, at: 1)
        try book.withUnsafeHashes { hashes in
            try keys.directoryTags.withTagger { tagger in
                for (index, hash) in hashes.enumerated() {
                    let tag = hash.withUnsafeBytes(tagger)
                    try tag.withUnsafeBytes { tag in
                        try statement.bind(inPlace: tag, at: 2)
                        if try statement.step(), let id = statement.withBytes(0, RandomID.init(bytes:)),
                            case let record = UserRecordID(id), record != caller
                        {
                            people.add(record, sealedName: statement.bytes(1), foundBy: index)
                        }
                        statement.reset()
                    }
                }
            }
        }
        return try people.found.map { person in
            DiscoveredIdentity(
                userRecordID: person.record,
                name: try name(person.sealedName, of: person.record),
                contacts: person.contacts
            )
        }
    }

    /// The people found so far, in the order in which they were found.
    private struct People {
        struct Person {
            let record: UserRecordID
            let sealedName: [UInt8]
            var contacts: [DiscoveredIdentity.Contact]
        }

        let book: ContactBook
        private(set) var found: [Person] = []
        private var positions: [UserRecordID: Int] = [:]

        init(book: ContactBook) { self.book = book }

        mutating func add(_ record: UserRecordID, sealedName: @autoclosure () -> [UInt8], foundBy index: Int) {
            let contact = DiscoveredIdentity.Contact(index: index, label: book.label(at: index))
            if let position = positions[record] {
                found[position].contacts.append(contact)
            } else {
                positions[record] = found.count
                found.append(Person(record: record, sealedName: sealedName(), contacts: [contact]))
            }
        }
    }

    private func name(_ sealed: [UInt8], of record: UserRecordID) throws -> PersonName {
        PersonName(bytes: try keys.sealing.open(sealed, at: Directory.place(ofNameOf: record, in: container)))
    }
}
