import Kinfolk
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// Custom zones are made, used and deleted.
@Suite("Zones") struct ZoneTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session
    private var database: Database { ada.privateDatabase }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        for field in ["title", "color"] { try store.container.addField(field, type: .string, to: "Note") }
    }

    private func note(_ name: String, _ title: String = "Groceries", zone: String = "Notes") throws -> Record {
        var note = try Record(type: "Note", id: RecordID(name, zone: zone))
        try note.set("title", to: .string(title))
        return note
    }

    /// How many rows of custom zones a table has.
    private func rows(of table: String) throws -> Int {
        try store.service.read { db in
            try db.using(composed: "SELECT count(*) FROM \(table) WHERE zone <> 0", []) { row in
                try row.step() ? Int(row.integer(0)) : -1
            }
        }
    }

    // MARK: Making and listing

    @Test func zonesAreListedInTheOrderInWhichTheyWereMade() throws {
        #expect(try database.zones() == [.default])
        for name in ["Notes", "Archive", "Notes"] { try database.save(RecordZone(name)) }
        #expect(try database.zones().map(\.name) == ["_defaultZone", "Notes", "Archive"])
        #expect(try bob.privateDatabase.zones() == [.default])
        #expect(try ada.publicDatabase.zones() == [.default])
    }

    @Test(
        arguments: Search.some([
            "", "_defaultZone", "_notes", "Nötes", "a\nb", "a\0b", String(repeating: "a", count: 256),
        ])
    )
    func aWrongNameIsRefused(name: String) throws {
        expect(.invalidArgument) { try RecordZone(name) }
        expect(.invalidArgument) { try database.deleteZone(name) }
        expect(.invalidArgument) { try database.changes(inZone: name) }
        if name != "_defaultZone" { expect(.invalidArgument) { try RecordID("a", zone: name) } }
    }

    @Test func aPublicDatabaseHasNoCustomZones() throws {
        expect(.invalidArgument) { try ada.publicDatabase.save(RecordZone("Notes")) }
        expect(.invalidArgument) { try ada.publicDatabase.deleteZone("Notes") }
        expect(.zoneNotFound) { try ada.publicDatabase.changes(inZone: "Notes") }
        expect(.zoneNotFound) { try ada.publicDatabase.save(note("a")) }
        expect(.zoneNotFound) { try ada.publicDatabase.fetch(RecordID("a", zone: "Notes")) }
    }

    @Test func aDatabaseHasALimitedNumberOfZones() throws {
        for number in 0..<Database.maximumZones { try database.save(RecordZone("Zone \(number)")) }
        expect(.limitExceeded) { try database.save(RecordZone("One more")) }
        try database.save(RecordZone("Zone 7"))
        try database.deleteZone("Zone 7")
        try database.save(RecordZone("One more"))
        #expect(try database.zones().count == Database.maximumZones + 1)
    }

    @Test func onlyItsUserReachesAZone() throws {
        try database.save(RecordZone("Notes"))
        _ = try database.save(note("a"))
        expect(.zoneNotFound) { try bob.privateDatabase.fetch(RecordID("a", zone: "Notes")) }
        expect(.zoneNotFound) { try bob.privateDatabase.deleteZone("Notes") }
        let nobody = store.container.anonymousSession().privateDatabase
        expect(.notAuthenticated) { try nobody.zones() }
        expect(.notAuthenticated) { try nobody.save(RecordZone("Notes")) }
        try store.account(of: ada).suspend()
        expect(.notAuthenticated) { try database.zones() }
        expect(.notAuthenticated) { try database.deleteZone("Notes") }
        expect(.notAuthenticated) { try database.changes(inZone: "Notes") }
    }

    // MARK: Records

    @Test func oneNameNamesARecordInEachZone() throws {
        try database.save(RecordZone("Notes"))
        try database.save(RecordZone("Archive"))
        for zone in ["Notes", "Archive", RecordID.defaultZone] {
            let saved = try database.save(note("a", "in \(zone)", zone: zone))
            #expect(saved.id.zone == zone)
        }
        for zone in ["Notes", "Archive", RecordID.defaultZone] {
            #expect(try database.fetch(RecordID("a", zone: zone))["title"] == .string("in \(zone)"))
        }
        try database.delete(RecordID("a", zone: "Archive"))
        let ids = try ["Notes", "Archive", "Letters", RecordID.defaultZone].map { try RecordID("a", zone: $0) }
        let codes = try database.fetch(ids).map { result -> KinfolkError.Code? in
            if case .failure(let error) = result { error.code } else { nil }
        }
        #expect(codes == [nil, .unknownItem, .zoneNotFound, nil])
    }

    @Test func aBatchReachesSeveralZones() throws {
        try database.save(RecordZone("Notes"))
        let operations: [RecordOperation] = try [
            .create(note("a")), .create(note("a", zone: RecordID.defaultZone)), .create(note("a", zone: "Letters")),
            .forceDelete(RecordID("b", zone: "Notes")),
        ]
        let codes = try database.run(operations).map { result -> KinfolkError.Code? in
            if case .failure(let error) = result { error.code } else { nil }
        }
        #expect(codes == [nil, nil, .zoneNotFound, nil])
        let atomic = try database.run([.create(note("c")), .create(note("c", zone: "Letters"))], atomically: true)
        #expect(atomic.allSatisfy { (try? $0.get()) == nil })
        expect(.unknownItem) { try database.fetch(RecordID("c", zone: "Notes")) }
    }

    @Test func aBatchOfLargeRecordsIsRefusedBeforeItIsTooLargeForAPage() throws {
        try database.save(RecordZone("Notes"))
        let large = String(repeating: "a", count: 900_000)
        for name in ["a", "b", "c"] { _ = try database.save(note(name, large)) }
        let updates = try ["a", "b", "c"].map { name in
            var record = try Record(type: "Note", id: RecordID(name, zone: "Notes"))
            try record.set("color", to: .string("green"))
            return RecordOperation.forceUpdate(record)
        }
        let results = try database.run(updates)
        #expect((try? results[0].get()) != nil && (try? results[1].get()) != nil)
        expect(.limitExceeded) { try results[2].get() }
    }

    // MARK: Deleting

    @Test func aDeletedZoneIsGoneAtOnceAndItsRowsAfterwards() throws {
        try database.save(RecordZone("Notes"))
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Note (title STRING QUERYABLE SORTABLE);")
        for batch in 0..<3 {
            _ = try database.run((0..<400).map { .create(try note("\(batch) \($0)", "\($0)")) })
        }
        try database.delete(RecordID("0 0", zone: "Notes"))
        try database.deleteZone("Notes")
        expect(.zoneNotFound) { try database.fetch(RecordID("0 1", zone: "Notes")) }
        #expect(try store.service.check().isSound)
        // What is made meanwhile under the same name is not touched.
        try database.save(RecordZone("Notes"))
        _ = try database.save(note("0 1", "new"))
        try Sweeper.sweep(store.service.store)
        #expect(try database.fetch(RecordID("0 1", zone: "Notes"))["title"] == .string("new"))
        #expect(try rows(of: "records") == 1)
        #expect(try rows(of: "index_entries") == 1)
        #expect(try rows(of: "order_entries") == 1)
        #expect(try rows(of: "tombstones") == 0)
        #expect(try rows(of: "record_bytes") == 1)
        #expect(try store.service.check().isSound)
        expect(.zoneNotFound) { try database.deleteZone("Letters") }
    }

    @Test func anotherServiceRemovesTheRowsThatAKilledOneLeft() throws {
        try database.save(RecordZone("Notes"))
        _ = try database.run((0..<400).map { .create(try note("\($0)")) })
        // As if the process had ended before its thread removed a row.
        store.service.sweeper.stop()
        try database.deleteZone("Notes")
        #expect(try rows(of: "records") == 400)
        let other = try store.reopened()
        try other.sweeper.startIfNeeded(other)
        while try rows(of: "records") > 0 {}
        #expect(try store.service.check().isSound)
    }

    @Test func theKeyOfADeletedZoneIsNotInTheStore() throws {
        try database.save(RecordZone("Notes"))
        let saved = try database.save(note("a"))
        store.service.sweeper.stop()
        try database.deleteZone("Notes")
        try database.save(RecordZone("Notes"))
        // The row of the old zone, as if it belonged to the new one of the same name.
        try store.service.write { db in
            try db.execute("UPDATE records SET zone = (SELECT max(zone) FROM zones) WHERE zone <> 0")
        }
        expect(.unknownItem) { try database.fetch(saved.id) }
        expect(.storeCorrupt) { try database.changes(inZone: "Notes").records }
    }

    @Test func anErasureDeletesTheZones() throws {
        try database.save(RecordZone("Notes"))
        _ = try database.save(note("a"))
        _ = try database.save(note("b"))
        try database.delete(RecordID("b", zone: "Notes"))
        try database.save(RecordZone("Old"))
        try database.deleteZone("Old")
        _ = try store.account(of: ada).erase()
        for table in ["zones", "removed_zones", "tombstones"] {
            #expect(try rows(of: table) == 0, "\(table)")
        }
        #expect(try rows(of: "records") == 0)
        #expect(try store.service.check().isSound)
    }

    @Test func anErasureCountsNoRecordsOfDeletedZones() throws {
        for zone in ["Notes", "Old"] {
            try database.save(RecordZone(zone))
            _ = try database.save(note("a", zone: zone))
        }
        // The rows of the zone are still there.
        store.service.sweeper.stop()
        try database.deleteZone("Old")
        // The two user records, and the one of the zone that is left.
        #expect(try store.account(of: ada).erase().records == 3)
    }

    // MARK: Rotation

    @Test func aRotationReachesZonesAndTheirRecords() throws {
        try database.save(RecordZone("Notes"))
        for name in ["a", "b"] { _ = try database.save(note(name, name)) }
        try database.delete(RecordID("b", zone: "Notes"))
        try database.save(RecordZone("Old"))
        _ = try database.save(note("x", zone: "Old"))
        let before = try database.changes(inZone: "Notes", since: nil, limit: 1)
        store.service.sweeper.stop()
        try database.deleteZone("Old")
        _ = try store.service.rotateKeys()
        #expect(try database.zones().map(\.name) == ["_defaultZone", "Notes"])
        #expect(try database.fetch(RecordID("a", zone: "Notes"))["title"] == .string("a"))
        #expect(try database.changes(inZone: "Notes", since: before.token).moreComing == false)
        _ = try database.save(note("b", "again"))
        #expect(try store.number("SELECT count(*) FROM tombstones") == 0)
        #expect(try store.service.check().isSound)
    }
}
