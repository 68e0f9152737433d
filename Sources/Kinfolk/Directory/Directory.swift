import KinfolkCrypto
import KinfolkStorage

/// The index of people who can be found, derived from accounts, addresses and consent.
///
/// Whoever changes one of these does it inside of ``changing(_:in:_:_:)``, so that the index is right when the transaction
/// ends; an import, which makes people whole, puts them in itself. There are rows only for people who granted
/// discoverability, are not suspended, and for addresses that are verified and discoverable: a search finds what is here and
/// needs no further condition.
struct Directory {
    let service: Service

    /// Takes an account's rows out of the directory, lets `change` change what they come from, and puts in what then holds.
    func changing<Result>(
        _ account: AccountID,
        in container: Int64? = nil,
        _ db: Connection,
        _ change: () throws -> Result
    ) throws -> Result {
        try withdraw(account, in: container, db)
        let result = try change()
        try publish(account, in: container, db)
        return result
    }

    private func withdraw(_ account: AccountID, in container: Int64?, _ db: Connection) throws {
        let hashes: [[UInt8]]
        do {
            hashes = try addresses(of: account, db).map(\.hash)
        } catch is CryptoError {
            // An address does not open, so its tag is not known. A person must be able to go all the same.
            return try withdrawWithoutTags(account, in: container, db)
        }
        for user in try users(of: account, in: container, db) {
            let keys = try service.keys(ofContainer: user.container, in: db)
            for tag in hashes.flatMap({ hash in keys.directoryTags.map { $0.tag(hash) } }) {
                try DirectoryTable.delete(tag, of: user.record, in: user.container, db)
            }
            try withdrawIdentity(of: user, db)
        }
    }

    private func withdrawWithoutTags(_ account: AccountID, in container: Int64?, _ db: Connection) throws {
        for user in try users(of: account, in: container, db) {
            try DirectoryTable.deleteAll(of: user.record, in: user.container, db)
            try withdrawIdentity(of: user, db)
        }
    }

    private func withdrawIdentity(of user: User, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM identities WHERE container_id = $1 AND record_id = $2",
            .integer(user.container),
            .bytes(user.record.bytes)
        )
    }

    private func publish(_ account: AccountID, in container: Int64?, _ db: Connection) throws {
        let users = try users(of: account, in: container, db).filter(\.isDiscoverable)
        guard !users.isEmpty, let name = try nameUnlessSuspended(account, db) else { return }
        let hashes = try addresses(of: account, db).filter(\.isDiscoverable).map(\.hash)
        for user in users {
            let person = Person(record: UserRecordID(user.record), name: name, hashes: hashes)
            try publish([person], in: user.container, db)
        }
    }

    /// Somebody to be put into the directory of a container.
    struct Person {
        let record: UserRecordID
        let name: PersonName
        let hashes: [[UInt8]]
    }

    /// Puts people in who have no rows yet.
    ///
    /// Each gets a sequence, in the order of the rows' tags: that is the fastest, and says nothing that the tags do not. The
    /// order of `people` may be that of an alphabetical list, against which a stolen store must not be read.
    func publish(_ people: [Person], in container: Int64, _ db: Connection) throws {
        guard !people.isEmpty else { return }
        let keys = try service.keys(ofContainer: container, in: db)
        var rows: [(tag: Tag, person: Int)] = []
        rows.reserveCapacity(people.count)
        for (index, person) in people.enumerated() {
            for hash in person.hashes { rows.append((keys.directoryTag(of: hash), index)) }
        }
        rows.sort { $0.tag < $1.tag }
        let last = try ContainerTable.takeDirectorySequences(people.count, of: container, db)
        var next = last - Int64(people.count) + 1
        var sequences = [Int64](repeating: 0, count: people.count)
        for row in rows where sequences[row.person] == 0 {
            sequences[row.person] = next
            next += 1
        }
        let directory = rows.lazy.map { row in
            (tag: row.tag, record: people[row.person].record, sequence: sequences[row.person])
        }
        try DirectoryTable.insert(directory, in: container, db)
        try insertIdentities(of: people, in: container, keys, db)
    }

    private func insertIdentities(
        of people: [Person],
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws {
        let order = people.indices.sorted { people[$0].record.value < people[$1].record.value }
        try db.execute(
            "INSERT INTO identities (container_id, record_id, sealed_name) VALUES ($1, $2, $3)",
            for: order
        ) { index in
            let person = people[index]
            let place = Directory.place(ofNameOf: person.record, in: container)
            return [
                .integer(container),
                .id(person.record.value),
                .bytes(try keys.sealing.seal(person.name.bytes, at: place)),
            ]
        }
    }

    /// Where a name is sealed in the directory.
    static func place(ofNameOf record: UserRecordID, in container: Int64) -> SealedPlace {
        SealedPlace("identities", "sealed_name", row: .number(container), .tag(record.value.tag))
    }

    // MARK: What the rows come from

    private struct User {
        let container: Int64
        let record: RandomID
        let isDiscoverable: Bool
    }

    private func users(of account: AccountID, in container: Int64?, _ db: Connection) throws -> [User] {
        let rows = try db.all(
            """
            SELECT u.container_id, u.record_id, coalesce((
                SELECT c.decision FROM consents c
                WHERE c.account_id = u.account_id AND c.container_id = u.container_id
                ORDER BY c.number DESC LIMIT 1), 0)
            FROM users u WHERE u.account_id = $1
            """,
            .id(account.value)
        ) { row -> User? in
            guard let record = row.withBytes(1, RandomID.init(bytes:)) else { return nil }
            let isDiscoverable = row.integer(2) == Int64(Discoverability.granted.rawValue)
            return User(container: row.integer(0), record: record, isDiscoverable: isDiscoverable)
        }
        return rows.compactMap(\.self).filter { container == nil || $0.container == container }
    }

    private func addresses(of account: AccountID, _ db: Connection) throws -> [(hash: [UInt8], isDiscoverable: Bool)] {
        let keys = try service.keys(db)
        return try EmailTable.all(of: account, db).map { row in
            let address = try row.open(with: keys)
            return (address.hash, row.isDiscoverable && row.isVerified)
        }
    }

    private func nameUnlessSuspended(_ account: AccountID, _ db: Connection) throws -> PersonName? {
        guard let row = try AccountTable.row(account, db), !row.isSuspended else { return nil }
        return try row.name(with: service.keys(db))
    }
}
