import Kinfolk
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// QUERYABLE locations are found by distance, and nothing else is.
@Suite("Indexes of locations") struct CellIndexTests {
    private let store: TestService
    private let ada: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        try apply("place LOCATION QUERYABLE SORTABLE, home LOCATION QUERYABLE, title STRING")
    }

    private func apply(_ entries: String) throws {
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Shop (\(entries));")
        try store.container.buildIndexes()
    }

    private func shop(_ latitude: Double, _ longitude: Double, zone: String = RecordID.defaultZone) throws -> Record {
        var shop = try Record(type: "Shop", id: RecordID(zone: zone))
        try shop.set("place", to: .location(Location(latitude: latitude, longitude: longitude)))
        return shop
    }

    /// The names of the records near a place, in the order of their distances; nil if the index is of no use.
    private func found(
        within metres: Double,
        of latitude: Double,
        _ longitude: Double,
        isInclusive: Bool = true,
        field: String = "place",
        in database: DatabaseScope = .public,
        zone: String? = nil,
        byCreator creator: UserRecordID? = nil
    ) throws -> [String]? {
        try store.service.read { db in
            let container = store.container.number
            let keys = try store.service.keys(ofContainer: container, in: db)
            let schema = try store.service.schemas.schema(of: container, store.service, db)
            let number = try #require(schema.types["Shop"]?.fields[field]?.number)
            var place = RecordPlace(ofPrivate: database == .private ? try ada.userRecordID() : nil, in: container, keys)
            if let zone { place = try #require(try ZoneTable.place(named: zone, in: place, db)) }
            let scope = creator.map { IndexScope(ofRecordsBy: $0, in: place) } ?? IndexScope(of: place)
            let centre = try Location(latitude: latitude, longitude: longitude)
            guard
                let search = CellSearch(
                    within: metres,
                    of: centre,
                    isInclusive: isInclusive,
                    field: number,
                    in: scope
                )
            else { return nil }
            let (matches, candidates) = try search.run(db)
            #expect(try search.count(atMost: 1_000_000, db) == candidates)
            #expect(try search.count(atMost: 2, db) == min(2, candidates))
            return try matches.sorted { $0.distance < $1.distance }.map { match in
                let row = try #require(try RecordTable.row(number: match.number, in: place, db))
                guard case .location(let point)? = row.content.fields[field] else { return "?" }
                #expect(point.distance(from: centre) == match.distance)
                return row.content.name
            }
        }
    }

    private func rowCount() throws -> Int { try Int(store.number("SELECT count(*) FROM cell_entries")) }

    // MARK: Answers

    @Test(arguments: [DatabaseScope.public, .private])
    func answersAreThoseOfAllRecords(scope: DatabaseScope) throws {
        var random = SystemRandomNumberGenerator()
        var saved: [(name: String, point: Location)] = []
        let special = [(90.0, 3.0), (-90, 180), (0, 180), (0, -180), (0, 179.999), (0, -179.999), (89.999, -90)]
        let near = (0..<60).map { _ in
            (50 + Double.random(in: -0.3...0.3, using: &random), 7 + Double.random(in: -0.3...0.3, using: &random))
        }
        let far = (0..<60).map { _ in
            (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
        }
        let records = try (special + near + far).map { try shop($0.0, $0.1) }
        for result in try ada.database(scope).run(records.map(RecordOperation.create)) {
            guard let record = try result.get(), case .location(let point)? = record["place"] else { continue }
            saved.append((record.id.name, point))
        }
        #expect(saved.count == records.count)
        let centres = special + near.prefix(5) + far.prefix(10)
        for (latitude, longitude) in centres {
            let centre = try Location(latitude: latitude, longitude: longitude)
            for metres in [0, 0.5, 120, 10_000, 30_000, 900_000, 3_000_000] {
                let expected = saved.filter { $0.point.distance(from: centre) <= metres }.map(\.name)
                let found = try found(within: metres, of: latitude, longitude, in: scope)
                #expect(found.map(Set.init) == Set(expected), "\(metres) from \(latitude) \(longitude)")
                #expect(found?.count == expected.count)
            }
        }
        #expect(try found(within: 20_000_000, of: 0, 0, in: scope) == nil)
        #expect(try found(within: -1, of: 50, 7, in: scope) == [])
        #expect(try found(within: .nan, of: 50, 7, in: scope) == [])
        #expect(try store.service.check().isSound)
    }

    @Test func theDistanceItselfCountsOrNot() throws {
        let record = try ada.publicDatabase.save(shop(50, 7))
        let metres = try Location(latitude: 50, longitude: 7).distance(from: Location(latitude: 50.1, longitude: 7))
        #expect(try found(within: metres, of: 50.1, 7) == [record.id.name])
        #expect(try found(within: metres, of: 50.1, 7, isInclusive: false) == [])
        #expect(try found(within: 0, of: 50, 7) == [record.id.name])
        #expect(try found(within: 0, of: 50, 7, isInclusive: false) == [])
    }

    // MARK: Upkeep

    @Test func entriesFollowTheRecord() throws {
        var record = try ada.publicDatabase.save(shop(50, 7))
        #expect(try rowCount() == CellLevel.all.count)
        // Within the same cells, too.
        for (latitude, longitude) in [(50.000_001, 7.0), (-50, 7), (-50, -170)] {
            try record.set("place", to: .location(Location(latitude: latitude, longitude: longitude)))
            record = try ada.publicDatabase.save(record)
            #expect(try found(within: 0.01, of: latitude, longitude) == [record.id.name])
            #expect(try found(within: 0.01, of: 50, 7) == [])
            #expect(try rowCount() == CellLevel.all.count)
        }
        try record.set("title", to: .string("Corner shop"))
        try record.set("home", to: .location(Location(latitude: 1, longitude: 2)))
        record = try ada.publicDatabase.save(record)
        #expect(try found(within: 1, of: 1, 2, field: "home") == [record.id.name])
        #expect(try found(within: 1, of: 1, 2) == [])
        #expect(try rowCount() == 2 * CellLevel.all.count)
        #expect(try store.service.check().isSound)
        try record.remove("place")
        record = try ada.publicDatabase.save(record)
        #expect(try rowCount() == CellLevel.all.count)
        try ada.publicDatabase.delete(record.id)
        #expect(try rowCount() == 0)
        #expect(try store.service.check().isSound)
    }

    @Test func aRotationRenewsTagsAndPoints() throws {
        let names = try [(50.0, 7.0), (50.001, 7), (-1, -1)].map {
            try ada.publicDatabase.save(shop($0.0, $0.1)).id.name
        }
        var count = 0
        _ = try store.service.rotateKeys(isLeaked: true) { _ in
            count += 1
            do { #expect(try found(within: 200, of: 50, 7) == Array(names[..<2])) } catch { Issue.record(error) }
        }
        #expect(count > 0)
        #expect(try found(within: 200, of: 50, 7) == Array(names[..<2]))
        #expect(try store.number("SELECT count(DISTINCT substr(sealed_point, 1, 4)) FROM cell_entries") == 1)
        #expect(try rowCount() == 3 * CellLevel.all.count)
        #expect(try store.service.check().isSound)
    }

    @Test func anIndexIsAddedAndRemovedLater() throws {
        let record = try ada.publicDatabase.save(shop(50, 7))
        try apply("place LOCATION")
        #expect(try rowCount() == 0)
        try apply("place LOCATION QUERYABLE")
        #expect(try found(within: 1, of: 50, 7) == [record.id.name])
        #expect(try store.service.check().isSound)
    }

    @Test func zonesAreApart() throws {
        let database = ada.privateDatabase
        for zone in ["One", "Two"] { try database.save(RecordZone(zone)) }
        let (one, two) = (
            try database.save(shop(50, 7, zone: "One")), try database.save(shop(50, 7, zone: "Two"))
        )
        #expect(try found(within: 5, of: 50, 7, in: .private, zone: "One") == [one.id.name])
        #expect(try found(within: 5, of: 50, 7, in: .private, zone: "Two") == [two.id.name])
        #expect(try found(within: 5, of: 50, 7, in: .private) == [])
        _ = try store.service.rotateKeys(isLeaked: true)
        #expect(try found(within: 5, of: 50, 7, in: .private, zone: "Two") == [two.id.name])
        #expect(try store.service.check().isSound)
        try database.deleteZone("One")
        try Sweeper.sweep(store.service.store)
        #expect(try rowCount() == CellLevel.all.count)
        _ = try store.account(of: ada).erase()
        #expect(try rowCount() == 0)
    }

    @Test func creatorsHaveEntriesOfTheirOwn() throws {
        try apply(#"place LOCATION QUERYABLE, GRANT CREATE TO "_icloud", GRANT READ, WRITE TO "_creator""#)
        let bob = try store.session("Bob")
        let own = try ada.publicDatabase.save(shop(50, 7))
        let other = try bob.publicDatabase.save(shop(50, 7.000_1))
        #expect(try found(within: 50, of: 50, 7) == [own.id.name, other.id.name])
        #expect(try found(within: 50, of: 50, 7, byCreator: ada.userRecordID()) == [own.id.name])
        #expect(try found(within: 50, of: 50, 7, byCreator: bob.userRecordID()) == [other.id.name])
        #expect(try rowCount() == 4 * CellLevel.all.count)
        // An entry under one scope is not one under another.
        #expect(try store.number("SELECT count(*) FROM (SELECT DISTINCT tag FROM cell_entries) AS tags") >= 8)
        #expect(try store.service.check().isSound)
        _ = try store.account(of: bob).erase(keepsPublicRecords: true)
        #expect(try found(within: 50, of: 50, 7) == [own.id.name, other.id.name])
        #expect(try rowCount() == 3 * CellLevel.all.count)
        #expect(try store.service.check().isSound)
        _ = try store.account(of: ada).erase()
        #expect(try found(within: 50, of: 50, 7) == [other.id.name])
        #expect(try store.service.check().isSound)
    }

    // MARK: What the store shows

    @Test func pointsAreNotInTheStore() throws {
        _ = try ada.publicDatabase.save(shop(50, 7))
        let rows = try store.service.read { db in
            try db.all("SELECT tag, sealed_point FROM cell_entries") { ($0.bytes(0), $0.bytes(1)) }
        }
        #expect(Set(rows.map(\.0)).count == CellLevel.all.count && Set(rows.map(\.1.count)).count == 1)
        for number in [50.0, 7.0] {
            let bits = withUnsafeBytes(of: number.bitPattern.littleEndian, Array.init)
            for (_, sealed) in rows {
                #expect(!(0...sealed.count - 8).contains { Array(sealed[$0..<$0 + 8]) == bits })
            }
        }
    }

    @Test(arguments: [
        "UPDATE cell_entries SET sealed_point = substr(sealed_point, 1, 40)",
        "UPDATE cell_entries SET number = number + 1000",
        """
        UPDATE cell_entries SET sealed_point = (SELECT sealed_point FROM cell_entries c WHERE c.number > cell_entries.number)
        WHERE number = (SELECT min(number) FROM cell_entries)
        """,
    ])
    func aChangedEntryIsRefused(damage: String) throws {
        let record = try ada.publicDatabase.save(shop(50, 7))
        // A second record in other cells, for the third kind of damage: one entry is left of it.
        _ = try ada.publicDatabase.save(shop(-50, 7))
        _ = try store.service.write { db in
            try db.execute(
                """
                DELETE FROM cell_entries WHERE number = (SELECT max(number) FROM cell_entries)
                AND tag <> (SELECT c.tag FROM cell_entries c WHERE c.number = cell_entries.number ORDER BY c.tag LIMIT 1)
                """
            )
            try db.execute(composed: damage, [])
        }
        expect(.storeCorrupt) { try found(within: 5, of: 50, 7) }
        #expect(try !store.service.check().isSound)
        // The record is not affected.
        #expect(try ada.publicDatabase.fetch(record.id) == record)
        try ada.publicDatabase.delete(record.id)
    }

    @Test func missingAndOtherEntriesAreFoundByTheCheck() throws {
        let record = try ada.publicDatabase.save(shop(50, 7))
        func findings() throws -> [String] { try store.service.check().findings.map { "\($0.table) \($0.kind)" } }
        #expect(try findings().isEmpty)
        try store.change("DELETE FROM cell_entries WHERE tag = (SELECT tag FROM cell_entries ORDER BY tag LIMIT 1)")
        #expect(try findings() == ["cell_entries missing"])
        try ada.publicDatabase.delete(record.id)
        #expect(try rowCount() == 0)
        #expect(try findings().isEmpty)
    }
}
