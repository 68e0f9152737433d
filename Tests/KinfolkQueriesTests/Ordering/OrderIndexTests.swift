import Kinfolk
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// SORTABLE indexes: the order of the entries is that of the values, and they show nothing else.
@Suite("SORTABLE indexes") struct OrderIndexTests {
    private let store: TestService
    private let ada: Session
    private var database: Database { ada.publicDatabase }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        try store.container.addField("text", type: .string, indexes: .sortable, to: "Note")
        try store.container.addField("number", type: .int64, indexes: [.queryable, .sortable], to: "Note")
        try store.container.addField("other", type: .int64, to: "Note")
    }

    private func note(_ number: Int64?, text: String? = nil) throws -> Record {
        var note = try Record(type: "Note")
        if let number { try note.set("number", to: .int64(number)) }
        if let text { try note.set("text", to: .string(text)) }
        return note
    }

    /// Calls `body` with the order of a field in Ada's part of the container.
    private func read<Result>(
        _ field: String,
        of owner: UserRecordID? = nil,
        _ body: (OrderTable.List, Connection) throws -> Result
    ) throws -> Result {
        try store.service.read { db in
            let container = store.container.number
            let keys = try store.service.keys(ofContainer: container, in: db)
            let schema = try store.service.schemas.schema(of: container, store.service, db)
            let type = try #require(schema.types["Note"])
            let number = try #require(type.fields[field]?.number)
            let place = RecordPlace(ofPrivate: owner, in: container, keys)
            return try body(OrderTable.List(of: number, ofType: type.number, in: IndexScope(of: place)), db)
        }
    }

    private func entries(_ field: String, of owner: UserRecordID? = nil) throws -> [OrderTable.Entry] {
        try read(field, of: owner) { list, db in try OrderTable.entries(after: -1, of: list, limit: 100_000, db) }
    }

    /// The values of the records in the order of the entries.
    private func values(_ field: String) throws -> [FieldValue] {
        try read(field) { list, db in
            try OrderTable.entries(after: -1, of: list, limit: 100_000, db).map { entry in
                let row = try #require(try RecordTable.row(number: entry.number, in: list.scope.place, db))
                return try #require(row.content.fields[field])
            }
        }
    }

    private func numbers() throws -> [Int64] {
        try values("number").compactMap { if case .int64(let number) = $0 { number } else { nil } }
    }

    // MARK: The order

    @Test func entriesAreInTheOrderOfTheValues() throws {
        var random = SystemRandomNumberGenerator()
        var expected: [RecordID: Int64] = [:]
        for _ in 0..<30 {
            let records = try (0..<5).map { _ in try note(Int64.random(in: -40...40, using: &random)) }
            for saved in try database.run(records.map(RecordOperation.create)) {
                guard let saved = try saved.get(), case .int64(let number)? = saved["number"] else { continue }
                expected[saved.id] = number
            }
            if let id = expected.keys.randomElement() {
                var changed = try database.fetch(id)
                let number = Int64.random(in: -40...40, using: &random)
                try changed.set("number", to: .int64(number))
                _ = try database.save(changed)
                expected[id] = number
            }
            if let id = expected.keys.randomElement() {
                try database.delete(id)
                expected[id] = nil
            }
        }
        #expect(try numbers() == expected.values.sorted())
        #expect(try store.service.check().isSound)
        let entries = try entries("number")
        #expect(
            try read("number") { try OrderTable.entries(after: -1, of: $0, limit: 7, $1) } == Array(entries.prefix(7))
        )
        #expect(
            try read("number") { try OrderTable.entries(after: entries[6].position, of: $0, limit: 3, $1) }
                == Array(entries[7..<10])
        )
        #expect(
            try read("number") { try OrderTable.entries(before: entries[6].position, of: $0, limit: 3, $1) }
                == Array(entries[3..<6].reversed())
        )
    }

    @Test func equalValuesAreInNoVisibleOrder() throws {
        _ = try database.run((0..<64).map { _ in RecordOperation.create(try note(1)) })
        let shown = try entries("number").map(\.number)
        #expect(shown.count == 64)
        // By chance they are in this order once in 10^89 runs.
        #expect(shown != shown.sorted() && shown != shown.sorted(by: >))
    }

    @Test func textsAreComparedWithoutRegardToCase() throws {
        for text in ["b", "A", "C", "a", "É", "e\u{301}", "Zebra", "zeb", ""] {
            _ = try database.save(note(nil, text: text))
        }
        let found = try values("text").map { value -> String in
            guard case .string(let text) = value else { return "?" }
            return text
        }
        #expect(found.map { $0.lowercased() } == ["", "a", "a", "b", "c", "é", "é", "zeb", "zebra"])
    }

    @Test func eachTypeHasItsOrder() throws {
        let doubles = [-Double.infinity, -1.5, -Double.leastNonzeroMagnitude, 0, 1e-300, 1.5, .infinity]
        let ascending: [[FieldValue]] = [
            doubles.map(FieldValue.double),
            [Int64.min, -1, 0, 1, Int64.max].map(FieldValue.int64),
            [Int64.min, -1, 0, Int64.max].map { .date(Timestamp(microseconds: $0)) },
            [.boolean(false), .boolean(true)],
        ]
        for values in ascending {
            let keys = try values.map { try #require(OrderValue($0)) }
            #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
        }
        #expect(OrderValue(.double(-0.0)) == OrderValue(.double(0.0)))
        #expect(OrderValue(.double(.nan)) == nil)
        for type in FieldType.allCases {
            let isSortable = [FieldType.string, .int64, .double, .boolean, .date].contains(type)
            // A random double may be NaN.
            let value = try type == .double ? .double(1.5) : FieldSamples.value(of: type)
            #expect((OrderValue(value) != nil) == isSortable, "\(type)")
        }
    }

    @Test func aListThatGrowsAtOnePlaceIsRelabelled() throws {
        for number in [0, 1_000] as [Int64] { _ = try database.save(note(number)) }
        let first = try entries("number")
        _ = try database.run((1...150).map { RecordOperation.create(try note(1_000 - $0)) })
        #expect(try entries("number").filter { first.contains($0) }.count < 2)
        #expect(try numbers() == [0] + Array(850...1_000))
        #expect(try store.service.check().isSound)
    }

    // MARK: When entries change

    @Test func aSaveThatKeepsTheValueKeepsTheEntry() throws {
        let saved = try [10, 30, 40].map { try database.save(note($0)) }
        _ = try database.save(note(20))
        let before = try entries("number")
        var changed = saved[1]
        try changed.set("other", to: .int64(5))
        changed = try database.save(changed)
        #expect(try entries("number") == before)
        try changed.set("number", to: .int64(5))
        changed = try database.save(changed)
        #expect(try numbers() == [5, 10, 20, 40])
        try changed.remove("number")
        _ = try database.save(changed)
        #expect(try numbers() == [10, 20, 40])
        #expect(try store.service.check().isSound)
    }

    @Test func privateDatabasesHaveTheirOwnOrder() throws {
        let bob = try store.session("Bob")
        for session in [ada, bob] {
            for number in [3, 1, 2] as [Int64] { _ = try session.privateDatabase.save(note(number)) }
        }
        for session in [ada, bob] { #expect(try entries("number", of: session.userRecordID()).count == 3) }
        #expect(try entries("number").isEmpty)
        let kept = try entries("number", of: bob.userRecordID())
        _ = try database.save(note(9))
        _ = try store.account(of: ada).erase()
        #expect(try entries("number", of: bob.userRecordID()) == kept)
        #expect(try store.number("SELECT count(*) FROM order_entries") == 3)
    }

    @Test func aRotationMovesNothing() throws {
        for number in [3, 1, 2] as [Int64] { _ = try database.save(note(number)) }
        let before = try entries("number")
        _ = try store.service.rotateKeys(isLeaked: true)
        #expect(try entries("number") == before)
        _ = try database.save(note(0))
        #expect(try numbers() == [0, 1, 2, 3])
        #expect(try store.service.check().isSound)
    }

    @Test func aFieldOrContainerThatIsRemovedTakesItsEntries() throws {
        for number in [3, 1, 2] as [Int64] { _ = try database.save(note(number, text: "text")) }
        try store.container.removeField("number", from: "Note")
        #expect(try store.number("SELECT count(*) FROM order_entries") == 3)
        #expect(try store.service.check().isSound)
        _ = try store.service.deleteContainer("com.example.notes")
        #expect(try store.number("SELECT count(*) FROM order_entries") == 0)
    }

    @Test func anIndexCanBeAddedAndRemovedLater() throws {
        for number in [3, 1, 2] as [Int64] {
            var record = try note(nil)
            try record.set("other", to: .int64(number))
            _ = try database.save(record)
        }
        let with = try store.container.exportSchema()
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Note (other INT64 QUERYABLE SORTABLE);")
        try store.container.buildIndexes()
        #expect(try values("other") == [.int64(1), .int64(2), .int64(3)])
        #expect(try store.service.check().isSound)
        try store.container.applySchema(with, removesMissing: true)
        try store.container.buildIndexes()
        #expect(try entries("other").isEmpty)
        #expect(try store.service.check().isSound)
    }

    // MARK: Damage

    @Test(
        arguments: Search.some([
            "UPDATE order_entries SET position = -position WHERE position = (SELECT max(position) FROM order_entries)",
            "UPDATE order_entries SET position = -position - 5",
            "UPDATE order_entries SET position = 9223372036854775807 WHERE position = (SELECT max(position) FROM order_entries)",
            "UPDATE order_entries SET number = number + 1000",
            "DELETE FROM order_entries WHERE position = (SELECT min(position) FROM order_entries)",
            "INSERT INTO order_entries SELECT container_id, owner, zone, field, position + 1, number FROM order_entries",
            "INSERT INTO order_entries SELECT container_id, owner, zone, field + 100, position, number FROM order_entries",
            "UPDATE order_entries SET position = position - 8589934593 WHERE position = (SELECT max(position) FROM order_entries)",
        ])
    ) func damageIsFoundAndStopsNobodyForever(damage: String) throws {
        for number in [1, 2, 3, 4] as [Int64] { _ = try database.save(note(number)) }
        let saved = try database.save(note(5))
        #expect(try store.service.check().isSound)
        _ = try store.service.write { db in try db.execute(composed: damage, []) }
        #expect(try !store.service.check().isSound)
        for number in [0, 3, 9] as [Int64] {
            do { _ = try database.save(note(number)) } catch { #expect(KinfolkError(error).code == .storeCorrupt) }
        }
        // A deletion does not search for the place of a value.
        try database.delete(saved.id)
        _ = try store.account(of: ada).erase()
    }

    // MARK: Concurrency

    @Test func concurrentServicesKeepOneOrder() throws {
        let (path, user) = (store.path, try #require(ada.account))
        let count = 25
        try onThreads(3) { thread in
            let service = try Service.open(path, key: .file(TemporaryFolder.keyPath(of: path)))
            let database = try service.container("com.example.notes").session(for: service.account(user)).publicDatabase
            for number in 0..<count {
                var note = try Record(type: "Note")
                // All of them write to the same gap.
                try note.set("number", to: .int64(Int64(number * (thread == 0 ? 1 : -1))))
                _ = try database.save(note)
            }
        }
        #expect(try numbers().count == 3 * count)
        #expect(try numbers() == numbers().sorted())
        #expect(try store.service.check().isSound)
    }
}
