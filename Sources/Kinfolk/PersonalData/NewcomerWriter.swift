import KinfolkCrypto
import KinfolkStorage

/// Writes people whom the store does not know, many within one transaction.
///
/// What people are found by is random, so that their rows lie all over the store. Each table gets its rows in the order of
/// its key: a page is then visited once for all rows that belong on it, and not once for each. Nothing that is written tells
/// the order in which the people came, which may be that of an alphabetical list: their IDs are random, and whatever else
/// is numbered follows from these or from tags.
///
/// A newcomer has no rows that could be in the way: nothing needs to be looked up but whose the addresses are, nor taken out
/// of the directory.
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

    /// Somebody who becomes an account that has used the container, with the addresses verified.
    private struct Person {
        let newcomer: Newcomer
        let account: AccountID
        let record: UserRecordID
        /// Of the addresses, in their order.
        let tags: ArraySlice<Tag>
    }

    /// Makes the accounts of people none of whose addresses an account has, be it of somebody who comes before them.
    ///
    /// - Parameter progress: Told now and then what share of the work is done.
    /// - Returns: For each whether the account was made. Of the others nothing is.
    func insert(_ newcomers: [Newcomer], _ progress: (Double) -> Void) throws -> [Bool] {
        let (tags, isMade) = try decide(newcomers)
        progress(0.1)
        let people = people(of: newcomers, isMade, tags)
        // The pages that the decision has looked at are still at hand.
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

    /// Decides who can be made: the first who has an address keeps it.
    ///
    /// - Returns: The tags of all addresses, one after the other, and for each newcomer whether they can be made.
    private func decide(_ newcomers: [Newcomer]) throws -> (tags: [Tag], isMade: [Bool]) {
        var tags: [Tag] = []
        var isTaken = [Bool](repeating: false, count: newcomers.reduce(0) { $0 + $1.addresses.count })
        // While keys are rotated an address may stand under a tag of either epoch; new rows go under that of the newest.
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

    /// Those who are made, with new IDs, in the order of their account IDs.
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

    /// All rows of somebody that decide something.
    private func rows(of person: Person) throws -> AccountRows {
        let (id, decision) = (person.account, person.newcomer.discoverability)
        let emails = try zip(person.tags, person.newcomer.addresses).enumerated().map { offset, email in
            try EmailTable.newRow(email.1, tag: email.0, number: offset + 1, of: id, at: now, keys)
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
            Directory.Person(
                record: person.record,
                hashes: person.newcomer.addresses.map(\.hash),
                identity: Directory.Identity(
                    account: person.account,
                    revision: AccountTable.firstRevision,
                    name: person.newcomer.name,
                    blocked: []
                )
            )
        }
        try Directory(service: service).publish(found, in: container.number, db)
    }
}
