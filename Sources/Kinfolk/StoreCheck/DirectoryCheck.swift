import KinfolkCore
import KinfolkCrypto
import KinfolkDiscovery
import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// Compares the rows of directories with the people who can be found by them.
struct DirectoryCheck {
    /// The place of rows: a container, and an epoch if they are in a private directory.
    struct Place: Hashable {
        let container: Int64
        var epoch: Int64 = 0
    }

    /// A person who can be found in a container.
    struct Person {
        let record: UserRecordID
        let account: AccountID
        let revision: Int64
        let name: PersonName
        let blocked: [UserRecordID]
        /// The contact hashes of the addresses by which the person is found.
        let hashes: [[UInt8]]
    }

    private let check: StoreChecker
    /// How many of the rows that are derived from accounts exist.
    private var (identities, hashed, privately): ([Place: Int], [Place: Int], [Place: Int]) = ([:], [:], [:])

    /// Whether the rows of all people could be read.
    private var isComplete = true

    init(_ check: StoreChecker) { self.check = check }

    /// Compares the rows of some people of a container.
    mutating func compare(_ people: [Person], in container: Int64) throws {
        guard let keys = try check.keys(of: container) else { return }
        for person in people { try compareIdentity(of: person, in: container, keys) }
        guard let directories = try check.directories(of: container) else { return }
        if directories.keepsHashes {
            try attempt("directory") {
                try $0.compareHashes(of: people, in: container, keys, isComplete: directories.hasHashes)
            }
        }
        let entries = people.flatMap { person in
            person.hashes.map { PrivateDirectory.Entry(hash: $0, record: person.record) }
        }
        for directory in directories.privateOnes {
            try attempt("private_directory") { try $0.compare(entries, in: directory, of: container) }
        }
    }

    private mutating func attempt(_ table: String, _ body: (inout DirectoryCheck) throws -> Void) throws {
        if try !check.attempt(table, { try body(&self) }) { isComplete = false }
    }

    private mutating func compareIdentity(of person: Person, in container: Int64, _ keys: ContainerKeys) throws {
        try check.attempt("identities") {
            guard let sealed = try StoreCheckTable.identity(of: person.record, in: container, check.db) else {
                return check.found(.missing, in: "identities")
            }
            identities[Place(container: container), default: 0] += 1
            let place = DirectoryIndex.place(ofIdentityOf: person.record, in: container)
            let published = try PublishedIdentity(bytes: keys.sealing.open(sealed, at: place))
            let hasTags =
                published.tags.count == person.hashes.count
                && person.hashes.allSatisfy { hash in
                    keys.directoryTags.contains { published.tags.contains($0.tag(hash)) }
                }
            let isSame =
                published.account == person.account && published.revision == person.revision
                && published.blocked == PublishedIdentity.numbers(ofBlocked: person.blocked)
                && published.name == person.name
            if !hasTags || !isSame { check.found(.different, in: "identities") }
        }
    }

    private mutating func compareHashes(
        of people: [Person],
        in container: Int64,
        _ keys: ContainerKeys,
        isComplete: Bool
    ) throws {
        // Each address is stored under the tag of one of the epochs.
        var (tags, owners): ([Tag], [(record: UserRecordID, address: Int)]) = ([], [])
        var addresses = 0
        for person in people {
            for hash in person.hashes {
                for key in keys.directoryTags {
                    tags.append(key.tag(hash))
                    owners.append((person.record, addresses))
                }
                addresses += 1
            }
        }
        var isThere = [Bool](repeating: false, count: addresses)
        var found = 0
        try StoreCheckTable.forEachRecord(under: tags, in: container, check.db) { position, record in
            guard owners.indices.contains(position), record == owners[position].record else { return }
            isThere[owners[position].address] = true
            found += 1
        }
        hashed[Place(container: container), default: 0] += found
        let missing = isThere.count { !$0 }
        if isComplete && missing > 0 { check.found(.missing, in: "directory", missing) }
    }

    private mutating func compare(
        _ entries: [PrivateDirectory.Entry],
        in directory: PrivateDirectory,
        of container: Int64
    ) throws {
        let rows = try directory.rows(of: entries, threads: Parallel.coreCount)
        try check.db.askAhead {
            for row in rows { _ = try StoreCheckTable.has(row, directory.epoch, in: container, check.db) }
        }
        var found = 0
        for row in rows where try StoreCheckTable.has(row, directory.epoch, in: container, check.db) { found += 1 }
        privately[Place(container: container, epoch: Int64(directory.epoch)), default: 0] += found
        if directory.state == .complete && found < rows.count {
            check.found(.missing, in: "private_directory", rows.count - found)
        }
    }

    /// Counts the rows that are derived from no account. Call this after all people were compared.
    func countOthers() throws {
        guard isComplete else { return }
        try countOthers(in: "identities", expected: identities) { try check.keys(of: $0.container) == nil }
        for (table, expected) in [("directory", hashed), ("private_directory", privately)] {
            try countOthers(in: table, expected: expected) { place in
                // If the directories cannot be opened, that has already been reported.
                guard let directories = try check.directories(of: place.container) else { return true }
                return directories.ending.contains { Int64($0) == place.epoch }
            }
        }
    }

    /// - Parameter isIncomplete: Whether the rows of a place are being deleted, or were not compared.
    private func countOthers(
        in table: String,
        expected: [Place: Int],
        unless isIncomplete: (Place) throws -> Bool
    ) throws {
        for (place, count) in try check.directorySizes(in: table) where check.isInUse(place.container) {
            let expected = expected[place] ?? 0
            guard count > expected, try !isIncomplete(place) else { continue }
            check.found(.unexpected, in: table, count - expected)
        }
    }
}
