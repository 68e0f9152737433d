import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkDiscovery
import KinfolkModel
import KinfolkStorage

/// Writes people who are new to the store, many in one transaction.
///
/// People's IDs and tags are random, so their rows are spread over the whole store. Rows are inserted into each table in the
/// order of its key, so that a page is visited once for all of its rows and not once for each row. Nothing that is written
/// reveals the order of the people in the file, which may be alphabetical: IDs are random, and everything else that is numbered
/// is in the order of IDs or tags.
///
/// A newcomer has no existing rows. So only the owners of addresses have to be looked up, and nothing has to be removed from the
/// directory.
struct NewcomerWriter {
    private let container: Container
    private let wording: [UInt8]
    private let now: Timestamp
    private let keys: KeyRing
    private let db: Connection

    private var service: Service { container.service }

    init(container: Container, wording: ConsentWording?, _ db: Connection) throws {
        self.container = container
        self.db = db
        now = container.service.clock()
        keys = try container.service.keys(db)
        try container.requireInUse(db)
        self.wording =
            try wording.map { wording in
                let keys = try container.service.keys(ofContainer: container.number, in: db)
                return try ConsentTable.keep(wording, in: container.number, keys, db)
            } ?? []
    }

    /// A person whose account is created, with verified addresses and a user in the container.
    private struct Person {
        let newcomer: Newcomer
        let account: AccountID
        let record: UserRecordID
        /// The tags of the addresses, in the same order.
        let tags: ArraySlice<Tag>
    }

    /// Creates the accounts of people all of whose addresses are free: no account has them, and no earlier person in `newcomers`.
    ///
    /// - Parameter progress: Called from time to time with the share of the work that is done, from 0 to 1.
    /// - Returns: For each person whether the account was created. Nothing is written for the others.
    func insert(_ newcomers: [Newcomer], _ progress: (Double) -> Void) throws -> [Bool] {
        let (tags, isMade) = try decide(newcomers)
        progress(0.1)
        let people = people(of: newcomers, isMade, tags)
        // Done first, because the pages that were just read for the decision are still cached.
        try insertOwners(of: people)
        progress(0.2)
        let rows = try people.map(rows)
        progress(0.25)
        try AccountTable.insert(rows, keys, db)
        progress(0.35)
        try EmailTable.insert(rows.lazy.flatMap(\.emails), db)
        progress(0.55)
        try UserTable.insert(rows.lazy.flatMap(\.users), db)
        progress(0.7)
        let decisions = rows.lazy.flatMap { rows in
            rows.decisions.values.map { (account: rows.account.id, decision: $0) }
        }
        try ConsentTable.insert(decisions, db)
        progress(0.8)
        try publish(people)
        progress(1)
        return isMade
    }

    /// Decides which accounts can be created. If several newcomers have the same address, the first one gets it.
    ///
    /// - Returns: The tags of all addresses, in order, and for each newcomer whether the account can be created.
    private func decide(_ newcomers: [Newcomer]) throws -> (tags: [Tag], isMade: [Bool]) {
        var tags: [Tag] = []
        var isTaken = [Bool](repeating: false, count: newcomers.reduce(0) { $0 + $1.addresses.count })
        // During a key rotation, an address may be stored under a tag of either epoch. New rows use the tag of the newest epoch.
        for (epoch, keys) in keys.epochs.enumerated() {
            var wanted: [(tag: Tag, address: Int)] = []
            wanted.reserveCapacity(isTaken.count)
            for newcomer in newcomers {
                for address in newcomer.addresses { wanted.append((keys.emailTags.tag(address.hash), wanted.count)) }
            }
            if epoch == 0 { tags = wanted.map(\.tag) }
            wanted.sort { $0.tag < $1.tag }
            try EmailTable.forEachOwned(wanted.map(\.tag), db) { isTaken[wanted[$0].address] = true }
        }
        var given = Set<Tag>(minimumCapacity: tags.count)
        var first = 0
        let isMade = newcomers.map { newcomer in
            let addresses = first..<first + newcomer.addresses.count
            first = addresses.upperBound
            guard !addresses.contains(where: { isTaken[$0] || given.contains(tags[$0]) }) else { return false }
            given.formUnion(tags[addresses])
            return true
        }
        return (tags, isMade)
    }

    /// The people whose accounts are created, with new IDs, in the order of their account IDs.
    private func people(of newcomers: [Newcomer], _ isMade: [Bool], _ tags: [Tag]) -> [Person] {
        var people: [Person] = []
        people.reserveCapacity(newcomers.count)
        var first = 0
        for (newcomer, isMade) in zip(newcomers, isMade) {
            let addresses = first..<first + newcomer.addresses.count
            first = addresses.upperBound
            guard isMade else { continue }
            people.append(
                Person(
                    newcomer: newcomer,
                    account: AccountID(.make()),
                    record: UserRecordID(.make()),
                    tags: tags[addresses]
                )
            )
        }
        people.sort { $0.account.value < $1.account.value }
        return people
    }

    private func insertOwners(of people: [Person]) throws {
        var owners = people.flatMap { person in person.tags.map { (tag: $0, account: person.account) } }
        owners.sort { $0.tag < $1.tag }
        try EmailTable.claim(owners, db)
    }

    /// All authenticated rows of a person.
    private func rows(of person: Person) throws -> AccountRows {
        let (id, decision) = (person.account, person.newcomer.discoverability)
        let emails = try zip(person.tags, person.newcomer.addresses).enumerated().map { offset, email in
            try EmailTable.newRow(
                email.1,
                tag: email.0,
                number: Int64(offset + 1),
                of: id,
                isVerified: true,
                at: now,
                keys
            )
        }
        let consent = ConsentTable.new(decision, wording: wording, in: container.number, at: now)
        return AccountRows(
            account: try AccountTable.newRow(id, person.newcomer.name, at: now, keys),
            emails: emails,
            users: [UserTable.Row(person.record, of: id, in: container.number, at: now, keys)],
            decisions: decision == .undetermined ? [:] : [container.number: consent],
            blocks: [:]
        )
    }

    private func publish(_ people: [Person]) throws {
        let found = people.filter { $0.newcomer.discoverability == .granted }.map { person in
            DirectoryIndex.Person(
                record: person.record,
                hashes: person.newcomer.addresses.map(\.hash),
                identity: DirectoryIndex.Identity(
                    account: person.account,
                    revision: AccountTable.firstRevision,
                    name: person.newcomer.name,
                    blocked: []
                )
            )
        }
        try DirectoryIndex(service: service).publish(found, in: container.number, db)
    }
}
