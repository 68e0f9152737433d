import Kinfolk
import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkRecords
import KinfolkStorage
import TestSupport

/// What the store does show of records: how many each user has, their types, times and sizes, and who created which public ones.
struct ShownOfRecords {
    private let store: AttackedStore
    private var users: [UserRecordID] = []
    /// How many private records each user has.
    private var privateCounts: [UserRecordID: Int] = [:]
    /// How many public records each user created.
    private var publicCounts: [UserRecordID: Int] = [:]

    init(users count: Int) throws {
        store = try AttackedStore()
        for type in ["Note", "Photo"] { try store.container.addField("title", type: .string, to: type) }
        var generator = SeededGenerator(seed: 16)
        for number in 0..<count {
            let session = try store.session(InventedPerson(number))
            let user = try session.userRecordID()
            users.append(user)
            for database in [session.publicDatabase, session.privateDatabase] {
                let records = Int.random(in: 3...20, using: &generator)
                for record in 0..<records {
                    store.clock.advance(seconds: 60)
                    var new = try Record(type: record < 2 ? "Photo" : "Note")
                    let length = Int.random(in: 1...200, using: &generator)
                    try new.set("title", to: .string(String(repeating: "x", count: length) + "\(number) \(record)"))
                    _ = try database.save(new)
                }
                if database.scope == .public { publicCounts[user] = records } else { privateCounts[user] = records }
            }
        }
    }

    func findings() throws -> [Finding] {
        let rows = try StolenTables(store.service).rows
        let owned = Dictionary(grouping: rows, by: \.owner).mapValues(\.count)
        guard users.allSatisfy({ owned[$0.value.bytes] == privateCounts[$0] }) else {
            throw ExperimentFailure("the store does not show how many records a user has")
        }
        let times = Set(rows.map(\.createdAt)).count
        let (named, wrong) = try creators(of: rows.filter(\.owner.isEmpty))
        let inPublic = publicCounts.values.reduce(0, +)
        guard wrong == 0 else { throw ExperimentFailure("\(wrong) creators were wrong") }
        return [
            Finding(
                "not promised: what the rows of \(rows.count.grouped) records of \(users.count) users show",
                "the number of private records of all users, the type of each record, \(times.grouped) times of creation, "
                    + "\(Set(rows.map(\.size)).count) sizes (in steps of 32 bytes)",
                isHeld: true
            ),
            Finding(
                "not promised: which user record ID created which public record, from sums of sizes",
                "\(named.grouped) of \(inPublic.grouped) named",
                isHeld: true
            ),
        ]
    }

    /// Compares the count of bytes that each user created with the sum of the sizes under each tag.
    private func creators(of rows: [StolenTables.Row]) throws -> (named: Int, wrong: Int) {
        let (counts, keys) = try store.service.read { db in
            (
                try db.all("SELECT owner, bytes FROM record_bytes WHERE kind = 1") {
                    ($0.bytes(0), Int($0.integer(1)))
                },
                try store.service.keys(ofContainer: store.container.number, in: db)
            )
        }
        let groups = Dictionary(
            grouping: rows.flatMap { row in row.entries.map { (tag: $0, size: row.size) } },
            by: \.tag
        )
        .filter { $0.value.count > 1 }
        // The truth, which needs the key.
        let tags = RecordTags(keys.recordTags[0], owner: [])
        let truth = Dictionary(uniqueKeysWithValues: users.map { ($0.value.bytes, tags.creator($0)) })
        var (named, wrong) = (0, 0)
        for (user, bytes) in counts {
            let matching = groups.filter { $0.value.reduce(0) { $0 + $1.size } == bytes }
            guard matching.count == 1, let match = matching.first else { continue }
            if truth[user] == match.key { named += match.value.count } else { wrong += match.value.count }
        }
        return (named, wrong)
    }
}
