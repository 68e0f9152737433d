import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

/// The index of people who can be found, derived from accounts, addresses and consent.
///
/// Whoever changes one of these does it inside of ``changing(_:in:_:_:)``, so that the index is right when the transaction
/// ends, and notes the change in the revision of the account or of its use of the container; an import, which makes people
/// whole, puts them in itself. There are rows only for people who granted discoverability, are not suspended, and for
/// addresses that are verified and discoverable: a search finds what is here and needs no further condition.
///
/// A container has a directory of contact hashes, or private ones, or both. All of them hold the same people.
struct Directory {
    let service: Service

    /// Takes an account's rows out of the directory, lets `change` change what they come from, and puts in what then holds.
    func changing<Result>(
        _ account: AccountID,
        in container: Int64? = nil,
        _ db: Connection,
        _ change: () throws -> Result
    ) throws -> Result {
        try askAhead(account, db)
        let users = try users(of: account, in: container, db)
        // Whoever uses no container is in no directory, and no change makes a use.
        guard !users.isEmpty else { return try change() }
        let before = try withdraw(account, users, db)
        let result = try change()
        try askAhead(account, db)
        let after = try publish(account, in: container, db)
        try replace(before, by: after, db)
        return result
    }

    /// Whom private directories hold: in each container the contact hashes and whose they are. What one of them costs is
    /// much more than the rest of a change, so that only those which differ are touched.
    private typealias Entries = [Int64: Set<PrivateDirectory.Entry>]

    /// Asks for all that an account's rows in the directory come from.
    func askAhead(_ account: AccountID, _ db: Connection) throws {
        try db.askAhead {
            try AccountTable.askAhead(account, db)
            _ = try users(of: account, in: nil, db)
        }
    }

    private func withdraw(_ account: AccountID, _ users: [User], _ db: Connection) throws -> Entries {
        let addresses: [Address]
        do {
            addresses = try self.addresses(of: account, db)
        } catch is CryptoError {
            // An address does not open, so its tag is not known. A person must be able to go all the same.
            for user in users { try withdrawWithoutTags(user, db) }
            return [:]
        }
        var entries: Entries = [:]
        let isSuspended = try AccountTable.row(account, db)?.isSuspended ?? true
        for user in users {
            let directories = try service.directories(ofContainer: user.container, in: db)
            // What is left in one that ends must not outlive the person's consent.
            for epoch in directories.ending where epoch > 0 {
                _ = try PrivateDirectoryTable.deleteAll(of: user.record, epoch, in: user.container, db)
            }
            if directories.keepsHashes || directories.ending.contains(0) {
                let keys = try service.keys(ofContainer: user.container, in: db)
                for tag in addresses.flatMap({ address in keys.directoryTags.map { $0.tag(address.hash) } }) {
                    try DirectoryTable.delete(tag, of: user.record, in: user.container, db)
                }
            }
            try withdrawIdentity(of: user, db)
            guard user.isDiscoverable, !isSuspended else { continue }
            entries[user.container] = Directory.entries(of: UserRecordID(user.record), addresses)
        }
        return entries
    }

    private func withdrawWithoutTags(_ user: User, _ db: Connection) throws {
        try DirectoryTable.deleteAll(of: user.record, in: user.container, db)
        let directories = try service.directories(ofContainer: user.container, in: db)
        for epoch in directories.privateOnes.map(\.epoch) + directories.ending.filter({ $0 > 0 }) {
            try count(epoch, in: user.container, db) {
                try -PrivateDirectoryTable.deleteAll(of: user.record, epoch, in: user.container, db)
            }
        }
        try withdrawIdentity(of: user, db)
    }

