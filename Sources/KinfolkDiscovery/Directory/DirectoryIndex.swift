package import KinfolkAccounts
package import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
import KinfolkPrivateClient
package import KinfolkStorage
import KinfolkThreads

/// The index of people who can be found, derived from accounts, addresses and consent.
///
/// It follows each change of an account in the same transaction. An import, which creates complete accounts, adds them to the
/// index itself. There are rows only for people who granted discoverability and
/// are not suspended, and only for addresses that are verified and discoverable. So a search needs no further conditions.
///
/// A container has a directory of contact hashes, or private directories, or both. All of them hold the same people.
package struct DirectoryIndex {
    package let service: Service

    package init(service: Service) {
        self.service = service
    }

    /// Brings the index in line with changes of different accounts: deletes the rows of their old states and inserts those of the
    /// new ones. The rows of each table are written in the order of its key.
    package func follow(_ changes: [AccountChange], _ db: Connection) throws {
        var (before, after): ([AccountRows], [AccountRows]) = ([], [])
        for change in changes {
            switch change {
            case .changed(let old, let new):
                before.append(old)
                after.append(new)
            case .damaged(let account): try withdrawDamaged(account, db)
            }
        }
        let entries = try withdraw(before, db)
        try replace(entries, by: publish(after, db), db)
    }

    /// The entries of private directories, by container: each contact hash with its user record ID. Writing an entry costs much
    /// more than the rest of a change, so only entries that differ are written.
    private typealias Entries = [Int64: Set<PrivateDirectory.Entry>]

    private func withdraw(_ accounts: [AccountRows], _ db: Connection) throws -> Entries {
        var entries: Entries = [:]
        var tags: [Int64: [(tag: Tag, record: UserRecordID)]] = [:]
        var records: [Int64: [UserRecordID]] = [:]
        // An account without sessions has no directory rows.
        for rows in accounts where !rows.users.isEmpty {
            let addresses = try rows.addresses(with: service.keys(db))
            for user in rows.users {
                let directories = try service.directories(ofContainer: user.container, in: db)
                // Rows in a directory that is being deleted must not outlive the person's consent.
                for epoch in directories.ending where epoch > 0 {
                    _ = try PrivateDirectoryTable.deleteAll(of: user.record.value, epoch, in: user.container, db)
                }
                if directories.keepsHashes || directories.ending.contains(0) {
                    let keys = try service.keys(ofContainer: user.container, in: db)
                    tags[user.container, default: []] += addresses.flatMap { address in
                        keys.directoryTags.map { (tag: $0.tag(address.hash), record: user.record) }
                    }
                }
                records[user.container, default: []].append(user.record)
                guard rows.isDiscoverable(in: user.container), !rows.account.isSuspended else { continue }
                entries[user.container, default: []].formUnion(DirectoryIndex.entries(of: user.record, addresses))
            }
        }
        for (container, tags) in tags { try DirectoryTagTable.delete(tags, in: container, db) }
        for (container, records) in records { try withdrawIdentities(of: records, in: container, db) }
        return entries
    }

    /// Deletes the rows of a damaged account, for those of its users that are still authentic.
    private func withdrawDamaged(_ account: AccountID, _ db: Connection) throws {
        let keys = try service.keys(db)
        for user in try UserTable.all(of: account, db) where user.isAuthentic(with: keys) {
            try withdrawWithoutTags(user.record, in: user.container, db)
        }
    }

    private func withdrawWithoutTags(_ record: UserRecordID, in container: Int64, _ db: Connection) throws {
        try DirectoryTagTable.deleteAll(of: record.value, in: container, db)
        let directories = try service.directories(ofContainer: container, in: db)
        for epoch in directories.privateOnes.map(\.epoch) + directories.ending.filter({ $0 > 0 }) {
            try count(epoch, in: container, db) {
                try -PrivateDirectoryTable.deleteAll(of: record.value, epoch, in: container, db)
            }
        }
        try withdrawIdentities(of: [record], in: container, db)
    }

    private func withdrawIdentities(of records: [UserRecordID], in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM identities WHERE container_id = $1 AND record_id = $2",
            for: records.sorted { $0.value < $1.value }
        ) { [.integer(container), .id($0.value)] }
    }

    private func publish(_ accounts: [AccountRows], _ db: Connection) throws -> Entries {
        var entries: Entries = [:]
        var people: [Int64: [Person]] = [:]
        for rows in accounts {
            let users = rows.users.filter { rows.isDiscoverable(in: $0.container) }
            guard !users.isEmpty, !rows.account.isSuspended else { continue }
            let name = try rows.account.name(with: service.keys(db))
            let addresses = try rows.addresses(with: service.keys(db))
            let hashes = addresses.filter(\.isDiscoverable).map(\.hash)
            for user in users {
                let identity = Identity(
                    account: rows.account.id,
                    revision: rows.account.standing.revision,
                    name: name,
                    blocked: (rows.blocks[user.container] ?? []).map(\.blocked)
                )
                let person = Person(record: user.record, hashes: hashes, identity: identity)
                people[user.container, default: []].append(person)
                entries[user.container, default: []].formUnion(DirectoryIndex.entries(of: user.record, addresses))
            }
        }
        for (container, people) in people { try publishForHashes(people, in: container, db) }
        return entries
    }

    private static func entries(of record: UserRecordID, _ addresses: [AccountRows.Address]) -> Set<
        PrivateDirectory.Entry
    > {
        Set(addresses.filter(\.isDiscoverable).map { PrivateDirectory.Entry(hash: $0.hash, record: record) })
    }

    private func replace(_ before: Entries, by after: Entries, _ db: Connection) throws {
        for container in Set(before.keys).union(after.keys) {
            let (old, new) = (before[container] ?? [], after[container] ?? [])
            for directory in try service.directories(ofContainer: container, in: db).privateOnes {
                try count(directory.epoch, in: container, db) {
                    let gone = try directory.rows(of: Array(old.subtracting(new)), threads: 1)
                    // A directory that is still being built may lack entries that were there before.
                    let come =
                        switch directory.state {
                        case .complete: new.subtracting(old)
                        case .building: new
                        case .frozen: Set<PrivateDirectory.Entry>()
                        }
                    let rows = try directory.rows(of: Array(come), threads: 1)
                    return try PrivateDirectoryTable.insert(rows, directory.epoch, in: container, db)
                        - PrivateDirectoryTable.delete(gone, directory.epoch, in: container, db)
                }
            }
        }
    }

    /// Adds the number of rows that `change` inserts into a private directory, and adjusts the number of its prefix bits.
    private func count(
        _ epoch: UInt32,
        in container: Int64,
        _ db: Connection,
        _ change: () throws -> Int
    ) throws {
        let difference = try change()
        guard difference != 0 else { return }
        let count = try DirectoryCountTable.add(difference, to: service.lane, of: epoch, in: container, db)
        // All lanes are read only from time to time, because reading them conflicts with the transactions that write them.
        guard count / DirectoryIndex.fewRows != (count - difference) / DirectoryIndex.fewRows,
            let row = try DirectoryEpochTable.row(epoch, of: container, db)
        else { return }
        let bits = row.prefixBits.following(try DirectoryCountTable.total(of: epoch, in: container, db))
        if bits != row.prefixBits { try DirectoryEpochTable.set(bits, of: epoch, in: container, db) }
    }

    /// The number of rows by which a lane may grow before the prefix bits are adjusted.
    private static let fewRows = 64

    /// A person to be added to the directory of a container.
    package struct Person {
        package let record: UserRecordID
        package let hashes: [[UInt8]]
        /// The identity to insert. Nil if the store already has it.
        package let identity: Identity?

        package init(record: UserRecordID, hashes: [[UInt8]], identity: Identity? = nil) {
            self.record = record
            self.hashes = hashes
            self.identity = identity
        }
    }

    /// What the directory stores of a person besides the tags: ``PublishedIdentity``.
    package struct Identity {
        package let account: AccountID
        package let revision: Int64
        package let name: PersonName
        package let blocked: [UserRecordID]

        package init(account: AccountID, revision: Int64, name: PersonName, blocked: [UserRecordID]) {
            self.account = account
            self.revision = revision
            self.name = name
            self.blocked = blocked
        }
    }

    /// Adds people who have no rows yet.
    package func publish(_ people: [Person], in container: Int64, _ db: Connection) throws {
        guard !people.isEmpty else { return }
        try publishForHashes(people, in: container, db)
        try publishPrivately(
            people,
            try service.directories(ofContainer: container, in: db).privateOnes,
            in: container,
            db
        )
    }

    /// Adds people to private directories, on all cores. Existing rows remain.
    private func publishPrivately(
        _ people: [Person],
        _ directories: [PrivateDirectory],
        in container: Int64,
        _ db: Connection
    ) throws {
        let entries = people.flatMap { person in
            person.hashes.map { PrivateDirectory.Entry(hash: $0, record: person.record) }
        }
        for directory in directories where directory.state != .frozen {
            let rows = try directory.rows(of: entries, threads: Parallel.coreCount)
            try count(directory.epoch, in: container, db) {
                try PrivateDirectoryTable.insert(rows, directory.epoch, in: container, db)
            }
        }
    }

    /// Inserts prepared rows into a private directory. Existing rows remain.
    package func publish(
        _ rows: [PrivateDirectory.Row],
        in directory: PrivateDirectory,
        of container: Int64,
        _ db: Connection
    )
        throws
    {
        try count(directory.epoch, in: container, db) {
            try PrivateDirectoryTable.insert(rows, directory.epoch, in: container, db)
        }
    }

    /// Adds people to a directory of contact hashes that is being built, whether or not they already are in it.
    func publishHashes(of people: [Person], in container: Int64, _ db: Connection) throws {
        let keys = try service.keys(ofContainer: container, in: db)
        let tags = people.flatMap { person in
            person.hashes.flatMap { hash in keys.directoryTags.map { (tag: $0.tag(hash), record: person.record) } }
        }
        try DirectoryTagTable.delete(tags, in: container, db)
        try insertHashes(of: people, in: container, keys, db)
    }

    private func publishForHashes(_ people: [Person], in container: Int64, _ db: Connection) throws {
        let keys = try service.keys(ofContainer: container, in: db)
        if try service.directories(ofContainer: container, in: db).keepsHashes {
            try insertHashes(of: people, in: container, keys, db)
        }
        try insertIdentities(of: people, in: container, keys, db)
    }

    /// Adds people to the directory of contact hashes who are not in it.
    ///
    /// Each person gets a sequence number, in the order of the rows' tags: this is the fastest way, and reveals nothing more than
    /// the tags do. The order of `people` may be alphabetical and must not be recoverable from a stolen store.
    private func insertHashes(of people: [Person], in container: Int64, _ keys: ContainerKeys, _ db: Connection) throws
    {
        var rows: [(tag: Tag, person: Int)] = []
        rows.reserveCapacity(people.count)
        for (index, person) in people.enumerated() {
            for hash in person.hashes { rows.append((keys.directoryTag(of: hash), index)) }
        }
        rows.sort { $0.tag < $1.tag }
        // Below 2 to the power of 60, whatever the store contains.
        var next = try DirectoryLaneTable.take(people.count, from: service.lane, of: container, db)
        var sequences = [Int64](repeating: 0, count: people.count)
        for row in rows where sequences[row.person] == 0 {
            sequences[row.person] = next
            next += 1
        }
        let directory = rows.lazy.map { row in
            (tag: row.tag, record: people[row.person].record, sequence: sequences[row.person])
        }
        try DirectoryTagTable.insert(directory, in: container, db)
    }

    private func insertIdentities(
        of people: [Person],
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws {
        let order = people.indices.sorted { people[$0].record.value < people[$1].record.value }
        try db.execute(
            "INSERT INTO identities (container_id, record_id, sealed_identity) VALUES ($1, $2, $3)",
            for: order.lazy.compactMap { index in people[index].identity.map { (person: people[index], identity: $0) } }
        ) { row in
            let identity = PublishedIdentity(
                account: row.identity.account,
                revision: row.identity.revision,
                tags: row.person.hashes.map(keys.directoryTag),
                blocked: row.identity.blocked,
                name: row.identity.name
            )
            let place = DirectoryIndex.place(ofIdentityOf: row.person.record, in: container)
            return [
                .integer(container),
                .id(row.person.record.value),
                .bytes(try keys.sealing.seal(identity.bytes, at: place)),
            ]
        }
    }

    /// The associated data under which an identity is sealed.
    package static func place(ofIdentityOf record: UserRecordID, in container: Int64) -> SealedPlace {
        SealedPlace("identities", "sealed_identity", row: .number(container), .tag(record.value.tag))
    }

    // MARK: Re-sealing

    /// Re-seals a person's rows in each private directory of a container with new salts, as if they had just been created, so
    /// that their buckets get new versions.
    func resealPrivateRows(of record: UserRecordID, in container: Int64, _ db: Connection) throws {
        let directories = try service.directories(ofContainer: container, in: db).privateOnes
        guard !directories.isEmpty, let rows = try verifiedRows(of: record, in: container, db),
            rows.isDiscoverable(in: container), !rows.account.isSuspended
        else { return }
        let entries = try Array(DirectoryIndex.entries(of: record, rows.addresses(with: service.keys(db))))
        for directory in directories {
            let rows = try directory.rows(of: entries, threads: 1)
            try PrivateDirectoryTable.reseal(rows, directory.epoch, in: container, db)
        }
    }

    /// The rows of the account with this user record ID. Nil if nobody has the ID, or if the rows were edited without the key: nobody
    /// can find such an account.
    private func verifiedRows(of record: UserRecordID, in container: Int64, _ db: Connection) throws -> AccountRows? {
        do {
            guard let account = try UserTable.row(of: record, in: container, service, db)?.account else { return nil }
            return try AccountRows.verified(account, service, db)
        } catch let error as KinfolkError where error.code == .storeCorrupt {
            return nil
        }
    }
}
