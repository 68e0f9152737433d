import Kinfolk
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import KinfolkRecords

/// SEARCHABLE indexes: they find the records that have the words, and no others.
@Suite("SEARCHABLE indexes") struct WordIndexTests {
    private let store: TestService
    private let ada: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        try store.container.addField("text", type: .string, indexes: .searchable, to: "Note")
        try store.container.addField("tags", type: .stringList, indexes: .searchable, to: "Note")
        try store.container.addField("plain", type: .string, to: "Note")
    }

    /// Words of which the first ones are frequent.
    private static func text(_ count: Int, _ random: inout some RandomNumberGenerator) -> String {
        (0..<count).map { _ in
            "w\(Int(40 * Double.random(in: 0..<1, using: &random) * Double.random(in: 0..<1, using: &random)))"
        }.joined(separator: " ")
    }

    private func note(_ text: String?, tags: [String]? = nil, in zone: String = RecordID.defaultZone) throws -> Record {
        var note = try Record(type: "Note", id: RecordID(zone: zone))
        if let text { try note.set("text", to: .string(text)) }
        if let tags { try note.set("tags", to: .stringList(tags)) }
        return note
    }

    /// Calls `body` with the scope of a zone, and the numbers of the fields.
    private func read<Result>(
        of owner: UserRecordID?,
        zone: String = RecordID.defaultZone,
        _ body: (IndexScope, [String: Int64], Connection) throws -> Result
    ) throws -> Result {
        try store.service.read { db in
            let container = store.container.number
            let keys = try store.service.keys(ofContainer: container, in: db)
            let schema = try store.service.schemas.schema(of: container, store.service, db)
            let database = RecordPlace(ofPrivate: owner, in: container, keys)
            let isDefault = zone == RecordID.defaultZone
            let place = isDefault ? database : try #require(try ZoneTable.place(named: zone, in: database, db))
            let fields = try #require(schema.types["Note"]?.fields).mapValues(\.number)
            return try body(IndexScope(of: place), fields, db)
        }
    }

    /// The names of the records that have the words.
    private func names(
        _ text: String,
        _ fields: [String] = ["text", "tags"],
        of owner: UserRecordID? = nil,
        zone: String = RecordID.defaultZone
    ) throws -> [String] {
        try read(of: owner, zone: zone) { scope, numbers, db in
            let index = WordIndex(fields.compactMap { numbers[$0] }, in: scope, db)
            let found = try index.numbers(of: Array(Word.all(in: text)))
            #expect(found == found.sorted())
            return try found.map { number in
                try #require(try RecordTable.row(number: number, in: scope.place, db)).content.name
            }.sorted()
        }
    }

    // MARK: Upkeep

    @Test func eachSaveAndDeletionKeepsTheIndex() throws {
        var first = try ada.publicDatabase.save(note("Buy milk and Bread", tags: ["shop, later"]))
        let second = try ada.publicDatabase.save(note("milk", tags: ["bread"]))
        #expect(try names("MILK") == [first.id.name, second.id.name].sorted())
        #expect(try names("bread milk") == [first.id.name, second.id.name].sorted())
        #expect(try names("bread milk", ["text"]) == [first.id.name])
        #expect(try names("later and") == [first.id.name])
        #expect(try names("butter milk") == [])
        #expect(try names("…") == [])
        try first.set("text", to: .string("Buy butter"))
        first = try ada.publicDatabase.save(first)
        #expect(try names("butter shop") == [first.id.name])
        #expect(try names("milk") == [second.id.name])
        try first.set("plain", to: .string("milk"))
        try first.remove("tags")
        first = try ada.publicDatabase.save(first)
        #expect(try names("milk") == [second.id.name])
        #expect(try names("shop") == [])
        #expect(try store.service.check().isSound)
        for id in [first.id, second.id] { try ada.publicDatabase.delete(id) }
        #expect(try store.number("SELECT count(*) FROM postings") == 0)
    }

    @Test(arguments: [false, true]) func randomSavesAndDeletionsKeepTheIndex(isPrivate: Bool) throws {
        var random = SystemRandomNumberGenerator()
        let database = isPrivate ? ada.privateDatabase : ada.publicDatabase
        let owner = isPrivate ? try ada.userRecordID() : nil
        var texts: [RecordID: (text: Set<Word>, tags: Set<Word>)] = [:]
        for round in 0..<22 {
            var operations: [RecordOperation] = try (0..<20).map { _ in
                let text = WordIndexTests.text(12, &random)
                return .create(try note(text, tags: [WordIndexTests.text(2, &random)]))
            }
            for id in texts.keys.shuffled(using: &random).prefix(6) {
                if Bool.random(using: &random) {
                    operations.append(.forceDelete(id))
                    texts[id] = nil
                } else {
                    var note = try database.fetch(id)
                    try note.set("text", to: .string(WordIndexTests.text(12, &random)))
                    operations.append(.forceUpdate(note))
                }
            }
            for result in try database.run(operations) {
                guard let saved = try result.get() else { continue }
                texts[saved.id] = (
                    saved["text"].map(Word.all(in:)) ?? [], saved["tags"].map(Word.all(in:)) ?? []
                )
            }
            // A rotation has renewed some rows, and not others.
            if round == 10 { _ = try store.service.beginRotation(to: nil) }
            if round == 14 { try renew(batches: 2) }
            if round == 18 { _ = try store.service.rotateKeys() }
            for words in ["w0", "w1 w2", "w0 w1 w3", "w30", "w39 w0", "w7 nothing"] {
                let wanted = Word.all(in: words)
                let expected = texts.filter { wanted.isSubset(of: $1.text.union($1.tags)) }.map(\.key.name).sorted()
                #expect(try names(words, of: owner) == expected)
                let inText = texts.filter { wanted.isSubset(of: $1.text) }.map(\.key.name).sorted()
                #expect(try names(words, ["text"], of: owner) == inText)
            }
        }
        #expect(try store.service.check().isSound)
        _ = try database.run(texts.keys.prefix(300).map { .forceDelete($0) })
        _ = try database.run(texts.keys.dropFirst(300).map { .forceDelete($0) })
        #expect(try store.number("SELECT count(*) FROM postings") == 0)
    }

    /// Renews some rows of a rotation that has begun.
    private func renew(batches: Int) throws {
        var rotation = RecordRotation(store.service, container: store.container.number)
        for _ in 0..<batches + 3 {
            _ = try store.service.write { db in try rotation.renewBatch(db) }
        }
    }

    @Test func zonesAndDatabasesHaveTheirOwnWords() throws {
        try ada.privateDatabase.save(RecordZone("Notes"))
        let user = try ada.userRecordID()
        let own = try ada.privateDatabase.save(note("secret"))
        let zoned = try ada.privateDatabase.save(note("secret", in: "Notes"))
        #expect(try names("secret") == [])
        #expect(try names("secret", of: user) == [own.id.name])
        #expect(try names("secret", of: user, zone: "Notes") == [zoned.id.name])
        #expect(try store.number("SELECT count(DISTINCT tag) FROM postings") == 2)
        try ada.privateDatabase.deleteZone("Notes")
        try Sweeper.sweep(store.service.store)
        #expect(try store.number("SELECT count(*) FROM postings") == 1)
        #expect(try store.service.check().isSound)
        _ = try store.account(of: ada).erase()
        #expect(try store.number("SELECT count(*) FROM postings") == 0)
    }

    @Test func anErasureLeavesNoWords() throws {
        let grace = try store.session("Grace")
        for session in [ada, grace] { _ = try session.publicDatabase.save(note("hello world")) }
        _ = try store.account(of: ada).erase()
        #expect(try names("hello").count == 1)
        #expect(try store.service.check().isSound)
    }

    @Test func anIndexThatIsDeclaredLaterHasAllRecords() throws {
        var records = try (0..<150).map { try note("number \($0)") }
        for index in records.indices { try records[index].set("plain", to: .string("plain \(index % 10)")) }
        _ = try ada.publicDatabase.run(records.map(RecordOperation.create))
        try setIndexesOfPlain("SEARCHABLE")
        #expect(try names("3 plain", ["plain"]).count == 15)
        #expect(try store.service.check().isSound)
        try setIndexesOfPlain("")
        #expect(try names("plain", ["plain"]).count == 0)
        #expect(try store.service.check().isSound)
    }

    private func setIndexesOfPlain(_ indexes: String) throws {
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Note (plain STRING \(indexes));")
        try store.container.buildIndexes()
    }

    @Test func concurrentSavesOfTheSameWordsAreAllFound() throws {
        let services = [store.service, try store.reopened()]
        let account = try #require(ada.account)
        try onThreads(2) { thread in
            let container = try services[thread].container("com.example.notes")
            let database = try container.session(for: services[thread].account(account)).publicDatabase
            for number in 0..<15 {
                var note = try Record(type: "Note", id: RecordID("\(thread)-\(number)"))
                try note.set("text", to: .string("hello world \(thread) n\(number)"))
                _ = try database.save(note)
                if number % 5 == 4 { try database.delete(note.id) }
            }
        }
        #expect(try names("world hello").count == 24)
        #expect(try names("n3 world") == ["0-3", "1-3"])
        #expect(try names("n4") == [])
        #expect(try store.service.check().isSound)
    }

    // MARK: Limits

    @Test func aRecordHasALimitedNumberOfWords() throws {
        let words = (0..<20_001).map { "w\($0)" }
        expect(.limitExceeded) { try ada.publicDatabase.save(note(words.joined(separator: " "))) }
        #expect(try store.number("SELECT count(*) FROM records WHERE type <> 0") == 0)
        let saved = try ada.publicDatabase.save(note(words.dropLast().joined(separator: " ")))
        #expect(try names("w19999") == [saved.id.name])
        // A record from before the field had an index may keep its words.
        var large = try note(nil)
        try large.set("plain", to: .string(words.joined(separator: " ")))
        large = try ada.publicDatabase.save(large)
        try setIndexesOfPlain("SEARCHABLE")
        try large.set("text", to: .string("w1"))
        large = try ada.publicDatabase.save(large)
        #expect(try names("w20000 w3", ["plain"]) == [large.id.name])
        try large.set("text", to: .string("other"))
        expect(.limitExceeded) { try ada.publicDatabase.save(large) }
        #expect(try store.service.check().isSound)
    }

    @Test func aTextOfAMegabyteIsIndexed() throws {
        let saved = try ada.privateDatabase.save(note(String(repeating: "東", count: 300_000) + " end"))
        #expect(try names("東 end", of: ada.userRecordID()) == [saved.id.name])
        #expect(try store.number("SELECT count(*) FROM postings") == 2)
    }

    // MARK: Damage

    @Test func damageIsReportedAndRecordsCanStillBeDeleted() throws {
        let text = "hello world"
        let notes = try (0..<3).map { _ in try ada.publicDatabase.save(note(text)) }
        _ = try store.service.write { db in
            try db.execute("UPDATE postings SET sealed_block = $1", .bytes([UInt8](repeating: 7, count: 76)))
        }
        expect(.storeCorrupt) { try names("hello") }
        expect(.storeCorrupt) { try ada.publicDatabase.save(note(text)) }
        try ada.publicDatabase.delete(notes[0].id)
        _ = try store.account(of: ada).erase()
        #expect(try store.number("SELECT count(*) FROM records WHERE type <> 0") == 0)
    }

    @Test func theCheckFindsRowsThatAreMissingMovedOrLeftOver() throws {
        _ = try ada.publicDatabase.save(note("hello world"))
        let before = try rows()
        #expect(try store.service.check().isSound)
        _ = try store.service.write { db in try db.execute("DELETE FROM postings WHERE tag = $1", .tag(before[0].tag)) }
        #expect(try store.service.check().findings.map(\.table) == ["postings"])
        // An older row of a word, without the second record.
        _ = try ada.publicDatabase.save(note("other"))
        _ = try store.service.write { db in
            try db.execute("DELETE FROM postings WHERE tag = $1", .tag(before[1].tag))
        }
        #expect(try store.service.check().findings.map(\.kind) == [.missing])
    }

    @Test func theCheckFindsAnOlderRow() throws {
        let first = try ada.publicDatabase.save(note("hello"))
        let old = try rows()
        try ada.publicDatabase.delete(first.id)
        _ = try ada.publicDatabase.save(note("hello"))
        _ = try store.service.write { db in
            try db.execute(
                "UPDATE postings SET sealed_block = $1 WHERE tag = $2",
                .bytes(old[0].sealed),
                .tag(old[0].tag)
            )
        }
        #expect(try store.service.check().findings.map(\.kind) == [.changed])
    }

    private func rows() throws -> [(tag: KinfolkCrypto.Tag, sealed: [UInt8])] {
        try store.service.read { db in
            try db.all("SELECT tag, sealed_block FROM postings ORDER BY tag") { row in
                (try #require(row.withBytes(0, KinfolkCrypto.Tag.init)), row.bytes(1))
            }
        }
    }

    // MARK: Many records

    /// Record numbers of words, without the records.
    @Test(arguments: [false, true]) func longListsAreFoundInBlocks(isPrivate: Bool) throws {
        var random = SystemRandomNumberGenerator()
        let owner = isPrivate ? try ada.userRecordID() : nil
        let words = ["rare", "some", "many"].compactMap { Word.all(in: $0).first }
        let lists = [20, 3_000, 30_000].map { count in
            Set((0..<count).map { _ in Int64.random(in: 1...1_000_000, using: &random) }).sorted()
        }
        try change(words, adding: lists, of: owner)
        try read(of: owner) { scope, fields, db in
            let index = WordIndex([try #require(fields["text"])], in: scope, db)
            #expect(try index.counts(of: words) == lists.map(\.count))
            for (word, list) in zip(words, lists) { #expect(try index.numbers(of: [word]) == list) }
            let both = Set(lists[1]).intersection(lists[2])
            #expect(try index.numbers(of: [words[2], words[1]]) == both.sorted())
            #expect(try index.numbers(of: words) == both.intersection(lists[0]).sorted())
        }
        try change(words, adding: [[], [], []], removing: lists, of: owner)
        #expect(try store.number("SELECT count(*) FROM postings") == 0)
    }

    private func change(
        _ words: [Word],
        adding added: [[Int64]],
        removing removed: [[Int64]] = [[], [], []],
        of owner: UserRecordID?
    ) throws {
        let (scope, field) = try read(of: owner) { scope, fields, _ in (scope, try #require(fields["text"])) }
        let lanes = PostingLanes(of: scope.key)
        var changes: [PostingWriting.Change] = []
        for (word, (added, removed)) in zip(words, zip(added, removed)) {
            for lane in lanes.all {
                func positions(_ numbers: [Int64]) -> [Int64] {
                    numbers.map(lanes.position).filter { $0.lane == lane }.map(\.position)
                }
                let tree = PostingAddress.Tree(field: field, word: word, lane: lane)
                let change = PostingWriting.Change(tree: tree, added: positions(added), removed: positions(removed))
                changes.append(change)
            }
        }
        _ = try store.service.write { db in try PostingWriting(in: scope, db).run(changes) }
    }
}
