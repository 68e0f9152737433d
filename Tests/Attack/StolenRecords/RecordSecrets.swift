import Kinfolk
import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import TestSupport

/// A thief who guesses names of records and values of fields rightly cannot confirm one.
struct RecordSecrets {
    private let store: AttackedStore
    private let owner: UserRecordID
    private var names: [RecordID] = []
    private var values: [String] = []

    init(_ count: Int) throws {
        store = try AttackedStore()
        try store.container.addField("diagnosis", type: .string, to: "Visit")
        let session = try store.session(InventedPerson(1))
        owner = try session.userRecordID()
        for number in 0..<count {
            let person = InventedPerson(number)
            let name = try RecordID("visit-of-\(person.familyName.lowercased().filter(\.isASCII))-\(number)")
            let value = "\(person.givenName) has \(person.familyName)"
            for database in [session.publicDatabase, session.privateDatabase] {
                var record = try Record(type: "Visit", id: name)
                try record.set("diagnosis", to: .string(value))
                record = try database.save(record)
            }
            names.append(name)
            values.append(value)
        }
        // The keys are being rotated when the thief comes, so that there are two of each.
        _ = try store.service.beginRotation(to: nil)
        _ = try store.service.rotateBatch()
    }

    func findings() throws -> [Finding] { [try texts(), try tags()] }

    /// Searches the files for names and values in any encoding, and for their hashes.
    private func texts() throws -> Finding {
        let folder = try TemporaryFolder()
        var loot = try Loot(store.path, into: folder.path)
        let end = loot.bytes.count
        Encodings.forEach(of: values[0]) { loot.add($0) }
        let guesses = Guesses(known: [], others: [], texts: names.map(\.name) + values)
        let search = NeedleSearch(loot.bytes, for: guesses.forEach)
        let read = Set(search.hits.filter { $0.offset < end }.map(\.label))
        let planted = Set(search.hits.filter { $0.offset >= end }.map(\.label))
        let visible = NeedleSearch(loot.bytes) { $0(Array("diagnosis".utf8), 0) }.hits
        guard !planted.isEmpty, !visible.isEmpty else { throw ExperimentFailure("a planted value was not found") }
        return Finding(
            "\((names.count + values.count).grouped) names and values of records, all of them guessed, in "
                + "\(search.needleCount.grouped) hashes and encodings",
            "\(read.count) read (the names of types and fields are readable)",
            isHeld: read.isEmpty
        )
    }

    /// Computes tags of right guesses under every key that the thief can think of.
    private func tags() throws -> Finding {
        let tables = try StolenTables(store.service)
        let stored = tables.rows.reduce(into: Set<Tag>()) { tags, row in
            tags.insert(row.name)
            tags.formUnion(row.entries)
        }
        // A few guesses under each of many keys, and all guesses without a key.
        var tried = 0
        var found = Set<Tag>()
        for key in try StoredKeys.all(store.service) {
            let guesses = guesses(under: key, 4)
            tried += guesses.count
            found.formUnion(stored.intersection(guesses))
        }
        for text in names.map(\.name) + values + values.map({ $0.lowercased() }) {
            for salt in [[], owner.value.bytes] {
                for digest in Digest.allCases {
                    let hash = digest.hash(salt + Array(text.utf8)).prefix(Tag.length)
                    tried += 1
                    if let tag = hash.withUnsafeBytes(Tag.init), stored.contains(tag) { found.insert(tag) }
                }
            }
        }
        let keys = try store.service.read { db in try store.service.keys(ofContainer: store.container.number, in: db) }
        let withKey = keys.recordTags.reduce(into: Set<Tag>()) { tags, key in
            tags.formUnion(stored.intersection(guesses(under: key, names.count)))
        }
        guard withKey.count == 4 * names.count else {
            throw ExperimentFailure("with the key \(withKey.count) of \(4 * names.count) tags were confirmed")
        }
        return Finding(
            "names and values that are right, as tags made without the key (each 32 bytes of what the store holds as a key): "
                + "\((Double(tried) / 1_000_000).rounded(to: 2)) million",
            "\(found.count) confirmed (with the key all \(withKey.count.grouped))",
            isHeld: found.isEmpty
        )
    }

    /// The tags of the first guesses, in both databases and for each field.
    private func guesses(under key: TagKey, _ count: Int) -> Set<Tag> {
        var tags: Set<Tag> = []
        for owner in [[], owner.value.bytes] {
            let tagger = RecordTags(key, owner: owner)
            for name in names.prefix(count) { tags.insert(tagger.name(name.name, zone: 0)) }
            for value in values.prefix(count) {
                for value in IndexValue.all(of: .string(value)) {
                    for field in 1...3 as ClosedRange<Int64> { tags.insert(tagger.value(value, ofField: field)) }
                }
            }
        }
        return tags
    }
}
