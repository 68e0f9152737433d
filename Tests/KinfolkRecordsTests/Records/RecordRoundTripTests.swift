import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// How often calls on records wait for a server.
@Suite("Round trips of records", .enabled(if: !TemporaryFolder.hasFiles)) struct RecordRoundTripTests {
    private let store: TestService
    private let ada: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        for name in ["a", "b", "c", "d"] { try store.container.addField(name, type: .int64, to: "Note") }
        // The first call reads keys and the schema, and takes numbers for records.
        for scope in [DatabaseScope.public, .private] {
            _ = try ada.database(scope).fetch(ada.database(scope).save(record(0)).id)
        }
    }

    private func record(_ number: Int64) throws -> Record {
        var record = try Record(type: "Note")
        for name in ["a", "b", "c", "d"] { try record.set(name, to: .int64(number)) }
        return record
    }

    /// The result of a call, and its number of round trips in all transactions.
    private func counting<Result>(_ body: () throws -> Result) throws -> (result: Result, trips: Int) {
        let (result, work) = try store.service.tracing(body)
        let trips = work.filter { $0.sql == WorkDone.roundTrips }
        #expect(!trips.isEmpty)
        return (result, trips.reduce(0) { $0 + $1.steps })
    }

    @Test(arguments: [DatabaseScope.public, .private]) func aCallTakesFewRoundTrips(_ scope: DatabaseScope) throws {
        let database = ada.database(scope)
        var (note, trips) = try counting { try database.save(record(1)) }
        #expect(trips <= 2)
        #expect(try counting { try database.fetch(note.id) }.trips == 1)
        try note.set("a", to: .int64(2))
        #expect(try counting { try database.save(note) }.trips <= 2)
        #expect(try counting { try database.delete(note.id) }.trips <= 2)
    }

    @Test(arguments: [DatabaseScope.public, .private]) func aBatchTakesFewRoundTrips(_ scope: DatabaseScope) throws {
        let database = ada.database(scope)
        let records = try (0..<200).map { try record(Int64($0)) }
        let (outcomes, trips) = try counting { try database.run(records.map(RecordOperation.create)) }
        #expect(try outcomes.allSatisfy { try $0.get() != nil })
        #expect(trips <= 4)
        #expect(try counting { try database.fetch(records.map(\.id)) }.trips == 1)
        #expect(try counting { try database.run(records.map { .forceDelete($0.id) }) }.trips <= 4)
    }

    /// Also while the server has no statistics of the tables, and finds all indexes equally cheap.
    @Test func aLookUpInANewStoreReadsOneRow() throws {
        let records = try (0..<200).map { try record(Int64($0)) }
        for result in try ada.publicDatabase.run(records.map(RecordOperation.create)) { _ = try result.get() }
        let read = try store.service.read { db in
            func rows() throws -> Int64 {
                let count = try db.first(
                    "SELECT idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'records' AND schemaname = current_schema()"
                ) { $0.integer(0) }
                return try #require(count)
            }
            let keys = try store.service.keys(ofContainer: store.container.number, in: db)
            let place = RecordPlace(ofPrivate: nil, in: store.container.number, keys)
            let before = try rows()
            let row = try #require(try RecordTable.row(records[100].id, in: place, db))
            let byName = try rows()
            #expect(try RecordTable.row(number: try #require(row.number), in: place, db) != nil)
            return [byName - before, try rows() - byName]
        }
        #expect(read == [1, 1])
    }

    @Test func rolesTakeNoRoundTripOfTheirOwn() throws {
        // Its thread would be counted too.
        store.service.indexBuilder.stop()
        try store.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Note (GRANT READ, WRITE TO Editor, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
            """
        )
        var note = try ada.publicDatabase.save(record(1))
        let bob = try store.session("Bob")
        try store.container.grantRole("Editor", to: store.account(of: bob))
        _ = try bob.publicDatabase.fetch(note.id)
        for database in [ada.publicDatabase, bob.publicDatabase] {
            #expect(try counting { try database.fetch(note.id) }.trips == 1)
            #expect(try counting { try database.fetch([note.id, RecordID()]) }.trips == 1)
            try note.set("a", to: .int64(2))
            let (saved, trips) = try counting { try database.save(note) }
            #expect(trips <= 2)
            note = saved
        }
        let anonymous = store.container.anonymousSession().publicDatabase
        let (hidden, trips) = try counting { try anonymous.fetch([note.id])[0] }
        #expect(trips == 1 && hidden == .failure(KinfolkError(.unknownItem, "")))
    }

    /// The number of the zone must be known before its records are asked for.
    @Test func aCallInACustomZoneTakesOneMore() throws {
        let database = ada.privateDatabase
        #expect(try counting { try database.save(RecordZone("Notes")) }.trips <= 3)
        func record(_ name: String) throws -> Record { try Record(type: "Note", id: RecordID(name, zone: "Notes")) }
        _ = try database.save(record("first"))
        var (note, trips) = try counting { try database.save(record("a")) }
        #expect(trips <= 3)
        #expect(try counting { try database.fetch(note.id) }.trips == 2)
        try note.set("a", to: .int64(2))
        #expect(try counting { try database.save(note) }.trips <= 3)
        #expect(try counting { try database.delete(note.id) }.trips <= 3)
        let (page, pageTrips) = try counting { try database.changes(inZone: "Notes") }
        #expect(page.records.count == 1)
        #expect(pageTrips <= 3)
        #expect(try counting { try database.changes(since: nil) }.trips <= 3)
        #expect(try counting { try database.zones() }.trips <= 2)
    }

    @Test func aUserRecordTakesFewRoundTrips() throws {
        let id = try ada.userRecordID()
        for scope in [DatabaseScope.public, .private] {
            var (record, trips) = try counting { try ada.fetchUserRecord(id, in: scope) }
            #expect(trips == 1)
            try store.container.addField("level\(scope.rawValue)", type: .int64)
            try record.set("level\(scope.rawValue)", to: .int64(1))
            record = try ada.save(record)
            try record.set("level\(scope.rawValue)", to: .int64(2))
            trips = try counting { try ada.save(record) }.trips
            #expect(trips <= 2)
        }
    }
}
