import Kinfolk
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// Pages, counts, limits, errors, and who may see what.
@Suite("Queries") struct QueryTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session
    private var container: Container { store.container }
    private var database: Database { ada.publicDatabase }

    init() throws {
        store = try TestService()
        (ada, bob) = (try store.session("Ada"), try store.session("Bob"))
        try container.addField("name", type: .string, indexes: [.queryable], to: "Event")
        try container.addField("start", type: .int64, indexes: [.queryable, .sortable], to: "Event")
        try container.addField("plain", type: .int64, indexes: [], to: "Event")
        try container.addField("tags", type: .stringList, indexes: [.queryable], to: "Event")
    }

    @discardableResult
    private func save(_ count: Int, by session: Session? = nil, type: String = "Event") throws -> [Record] {
        var saved: [Record] = []
        for start in stride(from: 0, to: count, by: Database.maximumBatch) {
            let operations = try (start..<min(count, start + Database.maximumBatch)).map { number in
                var event = try Record(type: type)
                try event.set("name", to: .string(number % 2 == 0 ? "Even" : "Odd"))
                try event.set("start", to: .int64(Int64(number)))
                try event.set("plain", to: .int64(Int64(number % 10)))
                return RecordOperation.create(event)
            }
            for result in try (session ?? ada).publicDatabase.run(operations) {
                saved.append(try #require(try result.get()))
            }
        }
        return saved
    }

    private func query(
        _ text: String = "TRUEPREDICATE",
        _ arguments: FieldValue...,
        sort: QuerySortDescriptor...
    ) throws -> Query {
        try Query("Event", where: QueryPredicate(text, arguments: arguments), sortedBy: sort)
    }

    private func starts(_ page: QueryPage) -> [Int64] { page.records.flatMap(starts(of:)) }

    private func starts(of record: Record) -> [Int64] {
        if case .int64(let start)? = record["start"] { [start] } else { [] }
    }

    // MARK: Pages

    @Test func pagesContinueWhereTheLastOneEnded() throws {
        try save(25)
        let sorts: [[QuerySortDescriptor]] = [
            [], [.ascending("start")], [.descending("start")], [.ascending("plain"), .descending("start")],
        ]
        for sort in sorts {
            let query = try Query("Event", where: QueryPredicate("name = %@", .string("even")), sortedBy: sort)
            var (cursor, found, pages) = (QueryCursor?.none, [Int64](), 0)
            repeat {
                let page = try database.query(query, limit: 5, after: cursor)
                found += starts(page)
                cursor = page.cursor
                pages += 1
            } while cursor != nil
            #expect(found.count == 13 && pages == 3)
            #expect(Set(found) == Set(stride(from: 0, to: 25, by: 2)))
        }
        let page = try database.query(query(sort: .descending("start")), limit: 3)
        #expect(starts(page) == [24, 23, 22])
    }

    @Test func recordsThatDoNotChangeAppearOnceWhileOthersDo() throws {
        let records = try save(40)
        let sorts: [[QuerySortDescriptor]] = [
            [], [.ascending("start")], [.descending("start")], [.descending("modifiedAt")],
        ]
        for sort in sorts {
            let query = try Query("Event", where: QueryPredicate("start >= 0"), sortedBy: sort)
            var (cursor, found) = (QueryCursor?.none, [RecordID]())
            var (deleted, added) = (Set<RecordID>(), Set<RecordID>())
            repeat {
                let page = try database.query(query, limit: 7, after: cursor)
                found += page.records.map(\.id)
                cursor = page.cursor
                // The last record of the page is deleted: the cursor still holds its place.
                if let last = page.records.last, !added.contains(last.id) {
                    try database.delete(last.id)
                    deleted.insert(last.id)
                }
                var new = try Record(type: "Event")
                try new.set("start", to: .int64(Int64.random(in: 0...40)))
                added.insert(try database.save(new).id)
            } while cursor != nil
            let stayed = try records.map(\.id).filter { id in
                try !deleted.contains(id) && !database.fetch([id]).contains { (try? $0.get()) == nil }
            }
            for id in stayed { #expect(found.filter { $0 == id }.count == 1) }
            #expect(Set(found).count == found.count)
            let restored = try records.filter { deleted.contains($0.id) }.map { record in
                var again = try Record(type: "Event", id: record.id)
                try again.set("start", to: try #require(record["start"]))
                return RecordOperation.create(again)
            }
            _ = try database.run(restored + added.map { .delete($0, changeTag: nil) })
        }
    }

    @Test func aPageEndsAfterTwoMegabytes() throws {
        try container.addField("big", type: .bytes, indexes: [], to: "Event")
        for _ in 0..<4 {
            var record = try Record(type: "Event")
            try record.set("big", to: .bytes([UInt8](repeating: 1, count: 900_000)))
            _ = try database.save(record)
        }
        let first = try database.query(query())
        #expect(first.records.count == 3)
        let second = try database.query(query(), after: first.cursor)
        #expect(second.records.count == 1 && second.cursor == nil)
        let few = try database.query(query(), desiredKeys: ["name"])
        #expect(few.records.allSatisfy { $0.keys.isEmpty })
    }

    @Test(arguments: ["start", "createdAt", "big"])
    func aPageOfAllZonesEndsAfterTwoMegabytes(key: String) throws {
        try container.addField("big", type: .bytes, indexes: [], to: "Event")
        let database = ada.privateDatabase
        for zone in ["First", "Second"] {
            _ = try database.save(RecordZone(zone))
            for number in 0..<5 {
                var record = try Record(type: "Event", id: RecordID("\(number)", zone: zone))
                try record.set("big", to: .bytes([UInt8](repeating: UInt8(number), count: 900_000)))
                try record.set("start", to: .int64(Int64(number)))
                _ = try database.save(record)
            }
        }
        let query = try Query("Event", sortedBy: key == "big" ? [] : [.ascending(key)])
        var (found, sizes): ([RecordID], [Int]) = ([], [])
        var cursor: QueryCursor?
        repeat {
            let page = try database.query(query, after: cursor)
            found += page.records.map(\.id)
            sizes.append(page.records.count)
            cursor = page.cursor
        } while cursor != nil
        #expect(Set(found).count == 10 && found.count == 10)
        #expect(sizes == [3, 3, 3, 1])
        if key == "start" { #expect(found.map(\.name) == (0..<5).flatMap { ["\($0)", "\($0)"] }) }
    }

    @Test func cursorsBelongToTheirQuery() throws {
        try save(10)
        let cursor = try #require(try database.query(query("start >= 0"), limit: 2).cursor)
        _ = try database.query(query("start >= 0"), limit: 5, after: cursor)
        _ = try store.service.rotateKeys()
        _ = try database.query(query("start >= 0"), limit: 5, after: cursor)
        expect(.invalidArgument) { try database.query(query("start >= 1"), after: cursor) }
        expect(.invalidArgument) { try database.query(query("start >= 0", sort: .ascending("start")), after: cursor) }
        expect(.invalidArgument) {
            try database.query(query("start >= 0"), inZone: RecordID.defaultZone, after: cursor)
        }
        expect(.invalidArgument) { try bob.publicDatabase.query(query("start >= 0"), after: cursor) }
        expect(.invalidArgument) { try ada.privateDatabase.query(query("start >= 0"), after: cursor) }
        for position in cursor.bytes.indices {
            var bytes = cursor.bytes
            bytes[position] ^= 1
            let changed = try QueryCursor(bytes: bytes)
            expect(.invalidArgument) { try database.query(query("start >= 0"), after: changed) }
        }
        expect(.invalidArgument) { try QueryCursor(bytes: []) }
        for limit in [Int.min, 0, 401] { expect(.invalidArgument) { try database.query(query(), limit: limit) } }
    }

    // MARK: Limits

    @Test func aQueryWithoutAnIndexHasALimit() throws {
        try save(10_001)
        let missing = try query("plain = 3")
        let error = #expect(throws: KinfolkError.self) { try database.query(missing) }
        #expect(error?.code == .limitExceeded && error?.reason.contains("QUERYABLE plain") == true)
        expect(.limitExceeded) { try database.count(missing) }
        let order = #expect(throws: KinfolkError.self) { try database.query(query(sort: .ascending("plain"))) }
        #expect(order?.reason.contains("SORTABLE plain") == true)
        expect(.limitExceeded) { try database.query(query("NOT (name = 'x')")) }
        // An index leaves few candidates.
        #expect(try database.count(query("plain = 3 AND start < 100")) == 10)
        #expect(try database.query(query("plain = 3 AND start < 100", sort: .ascending("plain"))).records.count == 10)
        // Conditions and orders with an index have no limit.
        #expect(try database.count(query()) == 10_001)
        #expect(try database.count(query("start >= 0")) == 10_001)
        let range = try query("start >= 0 AND start < 9999", sort: .descending("start"))
        #expect(starts(try database.query(range, limit: 2)) == [9998, 9997])
        let both = try query("name = 'Even' AND start >= 0", sort: .descending("start"))
        #expect(starts(try database.query(both, limit: 3)) == [10_000, 9998, 9996])
        #expect(try database.count(both) == 5001)
        // So many candidates that they are first looked up in the order's index. Of the second query, none is among the first entries.
        let all = try query("name IN {'Even', 'Odd'} AND start != NULL", sort: .descending("start"))
        #expect(try starts(database.query(all, limit: 400)) == (0..<400).map { 10_000 - $0 })
        let early = try query("start < 8500", sort: .descending("createdAt"))
        #expect(try database.query(early, limit: 2).records.allSatisfy { starts(of: $0).allSatisfy { $0 < 8_500 } })
        #expect(try database.query(early, limit: 2).records.count == 2)
        // One record less, and the query is possible.
        try database.delete(try #require(try database.query(query(), limit: 1).records.first).id)
        #expect(try database.count(missing) == 1000)
    }

    // MARK: Errors

    @Test func whatIsWrongIsSaid() throws {
        try save(1)
        expect(.unknownItem) { try database.query(Query("Other")) }
        expect(.invalidArgument) { try database.query(query("nothing = 1")) }
        expect(.invalidArgument) { try database.query(query("name = 1")) }
        expect(.invalidArgument) { try database.query(query("start = 'a'")) }
        expect(.invalidArgument) { try database.query(query("start BEGINSWITH 'a'")) }
        expect(.invalidArgument) { try database.query(query("ANY name = 'a'")) }
        expect(.invalidArgument) { try database.query(query("tags = 'a'")) }
        let place = try Location(latitude: 0, longitude: 0)
        expect(.invalidArgument) {
            try database.query(query("distanceToLocation:fromLocation:(name, %@) < 1", .location(place)))
        }
        expect(.invalidArgument) { try database.query(query(sort: .ascending("nothing"))) }
        expect(.invalidArgument) { try database.query(query(sort: .ascending("tags"))) }
        expect(.invalidArgument) { try Query("Users") }
        expect(.zoneNotFound) { try ada.privateDatabase.query(query(), inZone: "Nowhere") }
        expect(.zoneNotFound) { try database.query(query(), inZone: "Nowhere") }
        expect(.notAuthenticated) { try container.anonymousSession().privateDatabase.query(query()) }
        #expect(try container.anonymousSession().publicDatabase.query(query()).records.count == 1)
    }

    // MARK: Creators

    private static let secret = """
        DEFINE SCHEMA CREATE ROLE Reader;
        RECORD TYPE Event (GRANT READ, WRITE TO "_creator", GRANT READ TO Reader, GRANT CREATE TO "_icloud");
        """

    /// - Parameter areBuilt: Whether the records of each creator have entries of their own, or still lack them.
    @Test(arguments: [true, false]) func callersWhoReadAsCreatorsFindOnlyTheirOwnRecords(areBuilt: Bool) throws {
        store.service.indexBuilder.stop()
        // Before and after the grants: entries are made for records that exist.
        try save(6, by: bob)
        try save(4)
        try container.applySchema(QueryTests.secret)
        if areBuilt { try container.buildIndexes() }
        try save(3, by: bob)
        let carl = try store.session("Carl")
        try container.grantRole("Reader", to: store.account(of: carl))
        let texts = [
            "TRUEPREDICATE", "name = 'even'", "start >= 0", "plain >= 0", "name = 'even' AND plain = 0", "start = 0",
            "name = NULL", "createdAt > %@", "NOT (modifiedAt <= %@)", "recordName != 'x'",
        ]
        let sorts: [[QuerySortDescriptor]] = [
            [], [.ascending("start")], [.descending("createdAt")], [.ascending("plain")],
        ]
        for text in texts {
            for sort in sorts {
                let times = text.contains("%@") ? [FieldValue.date(Timestamp(microseconds: 0))] : []
                let predicate = try QueryPredicate(text, arguments: times)
                let query = try Query("Event", where: predicate, sortedBy: sort)
                let all = try carl.publicDatabase.query(query).records
                for (session, own) in [(ada, try ada.userRecordID()), (bob, try bob.userRecordID())] {
                    let found = try session.publicDatabase.query(query).records
                    let expected = all.filter { $0.createdBy == own }
                    #expect(Set(found.map(\.id)) == Set(expected.map(\.id)) && found.count == expected.count, "\(text)")
                    #expect(try session.publicDatabase.count(query) == found.count)
                }
            }
        }
        #expect(try carl.publicDatabase.count(query()) == 13)
        expect(.permissionFailure) { try container.anonymousSession().publicDatabase.query(query()) }
        // By name or creator, too.
        let bobs = try #require(try bob.publicDatabase.query(query()).records.first)
        #expect(try database.count(query("recordName = %@", .string(bobs.id.name))) == 0)
        #expect(try database.count(query("createdBy = %@", .reference(bob.userRecordID()))) == 0)
        #expect(try database.count(query("createdBy = %@", .reference(ada.userRecordID()))) == 4)
        #expect(try store.service.check().isSound)
        // What a person may read counts for the limit.
        #expect(try database.explain(query("plain = 1")).recordsOpened == 4)
        // Records of others change nothing.
        let queries = [
            try query(), try query("name = 'even'"), try query("start >= 0"), try query(sort: .ascending("start")),
            try query(sort: .descending("createdAt")), try query("createdAt > %@", .date(Timestamp(microseconds: 0))),
            try query("recordName = %@", .string(bobs.id.name)),
        ]
        let explanations = try queries.map { try database.explain($0) }
        _ = try bob.publicDatabase.delete(bobs.id)
        for (query, explanation) in zip(queries, explanations) { #expect(try database.explain(query) == explanation) }
        try container.applySchema(
            "DEFINE SCHEMA RECORD TYPE Event (GRANT READ TO \"_world\", GRANT CREATE TO \"_icloud\");"
        )
        #expect(try database.count(query()) == 12)
        #expect(try store.service.check().isSound)
        _ = try store.account(of: bob).erase()
        #expect(try database.count(query()) == 4)
        #expect(try store.service.check().isSound)
    }

    @Test func creatorsShowNothingOfRecordsOfOtherTypes() throws {
        try container.applySchema(
            """
            DEFINE SCHEMA
            RECORD TYPE Diary (plain INT64, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
            """
        )
        try save(3, by: bob)
        let user = FieldValue.reference(try bob.userRecordID())
        let before = try database.explain(query("createdBy = %@", user))
        for _ in 0..<20 { _ = try bob.publicDatabase.save(Record(type: "Diary")) }
        #expect(try database.count(query("createdBy = %@", user)) == 3)
        #expect(try database.explain(query("createdBy = %@", user)) == before)
        #expect(try database.count(query("createdBy = %@ OR name = 'nobody'", user)) == 3)
    }

    @Test func callersWhoMayNotReadLearnNoFields() throws {
        try container.applySchema(QueryTests.secret)
        let nobody = container.anonymousSession().publicDatabase
        for text in ["name = 'x'", "nothing = 1", "name = 1"] {
            expect(.permissionFailure) { try nobody.query(query(text)) }
        }
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anEditedIndexShowsNoRecordsOfOthers() throws {
        try container.applySchema(
            """
            DEFINE SCHEMA
            RECORD TYPE Diary (start INT64 SORTABLE, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
            """
        )
        try save(3)
        var diary = try Record(type: "Diary")
        try diary.set("start", to: .int64(77))
        _ = try bob.publicDatabase.save(diary)
        let number = try store.number("SELECT max(number) FROM records")
        try store.change(
            """
            UPDATE order_entries SET number = $1 WHERE position = (SELECT min(position) FROM order_entries
            WHERE number <> $1)
            """,
            .integer(Int64(number))
        )
        let found = try database.query(query(sort: .ascending("start"))).records
        #expect(found.count == 2 && found.allSatisfy { $0.type == "Event" })
        #expect(try database.count(query("start < 1")) == 0)
    }

    /// Two rows in the wrong order may repeat records, but the pages come to an end.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func pagesOfAnEditedIndexEnd() throws {
        try save(12)
        for (position, other) in [(2, 9), (4, 7), (0, 11)] {
            try store.change(
                """
                UPDATE order_entries SET number = -1 - number
                WHERE number = (SELECT number FROM order_entries ORDER BY position LIMIT 1 OFFSET $1)
                """,
                .integer(Int64(position))
            )
            try store.change(
                """
                UPDATE order_entries SET number = (SELECT -1 - number FROM order_entries WHERE number < 0)
                WHERE number = (SELECT number FROM order_entries ORDER BY position LIMIT 1 OFFSET $1)
                """,
                .integer(Int64(other))
            )
            // One record has the position of another, which has none.
            try store.change("DELETE FROM order_entries WHERE number < 0")
        }
        for sort in [QuerySortDescriptor.ascending("start"), .descending("start")] {
            var (cursor, pages) = (QueryCursor?.none, 0)
            do {
                repeat {
                    cursor = try database.query(query(sort: sort), limit: 1, after: cursor).cursor
                    pages += 1
                } while cursor != nil && pages < 100
            } catch {
                #expect(KinfolkError(error).code == .storeCorrupt)
            }
            #expect(pages < 100)
        }
    }

    /// Neither others that are saved, nor the build of another index, depend on a record that cannot be read.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aDamagedRecordDoesNotStopOthers() throws {
        let records = try save(40)
        let number = try store.number("SELECT number FROM order_entries ORDER BY position DESC LIMIT 1")
        try store.change("UPDATE records SET sealed_fields = zeroblob(200) WHERE number = $1", .integer(Int64(number)))
        for start in [-1, 20, 39, 40, 99] {
            var event = try Record(type: "Event")
            try event.set("start", to: .int64(Int64(start)))
            _ = try database.save(event)
        }
        var moved = records[3]
        try moved.set("start", to: .int64(50))
        _ = try database.save(moved)
        #expect(try starts(database.query(query("start < 30"), limit: 400)).count == 31)
        #expect(try starts(database.query(query("start > 45 AND start < 60"))) == [50])
        // An index that is made again has no entry of the record.
        for indexes in [FieldIndexes.queryable, [.queryable, .sortable]] {
            try container.applySchema(
                "DEFINE SCHEMA RECORD TYPE Event (start INT64 QUERYABLE\(indexes.contains(.sortable) ? " SORTABLE" : ""));"
            )
            try container.buildIndexes()
        }
        #expect(try store.number("SELECT count(*) FROM order_entries") == 44)
        #expect(try starts(database.query(query(sort: .ascending("start")), limit: 400)).count == 44)
    }

    // MARK: Indexes

    @Test func anOrderIsCompleteAfterItsFieldIsAdded() throws {
        try save(5)
        try container.addField("rank", type: .int64, indexes: [.sortable], to: "Event")
        try container.buildIndexes()
        #expect(try database.query(query(sort: .ascending("rank"))).records.count == 5)
        #expect(try database.query(query(sort: .descending("rank")), limit: 2).records.count == 2)
        #expect(try database.count(query("rank = NULL")) == 5)
        #expect(try store.service.check().isSound)
    }

    @Test func manyCandidatesAreFoundInTheOrderOfATime() throws {
        try save(2_400)
        for sort in [QuerySortDescriptor.ascending("createdAt"), .descending("modifiedAt")] {
            let query = try query("name = 'even' AND start >= 0", sort: sort)
            var (cursor, found) = (QueryCursor?.none, [Record]())
            repeat {
                let page = try database.query(query, limit: 400, after: cursor)
                found += page.records
                cursor = page.cursor
            } while cursor != nil
            #expect(found.count == 1_200 && Set(found.map(\.id)).count == 1_200)
            let times = found.compactMap { sort == .ascending("createdAt") ? $0.createdAt : $0.modifiedAt }
            #expect(zip(times, times.dropFirst()).allSatisfy { sort == .ascending("createdAt") ? $0 <= $1 : $0 >= $1 })
        }
        let few = try database.explain(query("name = 'even' AND start >= 0", sort: .ascending("createdAt")), limit: 3)
        #expect(few.recordsOpened < 60)
    }

    // MARK: Explanations

    @Test func explanationsSayWhatIsRead() throws {
        try save(60)
        let equality = try database.explain(query("name = 'even'"), limit: 10)
        #expect(equality.indexes.map(\.description) == ["QUERYABLE name"] && equality.missingIndexes.isEmpty)
        #expect(!equality.evaluatesRecords && !equality.sortsRecords)
        #expect(equality.recordsOpened == 11 && equality.recordsDiscarded == 0)
        let plain = try database.explain(query("plain = 3", sort: .ascending("plain")))
        #expect(plain.indexes.isEmpty && plain.evaluatesRecords && plain.sortsRecords)
        #expect(plain.missingIndexes.map(\.description) == ["QUERYABLE plain", "SORTABLE plain"])
        #expect(plain.recordsOpened == 60 && plain.recordsDiscarded == 54)
        let sorted = try database.explain(query(sort: .descending("start")), limit: 5)
        #expect(sorted.indexes.map(\.description) == ["SORTABLE start"] && sorted.recordsOpened == 6)
        let creation = try database.explain(query())
        #expect(creation.indexes.map(\.description) == ["SORTABLE createdAt"])
    }
}
