import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// Indexes of existing records are built and removed in batches, beside other work.
@Suite("Index builds") struct IndexBuildTests {
    private let store: TestService
    private let ada: Session
    private var container: Container { store.container }

    private static let plain = "title STRING, size INT64, place LOCATION"
    private static let indexed =
        "title STRING QUERYABLE SORTABLE, size INT64 QUERYABLE SORTABLE, place LOCATION QUERYABLE"

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        // Each test says when indexes are built.
        store.service.indexBuilder.stop()
        try apply(IndexBuildTests.plain)
        try ada.privateDatabase.save(RecordZone("Notes"))
    }

    private func apply(_ entries: String) throws {
        try container.applySchema("DEFINE SCHEMA RECORD TYPE Note (\(entries));")
    }

    private func note(_ number: Int, zone: String = RecordID.defaultZone) throws -> Record {
        var note = try Record(type: "Note", id: RecordID("note-\(number)", zone: zone))
        try note.set("title", to: .string("Title \(number % 7)"))
        // Every third one has no size.
        if number % 3 != 0 { try note.set("size", to: .int64(Int64(number % 11))) }
        try note.set("place", to: .location(Location(latitude: Double(number % 90), longitude: Double(number % 180))))
        return note
    }

    /// Saves records in the public database, in the default zone and in a custom one.
    private func fill(_ count: Int = 130) throws {
        for start in stride(from: 0, to: count, by: 100) {
            let numbers = start..<min(start + 100, count)
            _ = try ada.publicDatabase.run(numbers.map { .create(try note($0)) })
            _ = try ada.privateDatabase.run(numbers.map { .create(try note($0)) })
            _ = try ada.privateDatabase.run(numbers.map { .create(try note($0, zone: "Notes")) })
        }
    }

    private func type() throws -> TypeDefinition {
        try store.service.read { db in
            try #require(try store.service.schemas.schema(of: container.number, store.service, db).types["Note"])
        }
    }

    private func has(_ index: FieldIndexes, _ presence: IndexPresence, _ field: String = "size") throws -> Bool {
        try #require(type().fields[field]).has(index, presence)
    }

    private func count(_ table: String) throws -> Int {
        try store.service.read { db in
            try db.using(composed: "SELECT count(*) FROM \(table)", []) { try $0.step() ? Int($0.integer(0)) : -1 }
        }
    }

    /// Compares all entries with the records.
    private func expectComplete(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try container.indexBuilds().isEmpty, sourceLocation: sourceLocation)
        #expect(try type().isSettled, sourceLocation: sourceLocation)
        #expect(
            try store.service.check().findings.map { "\($0.table) \($0.kind)" } == [],
            sourceLocation: sourceLocation
        )
    }

    // MARK: One build

    @Test func anIndexIsBuiltInPartsAndThenUsed() throws {
        try fill()
        let entries = try count("index_entries")
        try apply(IndexBuildTests.indexed)
        #expect(try container.indexBuilds() == [IndexBuild(recordType: "Note", done: 0, total: 390)])
        #expect(try has(.queryable, .wanted) && has(.queryable, .possible) && !has(.queryable, .certain))
        #expect(try count("index_entries") == entries && count("order_entries") == 0 && count("cell_entries") == 0)
        #expect(try store.service.check().isSound)
        var seen: [IndexBuild] = []
        try container.buildIndexes { (build) throws(KinfolkError) in
            seen.append(build)
            do {
                if build.done < build.total {
                    #expect(try !has(.sortable, .certain))
                    #expect(try container.indexBuilds() == [build])
                }
                #expect(try store.service.check().isSound)
            } catch { Issue.record(error) }
        }
        #expect(seen.count >= 2 && seen.last?.done == 390 && seen.map(\.done) == seen.map(\.done).sorted())
        #expect(try has(.queryable, .certain) && has(.sortable, .certain, "title"))
        #expect(try count("cell_entries") == 4 * 390)
        // 260 of 390 have a size.
        #expect(try count("order_entries") == 390 + 3 * (0..<130).filter { $0 % 3 != 0 }.count)
        try expectComplete()
    }

    @Test func anIndexIsRemovedInParts() throws {
        try fill()
        let entries = try count("index_entries")
        try apply(IndexBuildTests.indexed)
        try container.buildIndexes()
        try apply(IndexBuildTests.plain)
        #expect(try !has(.sortable, .certain) && !has(.sortable, .wanted) && has(.sortable, .possible))
        #expect(try store.service.check().isSound)
        try container.buildIndexes()
        #expect(try count("order_entries") == 0 && count("cell_entries") == 0 && count("index_entries") == entries)
        try expectComplete()
    }

    @Test func withoutRecordsAnIndexIsReadyAtOnce() throws {
        try apply(IndexBuildTests.indexed)
        try expectComplete()
        #expect(try has(.queryable, .certain) && has(.sortable, .certain))
        try fill(3)
        try apply("owner STRING QUERYABLE, body STRING SEARCHABLE")
        try expectComplete()
        #expect(try has(.queryable, .certain, "owner"))
    }

    @Test func anOrderOfANewFieldHasTheRecordsWithoutAValue() throws {
        try fill(5)
        let entries = try count("index_entries")
        try apply("due TIMESTAMP SORTABLE")
        #expect(try !has(.sortable, .certain, "due"))
        try container.buildIndexes()
        #expect(try count("index_entries") == entries + 15)
        try expectComplete()
    }

    @Test func creatorsGetEntriesOfTheirOwn() throws {
        try apply(IndexBuildTests.indexed)
        try fill(5)
        let cells = try count("cell_entries")
        try apply(#"title STRING QUERYABLE SORTABLE, GRANT READ TO "_creator", GRANT CREATE TO "_icloud""#)
        #expect(try !type().hasCreatorScope(.certain) && type().hasCreatorScope(.wanted))
        try container.buildIndexes()
        #expect(try type().hasCreatorScope(.certain))
        #expect(try count("cell_entries") == cells + 4 * 5)
        try expectComplete()
        try apply(#"title STRING QUERYABLE SORTABLE, GRANT READ TO "_world", GRANT CREATE TO "_icloud""#)
        #expect(try !type().hasCreatorScope(.certain) && type().hasCreatorScope(.possible))
        try container.buildIndexes()
        #expect(try count("cell_entries") == cells)
        try expectComplete()
    }

    // MARK: Beside other work

    @Test func othersSaveAndDeleteMeanwhile() throws {
        try fill()
        var random = SystemRandomNumberGenerator()
        var next = 1_000
        func work() throws {
            for (database, isPrivate) in [(ada.publicDatabase, false), (ada.privateDatabase, true)] {
                for _ in 0..<5 {
                    let zone = isPrivate && Bool.random(using: &random) ? "Notes" : RecordID.defaultZone
                    var changed = try note(Int.random(in: 0..<130, using: &random), zone: zone)
                    try changed.set("size", to: .int64(Int64.random(in: -5...5, using: &random)))
                    try changed.set("title", to: .string("Other"))
                    _ = try database.save(changed, policy: .changedKeys)
                    _ = try database.save(note(next, zone: zone))
                    next += 1
                    let id = try RecordID("note-\(Int.random(in: 0..<130, using: &random))", zone: zone)
                    _ = try database.run([.forceDelete(id)])
                }
            }
        }
        for entries in [IndexBuildTests.indexed, IndexBuildTests.plain, IndexBuildTests.indexed] {
            try apply(entries)
            try work()
            try container.buildIndexes { (_) throws(KinfolkError) in
                do { try work() } catch { Issue.record(error) }
            }
            try expectComplete()
        }
    }

    @Test func aChangeOfMindMeanwhileEndsRight() throws {
        try fill()
        let schemas = [
            IndexBuildTests.indexed, IndexBuildTests.plain, IndexBuildTests.indexed,
            "title STRING SORTABLE, size INT64 QUERYABLE, place LOCATION QUERYABLE",
            "title STRING QUERYABLE, size INT64 SORTABLE, place LOCATION",
            #"size INT64 QUERYABLE, GRANT READ TO "_creator""#, #"size INT64 SORTABLE, GRANT READ TO "_world""#,
        ]
        for schema in schemas {
            try apply(schema)
            // Up to the second part.
            var parts = 0
            _ = try? container.buildIndexes { (_) throws(KinfolkError) in
                parts += 1
                if parts == 2 { throw .cancelled }
            }
            #expect(try store.service.check().findings.map { "\($0.table) \($0.kind)" } == [])
        }
        for schema in schemas {
            try apply(schema)
            try container.buildIndexes()
            try expectComplete()
        }
    }

    @Test func keysRotateMeanwhile() throws {
        try fill(90)
        try apply(IndexBuildTests.indexed)
        _ = try store.service.beginRotation(to: nil, isLeaked: true)
        while try store.service.rotateBatch() != nil {}
        var rotation = RecordRotation(store.service, container: container.number)
        var steps = 0
        while !rotation.isOver {
            rotation = try store.service.write { db in
                var next = rotation
                try next.renewBatch(db, limit: 40)
                return next
            }
            steps += 1
            if steps % 5 == 0 { try apply(steps % 2 == 0 ? IndexBuildTests.indexed : IndexBuildTests.plain) }
            try store.service.write { db in
                guard let row = try IndexBuildTable.next(db) else { return }
                try IndexBuilding(row, store.service.keys(db), db, limit: 30).run()
            }
            #expect(try store.service.check().findings.map { "\($0.table) \($0.kind)" } == [])
        }
        #expect(steps > 10)
        _ = try store.service.rotateKeys()
        try container.buildIndexes()
        try expectComplete()
        try apply(IndexBuildTests.indexed)
        try container.buildIndexes()
        try expectComplete()
        #expect(try has(.sortable, .certain))
    }

    @Test func twoServicesBuildTogether() throws {
        try fill()
        try apply(IndexBuildTests.indexed)
        let other = try store.reopened()
        let copy = try other.container(container.name)
        let rest = Lock([container, copy])
        let parts = try concurrently(2) {
            let container = try #require(rest.withLock { $0.popLast() })
            var parts = 0
            try container.buildIndexes { (_) throws(KinfolkError) in parts += 1 }
            return parts
        }
        #expect(parts.reduce(0, +) >= 2)
        try expectComplete()
    }

    @Test func anotherServiceContinuesInTheBackground() throws {
        try fill()
        try apply(IndexBuildTests.indexed)
        _ = try? container.buildIndexes { (_) throws(KinfolkError) in throw .cancelled }
        #expect(try container.indexBuilds().first?.done ?? 0 > 0)
        let other = try store.reopened()
        try other.indexBuilder.startIfNeeded(other)
        let deadline = Deadline(in: 60)
        while try !container.indexBuilds().isEmpty, !deadline.hasPassed { Thread.sleep(seconds: 0.01) }
        try expectComplete()
        other.indexBuilder.stop()
    }

    @Test func aKilledBuildIsContinued() throws {
        try fill(260)
        try apply(IndexBuildTests.indexed)
        var (done, kills) = (0, 0)
        while try !container.indexBuilds().isEmpty {
            let probe = try Probe("build-indexes", store.path)
            let reported = try #require(probe.line().flatMap { Int($0) })
            // It goes on from where the last one was, and not from the beginning.
            #expect(reported > done)
            // It dies at some point of the next transaction.
            Thread.sleep(seconds: .random(in: 0..<0.05))
            probe.kill()
            kills += 1
            let build = try container.indexBuilds().first
            done = build?.done ?? 780
            #expect(done >= reported)
            #expect(try store.service.check().findings.map { "\($0.table) \($0.kind)" } == [])
        }
        #expect(kills > 0 && done == 780)
        try expectComplete()
        #expect(try count("cell_entries") == 4 * 780)
    }

    // MARK: The end of types, zones and containers

    @Test func aTypeThatIsRemovedIsNotBuilt() throws {
        try fill(5)
        try apply(IndexBuildTests.indexed)
        try container.applySchema("DEFINE SCHEMA RECORD TYPE Other (f INT64);", removesMissing: true)
        #expect(try container.indexBuilds().isEmpty)
        #expect(try count("index_entries") == 0 && count("index_builds") == 0)
        #expect(try store.service.check().isSound)
    }

    @Test func aFieldThatIsRemovedTakesItsEntriesAlong() throws {
        try fill(5)
        try apply(IndexBuildTests.indexed)
        // Some records have entries, others not.
        _ = try ada.publicDatabase.save(note(700))
        for field in ["size", "title", "place"] { try container.removeField(field, from: "Note") }
        #expect(try count("order_entries") == 0 && count("cell_entries") == 0)
        #expect(try store.service.check().isSound)
        try container.buildIndexes()
        try expectComplete()
    }

    @Test func zonesAndContainersAreDeletedMeanwhile() throws {
        try fill()
        try apply(IndexBuildTests.indexed)
        _ = try? container.buildIndexes { (_) throws(KinfolkError) in throw .cancelled }
        try ada.privateDatabase.deleteZone("Notes")
        try container.buildIndexes()
        try Sweeper.sweep(store.service.store)
        try expectComplete()
        try apply(IndexBuildTests.plain)
        try store.service.deleteContainer(container.name)
        #expect(try count("index_builds") == 0 && count("index_entries") == 0)
        #expect(try store.service.check().isSound)
        expect(.unknownItem) { try container.indexBuilds() }
    }

    @Test func aRecordThatCannotBeReadDoesNotStopTheOthers() throws {
        try fill(4)
        try store.change(
            "UPDATE records SET sealed_fields = substr(sealed_fields, 1, 60) WHERE number = (SELECT max(number) FROM records)"
        )
        try apply(IndexBuildTests.indexed)
        try container.buildIndexes()
        #expect(try has(.queryable, .certain))
        #expect(try count("cell_entries") == 4 * 11)
    }

    // MARK: Versions of Unicode

    @Test func textsOfAnOlderVersionAreIndexedAgain() throws {
        try apply(IndexBuildTests.indexed)
        try fill(40)
        let (entries, positions) = (try count("index_entries"), try count("order_entries"))
        try store.change("UPDATE fields SET unicode = 1 WHERE name = 'title'")
        try store.change("UPDATE schemas SET stamp = stamp + 1")
        #expect(try !has(.sortable, .certain, "title") && has(.sortable, .certain, "size"))
        let other = try store.reopened()
        try other.indexBuilder.startIfNeeded(other)
        let deadline = Deadline(in: 60)
        while try !container.indexBuilds().isEmpty || !has(.sortable, .certain, "title"), !deadline.hasPassed {
            Thread.sleep(seconds: 0.01)
        }
        #expect(try has(.sortable, .certain, "title") && has(.queryable, .certain, "title"))
        #expect(try count("index_entries") == entries && count("order_entries") == positions)
        try expectComplete()
        other.indexBuilder.stop()
    }

    @Test func textsOfANewerVersionAreLeftToIt() throws {
        try apply(IndexBuildTests.indexed)
        try fill(4)
        try store.change("UPDATE fields SET unicode = 999999999 WHERE name = 'title'")
        try store.change("UPDATE schemas SET stamp = stamp + 1")
        let other = try store.reopened()
        try other.indexBuilder.startIfNeeded(other)
        #expect(try !has(.sortable, .certain, "title") && has(.sortable, .possible, "title"))
        #expect(try container.indexBuilds().isEmpty)
        // Saves and deletions keep the entries as well as they can.
        try ada.publicDatabase.delete(RecordID("note-1"))
        _ = try ada.publicDatabase.save(note(99))
        #expect(try store.service.check().isSound)
    }
}
