import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// What queries read of indexes and records.
@Suite("Costs of queries") struct QueryCostTests {
    private static let count = 2_000
    private let store: TestService
    private let ada: Session
    private var container: Container { store.container }
    private var database: Database { ada.privateDatabase }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        try container.addField("number", type: .int64, indexes: [.queryable, .sortable], to: "Event")
        try container.addField("group", type: .int64, indexes: [.queryable], to: "Event")
        try container.addField("half", type: .int64, indexes: [.queryable], to: "Event")
        try container.addField("place", type: .location, indexes: [.queryable], to: "Event")
        try container.addField("text", type: .string, indexes: [.searchable], to: "Event")
        try container.addField("plain", type: .string, indexes: [], to: "Event")
    }

    private func fill() throws {
        for start in stride(from: 0, to: QueryCostTests.count, by: 400) {
            let events = try (start..<start + 400).map { number in
                var event = try Record(type: "Event")
                try event.set("number", to: .int64(Int64(number)))
                try event.set("group", to: .int64(Int64(number % 100)))
                try event.set("half", to: .int64(Int64(number % 2)))
                try event.set("place", to: .location(Location(latitude: Double(number) / 1_000, longitude: 0)))
                try event.set("text", to: .string(number % 2 == 0 ? "even session" : "odd session"))
                return RecordOperation.create(event)
            }
            for result in try database.run(events) { _ = try result.get() }
        }
    }

    private func explain(
        _ text: String,
        _ arguments: FieldValue...,
        sort: QuerySortDescriptor...,
        limit: Int = 100
    ) throws -> QueryExplanation {
        let query = try Query("Event", where: QueryPredicate(text, arguments: arguments), sortedBy: sort)
        return try database.explain(query, limit: limit)
    }

    private static let early = FieldValue.date(Timestamp(microseconds: 0))

    /// The small index leads, and its records are looked up in the large ones.
    @Test func fewRecordsAreLookedUpInLargeIndexes() throws {
        try fill()
        let centre = FieldValue.location(try Location(latitude: 1, longitude: 0))
        let large: [(String, [FieldValue])] = [
            ("number >= 0", []), ("createdAt > %@", [QueryCostTests.early]), ("half = 1", []),
            ("(number < 5000 OR createdAt > %@)", [QueryCostTests.early]), ("self CONTAINS 'session'", []),
            ("distanceToLocation:fromLocation:(place, %@) < 300000", [centre]),
        ]
        for (text, arguments) in large {
            let condition = try QueryPredicate("group = 7 AND \(text)", arguments: arguments)
            let query = try Query("Event", where: condition)
            #expect(try database.count(query) == 20, "\(text)")
            let explanation = try database.explain(query)
            #expect(explanation.entriesRead < 500 && explanation.recordsOpened < 100, "\(text)")
            let sorted = try database.explain(Query("Event", where: condition, sortedBy: [.descending("number")]))
            #expect(sorted.entriesRead < 500 && sorted.recordsOpened < 100, "\(text): \(sorted.entriesRead)")
        }
    }

    @Test func boundsOfOneFieldAreOneRange() throws {
        try fill()
        let between = try explain("number >= 1000 AND number < 1010")
        #expect(between.entriesRead < 30 && between.recordsOpened < 70)
        let sorted = try explain("number >= 1000 AND number < 1010 AND number != NULL", sort: .descending("createdAt"))
        #expect(sorted.entriesRead < 60)
        #expect(try explain("number > 10 AND number < 5").recordsOpened < 70)
        let nested = (0..<400).map { "number > \($0)" }.joined(separator: " OR ")
        let union = try explain(nested, limit: 10)
        #expect(union.entriesRead < 30 && union.recordsOpened < 70)
        #expect(try database.count(Query("Event", where: QueryPredicate(nested))) == 1_999)
        let intersection = try explain((0..<400).map { "number > \($0)" }.joined(separator: " AND "), limit: 10)
        #expect(intersection.entriesRead < 30)
    }

    /// Deeper conditions are evaluated on the records, so that the stack of a query is limited.
    @Test func indexesAreCombinedEightDeep() throws {
        try fill()
        func nested(_ levels: Int) throws -> QueryPredicate {
            let inner = QueryKey("number") == .int64(3)
            return try (0..<levels).reduce(inner) { predicate, level in
                let other = QueryKey("number") == .int64(Int64(level.isMultiple(of: 2) ? 5 : 3))
                return level.isMultiple(of: 2)
                    ? predicate || other : try QueryPredicate("half = 1") && predicate || other
            }
        }
        for levels in 1...10 {
            let query = try Query("Event", where: nested(levels))
            #expect(try database.count(query) == 2, "\(levels)")
            let depth = query.predicate.tree.depth - 1
            #expect(try database.explain(query).evaluatesRecords == (depth > 8), "\(depth)")
        }
    }

    /// A later page reads no more than the first one.
    @Test func aPageReadsAboutWhatItReturns() throws {
        try fill()
        for text in [
            "number >= 0", "createdAt > %@", "half IN {0, 1}", "half = 0 OR half = 1", "half = 0 AND number >= 0",
            "number != NULL",
        ] {
            let arguments = text.contains("%@") ? [QueryCostTests.early] : []
            let query = try Query("Event", where: QueryPredicate(text, arguments: arguments))
            #expect(try database.explain(query, limit: 10).entriesRead < 700, "\(text)")
            var (cursor, found, steps) = (QueryCursor?.none, Set<RecordID>(), [Int]())
            repeat {
                let (page, work) = try store.service.tracing { try database.query(query, limit: 100, after: cursor) }
                found.formUnion(page.records.map(\.id))
                steps.append(work.reduce(0) { $0 + $1.steps })
                cursor = page.cursor
            } while cursor != nil
            #expect(found.count == (text.contains("half = 0 AND") ? 1_000 : 2_000), "\(text)")
            // In steps of the engine. A page that begins among records with the same time costs more: 21,767 steps were seen.
            let extra = text.contains("createdAt") ? 20_000 : 1_000
            #expect((steps.dropLast().max() ?? 0) <= 3 * (steps.dropLast().min() ?? 0) + extra, "\(text)")
        }
    }

    @Test func manyCandidatesAreLookedUpInTheOrderOfAnIndex() throws {
        try fill()
        let query = try Query("Event", where: QueryPredicate("half = 1"), sortedBy: [.descending("number")])
        let numbers = try database.query(query, limit: 400).records.compactMap { record in
            if case .int64(let number)? = record["number"] { number } else { nil }
        }
        #expect(numbers == stride(from: 1_999, to: 1_199, by: -2).map(Int64.init))
    }

    // MARK: Advice

    @Test func aQueryThatExceedsTheLimitIsExplained() throws {
        try fill()
        for start in stride(from: QueryCostTests.count, to: 10_400, by: 400) {
            let events = try (start..<start + 400).map { _ in try RecordOperation.create(Record(type: "Event")) }
            for result in try database.run(events) { _ = try result.get() }
        }
        let plain = try Query("Event", where: QueryPredicate("plain > 'a'"))
        expect(.limitExceeded) { try database.query(plain) }
        let explanation = try database.explain(plain)
        #expect(explanation.exceedsLimit && explanation.missingIndexes.map(\.description) == ["SORTABLE plain"])
        #expect(explanation.recordsOpened == 0)
        #expect(try !explain("number > 3").exceedsLimit)
        #expect(try !explain("createdAt > %@", QueryCostTests.early).exceedsLimit)
        for (text, words) in [
            ("NOT number = 3", "NOT number ="), ("plain CONTAINS 'a'", "plain CONTAINS"),
            ("number != NULL AND TRUEPREDICATE", ""),
        ] {
            let query = try Query("Event", where: QueryPredicate(text))
            guard !words.isEmpty else {
                _ = try database.query(query)
                continue
            }
            let error = #expect(throws: KinfolkError.self) { try database.query(query) }
            #expect(error?.reason.contains("No index answers \(words)") == true)
        }
        store.service.indexBuilder.stop()
        try container.applySchema("DEFINE SCHEMA RECORD TYPE Event (plain STRING SORTABLE);")
        let error = #expect(throws: KinfolkError.self) { try database.query(plain) }
        #expect(error?.reason.contains("SORTABLE plain (being built)") == true)
        #expect(try database.explain(plain).missingIndexes.map(\.isBeingBuilt) == [true])
    }

    @Test func wordsNeedASearchableField() throws {
        try container.addField("name", type: .string, indexes: [.queryable], to: "Other")
        let query = try Query("Other", where: QueryPredicate("self CONTAINS 'a'"))
        let error = #expect(throws: KinfolkError.self) { try database.query(query) }
        #expect(error?.code == .invalidArgument && error?.reason.contains("no SEARCHABLE field") == true)
    }

    /// Of faults that show only with the record type, too.
    @Test(arguments: [
        ("number = 1 AND nothing = 1", 16), ("number = 1 OR ( place = 1)", 17), ("number = 1 && 'a' = number", 15),
        ("group = 1 AND ANY group = 1", 19), ("distanceToLocation:fromLocation:(number, %@) < 3", 1),
        ("  number = 'a'", 3),
    ])
    func faultsHaveTheirPosition(text: String, position: Int) throws {
        let place = FieldValue.location(try Location(latitude: 0, longitude: 0))
        let predicate = try QueryPredicate(text, arguments: text.contains("%@") ? [place] : [])
        let query = try Query("Event", where: predicate)
        let error = #expect(throws: KinfolkError.self) { try database.query(query) }
        #expect(error?.code == .invalidArgument)
        #expect(
            error?.reason.hasPrefix("At character \(position) of the predicate: ") == true,
            "\(error?.reason ?? "")"
        )
    }

    // MARK: Limits of work

    @Test func aQueryEndsWhenItReadsTooMuch() throws {
        let work = QueryWork()
        try work.read(entries: QueryWork.maximumEntries)
        expect(.limitExceeded) { try work.read(entries: 1) }
        try work.compare(bytes: QueryWork.maximumBytes / 100, scans: 100)
        expect(.limitExceeded) { try work.compare(bytes: 1, scans: 1) }
    }

    /// Each search for a part reads the text once more.
    @Test func searchesInTextsAreCounted() throws {
        let text = String(repeating: "a", count: 900_000)
        let database = ada.publicDatabase
        for _ in 0..<2 {
            var record = try Record(type: "Event")
            try record.set("plain", to: .string(text))
            _ = try database.save(record)
        }
        let parts = (0..<900).map { "plain CONTAINS 'b\($0)'" }.joined(separator: " OR ")
        expect(.limitExceeded) { try database.count(Query("Event", where: QueryPredicate(parts))) }
        #expect(try database.count(Query("Event", where: QueryPredicate("plain CONTAINS 'b'"))) == 0)
    }
}