    private func withdrawIdentity(of user: User, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM identities WHERE container_id = $1 AND record_id = $2",
            .integer(user.container),
            .bytes(user.record.bytes)
        )
    }

    private func publish(_ account: AccountID, in container: Int64?, _ db: Connection) throws -> Entries {
        let users = try users(of: account, in: container, db).filter(\.isDiscoverable)
        guard !users.isEmpty, let name = try nameUnlessSuspended(account, db) else { return [:] }
        let addresses = try addresses(of: account, db)
        var entries: Entries = [:]
        for user in users {
            let record = UserRecordID(user.record)
            let hashes = addresses.filter(\.isDiscoverable).map(\.hash)
            try publishForHashes([Person(record: record, name: name, hashes: hashes)], in: user.container, db)
            entries[user.container] = Directory.entries(of: record, addresses)
        }
        return entries
    }

    private static func entries(of record: UserRecordID, _ addresses: [Address]) -> Set<PrivateDirectory.Entry> {
        Set(addresses.filter(\.isDiscoverable).map { PrivateDirectory.Entry(hash: $0.hash, record: record) })
    }

    private func replace(_ before: Entries, by after: Entries, _ db: Connection) throws {
        for container in Set(before.keys).union(after.keys) {
            let (old, new) = (before[container] ?? [], after[container] ?? [])
            for directory in try service.directories(ofContainer: container, in: db).privateOnes {
                try count(directory.epoch, in: container, db) {
                    let gone = try directory.rows(of: Array(old.subtracting(new)), threads: 1)
                    // While it is built, not all that was there before is in it.
                    let come = directory.isComplete ? new.subtracting(old) : new
                    let rows = try directory.rows(of: Array(come), threads: 1)
                    return try PrivateDirectoryTable.insert(rows, directory.epoch, in: container, db)
                        - PrivateDirectoryTable.delete(gone, directory.epoch, in: container, db)
                }
            }
        }
    }

    /// Counts the rows by which `change` makes a private directory larger, and lets the bits of its prefixes follow.
    private func count(
        _ epoch: UInt32,
        in container: Int64,
        _ db: Connection,
        _ change: () throws -> Int
    ) throws {
        let difference = try change()
        guard difference != 0 else { return }
        let count = try DirectoryCountTable.add(difference, to: service.lane, of: epoch, in: container, db)
        // All lanes are looked at now and then, since those who write to them would be in each other's way.
        guard count / Directory.fewRows != (count - difference) / Directory.fewRows,
            let row = try DirectoriesTable.row(epoch, of: container, db)
        else { return }
        let bits = row.prefixBits.following(try DirectoryCountTable.total(of: epoch, in: container, db))
        if bits != row.prefixBits { try DirectoriesTable.set(bits, of: epoch, in: container, db) }
    }

    /// By so many rows a lane may grow before the bits follow.
    private static let fewRows = 64

    /// Somebody to be put into the directory of a container.
    struct Person {
        let record: UserRecordID
        let name: PersonName
        let hashes: [[UInt8]]
    }

    /// Puts people in who have no rows yet.
    func publish(_ people: [Person], in container: Int64, _ db: Connection) throws {
        guard !people.isEmpty else { return }
        try publishForHashes(people, in: container, db)
        try publishPrivately(
            people,
            try service.directories(ofContainer: container, in: db).privateOnes,
            in: container,
            db
        )
    }

    /// Puts people into private directories, on all cores. Who is there already stays.
    private func publishPrivately(
        _ people: [Person],
        _ directories: [PrivateDirectory],
        in container: Int64,
        _ db: Connection
    ) throws {
        let entries = people.flatMap { person in
            person.hashes.map { PrivateDirectory.Entry(hash: $0, record: person.record) }
        }
        for directory in directories {
            let rows = try directory.rows(of: entries, threads: Parallel.coreCount)
            try count(directory.epoch, in: container, db) {
                try PrivateDirectoryTable.insert(rows, directory.epoch, in: container, db)
            }
        }
    }

    /// Puts rows that were made before into a private directory. Those that are there already stay.
    func publish(_ rows: [PrivateDirectory.Row], in directory: PrivateDirectory, of container: Int64, _ db: Connection)
        throws
    {
        try count(directory.epoch, in: container, db) {
            try PrivateDirectoryTable.insert(rows, directory.epoch, in: container, db)
        }
    }

    /// Puts people into a directory of contact hashes that is being built, whether or not they are in it.
    func publishHashes(of people: [Person], in container: Int64, _ db: Connection) throws {
        let keys = try service.keys(ofContainer: container, in: db)
        for person in people {
            for tag in person.hashes.flatMap({ hash in keys.directoryTags.map { $0.tag(hash) } }) {
                try DirectoryTable.delete(tag, of: person.record.value, in: container, db)
            }
        }
        try insertHashes(of: people, in: container, keys, db)
    }

    private func publishForHashes(_ people: [Person], in container: Int64, _ db: Connection) throws {
        let keys = try service.keys(ofContainer: container, in: db)
        if try service.directories(ofContainer: container, in: db).keepsHashes {
            try insertHashes(of: people, in: container, keys, db)
        }
        try insertIdentities(of: people, in: container, keys, db)
    }

    /// Puts people into the directory of contact hashes who are not in it.
    ///
    /// Each gets a sequence, in the order of the rows' tags: that is the fastest, and says nothing that the tags do not. The
    /// order of `people` may be that of an alphabetical list, against which a stolen store must not be read.
    private func insertHashes(of people: [Person], in container: Int64, _ keys: ContainerKeys, _ db: Connection) throws
    {
        var rows: [(tag: Tag, person: Int)] = []
        rows.reserveCapacity(people.count)
        for (index, person) in people.enumerated() {
            for hash in person.hashes { rows.append((keys.directoryTag(of: hash), index)) }
        }
        rows.sort { $0.tag < $1.tag }
        var next = try DirectoryLaneTable.take(people.count, from: service.lane, of: container, db)
        var sequences = [Int64](repeating: 0, count: people.count)
        for row in rows where sequences[row.person] == 0 {
            sequences[row.person] = next
            next += 1
        }
        let directory = rows.lazy.map { row in
            (tag: row.tag, record: people[row.person].record, sequence: sequences[row.person])
        }
        try DirectoryTable.insert(directory, in: container, db)
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

    private struct Address {
        let hash: [UInt8]
        let isDiscoverable: Bool
    }

    private func addresses(of account: AccountID, _ db: Connection) throws -> [Address] {
        let keys = try service.keys(db)
        return try EmailTable.all(of: account, db).map { row in
            let address = try row.open(with: keys)
            return Address(hash: address.hash, isDiscoverable: row.isDiscoverable && row.isVerified)
        }
    }

    private func nameUnlessSuspended(_ account: AccountID, _ db: Connection) throws -> PersonName? {
        guard let row = try AccountTable.row(account, db), !row.isSuspended else { return nil }
        return try row.name(with: service.keys(db))
    }
}
