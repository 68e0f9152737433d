import Kinfolk
import KinfolkModel
import KinfolkRecords
import ServiceSupport
import TestSupport
import Testing

/// Generated queries give the same answer as the obvious evaluation of all records.
@Suite("Equal answers of queries") struct QueryEqualityTests {
    private static let recordCount = 80
    /// Those with the suffix `_i` have all indexes that their type allows.
    private static let fields = QuerySamples.types.flatMap { type in [("\(type)_i", type), ("\(type)_n", type)] }

    /// Instead of the suffix of the fields that have indexes, if none has.
    static let noIndex = "none"

    let store: TestService
    let ada: Session
    let bob: Session
    var container: Container { store.container }

    init() throws {
        store = try TestService()
        (ada, bob) = (try store.session("Ada"), try store.session("Bob"))
    }

    func addFields() throws {
        for (name, type) in QueryEqualityTests.fields {
            var indexes: FieldIndexes = []
            if name.hasSuffix("_i") {
                indexes = .queryable
                if [.string, .int64, .double, .boolean, .date].contains(type) { indexes.insert(.sortable) }
                if [.string, .stringList].contains(type) { indexes.insert(.searchable) }
            }
            try container.addField(name, type: type, indexes: indexes, to: "Thing")
        }
    }

    private func samples() throws -> QuerySamples {
        QuerySamples(users: [try ada.userRecordID(), try bob.userRecordID()])
    }

    private func thing(in zone: String, _ samples: QuerySamples, _ random: inout SeededGenerator) throws -> Record {
        var record = try Record(type: "Thing", id: RecordID(zone: zone))
        for (name, type) in QueryEqualityTests.fields where Int.random(in: 0..<6, using: &random) > 0 {
            if zone != RecordID.defaultZone, type == .reference || type == .referenceList { continue }
            try record.set(name, to: samples.value(of: type, &random))
        }
        return record
    }

    func fill(_ databases: [Database], _ zone: String, _ random: inout SeededGenerator) throws {
        let samples = try samples()
        var records = try (0..<QueryEqualityTests.recordCount).map { _ in try thing(in: zone, samples, &random) }
        // Each user creates some: a caller who reads only its own records finds some too.
        for start in stride(from: 0, to: records.count, by: 20) {
            let database = databases[start / 20 % databases.count]
            let results = try database.run(records[start..<start + 20].map(RecordOperation.create))
            for (index, result) in results.enumerated() {
                records[start + index] = try #require(try result.get())
            }
        }
        // Some are changed by another user, and some deleted.
        for index in stride(from: 0, to: records.count, by: 7) {
            let other = try thing(in: zone, samples, &random)
            for key in other.keys { try records[index].set(key, to: try #require(other[key])) }
            records[index] = try databases[0].save(records[index], policy: .allKeys)
        }
        for index in stride(from: 3, to: records.count, by: 31) { try databases[0].delete(records[index].id) }
    }

    /// All records, read without a condition.
    func all(_ database: Database, _ zone: String?) throws -> [Record] {
        try pages(database, Query("Thing"), zone, 400)
    }

    func pages(_ database: Database, _ query: Query, _ zone: String?, _ limit: Int) throws -> [Record] {
        var records: [Record] = []
        var cursor: QueryCursor?
        repeat {
            let page = try database.query(query, inZone: zone, limit: limit, after: cursor)
            #expect(page.records.count <= limit)
            records += page.records
            cursor = page.cursor
        } while cursor != nil
        return records
    }

    func generator(_ records: [Record], indexed: String = "_i", seed: UInt64) throws -> QueryGenerator {
        QueryGenerator(
            samples: try samples(),
            fields: QueryEqualityTests.fields.map { (name: $0.0, type: $0.1) },
            searchable: indexed == QueryEqualityTests.noIndex ? [] : ["string\(indexed)", "stringList\(indexed)"],
            records: records,
            random: SeededGenerator(seed: seed)
        )
    }

    /// - Parameters:
    ///   - records: All that the caller may read.
    ///   - indexed: The suffix of the fields that have indexes.
    /// - Returns: How many records the queries found.
    func compare(
        _ database: Database,
        _ zone: String?,
        with records: [Record],
        indexed: String = "_i",
        seed: UInt64,
        queries: Int
    ) throws -> Int {
        var generator = try generator(records, indexed: indexed, seed: seed)
        var matches = 0
        for number in 0..<queries {
            let condition = generator.condition()
            let order = generator.order()
            let predicate = try QueryPredicate(condition.text, arguments: condition.arguments)
            let query = try Query("Thing", where: predicate, sortedBy: order.descriptors)
            let expected = records.filter(condition.holds)
            // Each page reads all candidates if they are sorted in memory.
            let limit = max(pick([1, 3, 10, 400], &generator.random), expected.count / 8)
            let found = try pages(database, query, zone, limit)
            let names = Set(found.map(\.id))
            let comment: Comment = "seed \(seed), query \(number): \(condition.text)"
            #expect(names == Set(expected.map(\.id)), comment)
            #expect(found.count == names.count, comment)
            let isOrdered = zip(found, found.dropFirst()).allSatisfy { !order.isBefore($1, $0) }
            #expect(isOrdered, comment)
            #expect(try database.count(query, inZone: zone) == expected.count, comment)
            matches += expected.count
        }
        return matches
    }

    private func compare(_ database: Database, _ zone: String?, seed: UInt64, queries: Int) throws {
        let records = try all(database, zone)
        #expect(records.count > 50)
        #expect(try compare(database, zone, with: records, seed: seed, queries: queries) > queries)
    }

    private static var queries: Int { Search.isLong ? 100_000 : 80 }

    @Test func thePublicDatabase() throws {
        try addFields()
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        try container.applySchema(
            "DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Thing (GRANT READ TO \"_world\", GRANT WRITE TO \"_icloud\", GRANT CREATE TO \"_icloud\");"
        )
        try fill([ada.publicDatabase, bob.publicDatabase], RecordID.defaultZone, &random)
        try compare(bob.publicDatabase, nil, seed: seed, queries: QueryEqualityTests.queries / 2)
    }

    @Test func allZonesOfAPrivateDatabase() throws {
        try addFields()
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        _ = try ada.privateDatabase.save(RecordZone("First"))
        for zone in [RecordID.defaultZone, "First"] { try fill([ada.privateDatabase], zone, &random) }
        try compare(ada.privateDatabase, nil, seed: seed, queries: QueryEqualityTests.queries / 4)
        try compare(ada.privateDatabase, "First", seed: seed, queries: QueryEqualityTests.queries / 4)
    }
}
