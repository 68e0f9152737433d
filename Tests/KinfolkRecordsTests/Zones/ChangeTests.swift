import Kinfolk
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// Readers follow the changes of zones and databases with tokens.
@Suite("Changes") struct ChangeTests {
    private let store: TestService
    private let ada: Session
    private var database: Database { ada.privateDatabase }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        try ada.privateDatabase.save(RecordZone("Notes"))
        try store.container.addField("value", type: .int64, to: "Note")
        try store.container.addField("value", type: .int64, to: "Letter")
        try store.container.addField("text", type: .string, to: "Note")
    }

    private func note(_ name: String, _ value: Int = 0, zone: String = "Notes") throws -> Record {
        var note = try Record(type: "Note", id: RecordID(name, zone: zone))
        try note.set("value", to: .int64(Int64(value)))
        return note
    }

    private func save(_ names: String..., value: Int = 0) throws {
        for name in names { _ = try database.save(note(name, value), policy: .allKeys) }
    }

    private func delete(_ name: String) throws { try database.delete(RecordID(name, zone: "Notes")) }

    private func changes(_ token: ServerChangeToken? = nil, limit: Int = 400) throws -> RecordZoneChanges {
        try database.changes(inZone: "Notes", since: token, limit: limit)
    }

    private func names(_ changes: RecordZoneChanges) -> [String] {
        changes.records.map(\.id.name) + changes.deleted.map { "-\($0.id.name)" }
    }

    private func forged(_ change: (inout [UInt8]) -> Void, _ token: ServerChangeToken) throws -> ServerChangeToken {
        var bytes = token.bytes
        change(&bytes)
        return try ServerChangeToken(bytes: bytes)
    }

    // MARK: Zones

    @Test func eachChangeIsReturnedOnceInItsLatestForm() throws {
        try save("a", "b", "c")
        let first = try changes()
        #expect(names(first) == ["a", "b", "c"])
        #expect(!first.moreComing)
        #expect(try names(changes(first.token)) == [])
        try save("d")
        try save("a", value: 1)
        try save("a", value: 2)
        try delete("b")
        let second = try changes(first.token)
        #expect(names(second) == ["d", "a", "-b"])
        #expect(second.records.last?["value"] == .int64(2))
        #expect(second.deleted.first?.type == "Note")
        #expect(second.deleted.first?.id.zone == "Notes")
        #expect(try second.records.last == database.fetch(RecordID("a", zone: "Notes")))
        // A record that was made again is no deletion.
        try save("b", value: 3)
        #expect(try names(changes(first.token)) == ["d", "a", "b"])
        #expect(try names(changes(second.token)) == ["b"])
        // The reader who begins now needs no deletions.
        try delete("d")
        #expect(try names(changes()) == ["c", "a", "b"])
    }

    @Test(arguments: [1, 2, 3, 7, 400]) func pagesLeadThroughAllChanges(limit: Int) throws {
        for number in 0..<10 { try save("\(number)") }
        let start = try changes().token
        for number in [3, 5, 7] { try delete("\(number)") }
        for number in [0, 1, 2] { try save("\(number)", value: 1) }
        for from in [nil, start] {
            var (token, found, pages) = (from, [String](), 0)
            while true {
                let page = try changes(token, limit: limit)
                #expect(page.records.count + page.deleted.count <= limit)
                found += names(page)
                (token, pages) = (page.token, pages + 1)
                guard page.moreComing, pages < 50 else { break }
            }
            let expected = from == nil ? ["4", "6", "8", "9", "0", "1", "2"] : ["-3", "-5", "-7", "0", "1", "2"]
            #expect(found.count == expected.count && Set(found) == Set(expected))
            #expect(found.filter { !$0.hasPrefix("-") } == expected.filter { !$0.hasPrefix("-") })
        }
    }

    @Test func aPageNeverSplitsABatch() throws {
        _ = try database.run((0..<5).map { .create(try note("first \($0)")) }, atomically: true)
        _ = try database.run((0..<400).map { .create(try note("second \($0)")) }, atomically: true)
        let first = try changes(limit: 1)
        #expect(first.records.count == 5 && first.moreComing)
        let second = try changes(first.token, limit: 2)
        #expect(second.records.count == 400)
        #expect(try changes(second.token).records.isEmpty)
        _ = try database.run((0..<400).map { .forceDelete(try RecordID("second \($0)", zone: "Notes")) })
        let third = try changes(second.token, limit: 3)
        #expect(third.deleted.count == 400)
        #expect(try names(changes(third.token)) == [])
    }

    @Test func aPageEndsAfterTwoMegabytes() throws {
        for number in 0..<5 {
            var large = try note("\(number)")
            try large.set("text", to: .string(String(repeating: "a", count: 900_000)))
            _ = try database.save(large)
        }
        var (token, counts): (ServerChangeToken?, [Int]) = (nil, [])
        while counts.reduce(0, +) < 5 {
            let page = try changes(token)
            counts.append(page.records.count)
            token = page.token
        }
        #expect(counts == [2, 2, 1])
    }

    @Test func pagesEndInAStoreWithoutHistory() throws {
        try store.change("DELETE FROM service WHERE name = 'history'")
        for number in 0..<10 { try save("note \(number)") }
        let first = try changes(limit: 6)
        let second = try changes(first.token, limit: 6)
        #expect(first.moreComing && !second.moreComing && first.records.count + second.records.count == 10)
    }

    @Test func changesOfOtherZonesAreLeftOut() throws {
        try database.save(RecordZone("Archive"))
        try save("a")
        let token = try changes().token
        _ = try database.save(note("a", zone: "Archive"))
        _ = try database.save(note("a", zone: RecordID.defaultZone))
        let page = try changes(token)
        #expect(names(page) == [])
        #expect(try names(database.changes(inZone: "Archive")) == ["a"])
    }

    @Test func anOldTokenExpiresWhenDeletionsWerePurged() throws {
        try save("keep", "a")
        let old = try changes().token
        try delete("a")
        let seen = try changes(old).token
        try store.service.write { db in
            // As if as many records had been deleted as leave a tombstone.
            try db.execute("UPDATE zones SET deletions = 10001")
        }
        store.clock.advance(seconds: 31 * 86_400)
        try save("b")
        try delete("b")
        expect(.changeTokenExpired) { try changes(old) }
        #expect(try names(changes(seen)) == ["-b"])
        #expect(try names(changes()) == ["keep"])
        // A reader who began without a token goes on, although the first pages end before the purged deletion.
        try save("c", "d")
        let page = try changes(limit: 1)
        #expect(try names(changes(page.token)) == ["c", "d"])
    }

    /// Also if they are new, so that nobody fills the disk by making and deleting records.
    @Test func aZoneRemembersALimitedNumberOfDeletions() throws {
        try save("a", "b", "c")
        let token = try changes().token
        let (owner, limit) = (try ada.userRecordID().value, 20_000)
        try store.service.write { db in
            try db.execute(
                """
                INSERT INTO tombstones (container_id, owner, zone, change, deletion, name_tag, deleted_at, sealed_id)
                VALUES (1, $1, (SELECT zone FROM zones), 100, $2, $3, $4, $3)
                """,
                for: 1...limit
            ) { number in
                [
                    .id(owner), .integer(Int64(number)),
                    .bytes(withUnsafeBytes(of: UInt64(number).bigEndian, Array.init) + [UInt8](repeating: 0, count: 8)),
                    .integer(store.clock.now.microseconds),
                ]
            }
            try db.execute("UPDATE change_counts SET last_change = 100")
            try db.execute("UPDATE zones SET change = 100, deletions = $1", .integer(Int64(limit)))
        }
        for name in ["a", "b", "c"] { try delete(name) }
        #expect(try store.number("SELECT count(*) FROM tombstones") == limit)
        expect(.changeTokenExpired) { try changes(token) }
    }

    @Test func tombstonesAreKeptForThirtyDays() throws {
        try save("a")
        let old = try changes().token
        try store.service.write { db in try db.execute("UPDATE zones SET deletions = 10001") }
        try delete("a")
        store.clock.advance(seconds: 29 * 86_400)
        try save("b")
        try delete("b")
        #expect(try names(changes(old)) == ["-a", "-b"])
    }

    // MARK: Tokens

    @Test func aTokenIsValidForOneZoneOfOneUserOnly() throws {
        try database.save(RecordZone("Archive"))
        try save("a")
        let token = try changes().token
        expect(.changeTokenExpired) { try database.changes(inZone: "Archive", since: token) }
        expect(.changeTokenExpired) { try database.changes(since: token) }
        let ofDatabase = try database.changes().token
        expect(.changeTokenExpired) { try changes(ofDatabase) }
        let bob = try store.session("Bob")
        try bob.privateDatabase.save(RecordZone("Notes"))
        expect(.changeTokenExpired) { try bob.privateDatabase.changes(inZone: "Notes", since: token) }
        let development = try store.service.container("com.example.notes", environment: .development)
            .session(for: store.account(of: ada)).privateDatabase
        try development.save(RecordZone("Notes"))
        expect(.changeTokenExpired) { try development.changes(inZone: "Notes", since: token) }
        expect(.zoneNotFound) { try database.changes(inZone: "Letters", since: token) }
    }

    @Test func aForgedTokenIsRefused() throws {
        try save("a")
        let token = try changes().token
        for position in token.bytes.indices {
            expect(.changeTokenExpired) { try changes(forged({ $0[position] ^= 1 }, token)) }
        }
        for length in 1..<token.bytes.count {
            expect(.changeTokenExpired) { try changes(forged({ $0.removeLast(token.bytes.count - length) }, token)) }
        }
        expect(.changeTokenExpired) { try changes(forged({ $0.append(0) }, token)) }
        expect(.invalidArgument) { try ServerChangeToken(bytes: []) }
        expect(.invalidArgument) { try ServerChangeToken(bytes: [UInt8](repeating: 0, count: 257)) }
        for limit in [0, -1, 401, Int.max] { expect(.invalidArgument) { try changes(limit: limit) } }
    }

    @Test func aTokenSurvivesARotationUnlessTheKeyLeaked() throws {
        try save("a")
        let token = try changes().token
        try save("b")
        _ = try store.service.rotateKeys()
        #expect(try names(changes(token)) == ["b"])
        _ = try store.service.rotateKeys(isLeaked: true)
        expect(.changeTokenExpired) { try changes(token) }
    }

    @Test func aTokenAheadOfTheStoreExpires() throws {
        try save("a")
        let token = try changes().token
        try store.service.write { db in
            try db.execute("UPDATE change_counts SET last_change = last_change - 1")
        }
        expect(.changeTokenExpired) { try changes(token) }
    }

    /// As a standby that has not received the last changes yet.
    @Test func aReaderAheadOfAReadOnlyServiceIsAskedToComeBack() throws {
        try save("a")
        let (ofZone, ofDatabase) = try (changes().token, database.changes().token)
        try store.service.write { db in
            try db.execute("UPDATE change_counts SET last_change = last_change - 1")
        }
        let key = KeySource.file(TemporaryFolder.keyPath(of: store.path))
        let service = try Service.open(store.path, key: key, readOnly: true)
        let standby = try service.container("com.example.notes")
            .session(for: service.account(store.account(of: ada).id)).privateDatabase
        expect(.serviceUnavailable) { try standby.changes(inZone: "Notes", since: ofZone) }
        expect(.serviceUnavailable) { try standby.changes(since: ofDatabase) }
        #expect(try names(standby.changes(inZone: "Notes")) == ["a"])
    }

    // MARK: Deleted zones and databases

    @Test func aDatabaseRemembersALimitedNumberOfDeletedZones() throws {
        try database.save(RecordZone("Archive"))
        let token = try database.changes().token
        let owner = try ada.userRecordID().value
        let count = 10_000
        try store.service.write { db in
            try db.execute(
                """
                INSERT INTO removed_zones (container_id, owner, zone, change, removed_at, is_swept, sealed_name)
                VALUES ($1, $2, $3, $3, 0, 1, $4)
                """,
                for: 100..<100 + count
            ) { [.integer(1), .id(owner), .integer(Int64($0)), .bytes([0])] }
            try db.execute("UPDATE change_counts SET last_change = $1", .integer(Int64(100 + count)))
        }
        store.service.sweeper.stop()
        for name in ["Archive", "Notes"] { try database.deleteZone(name) }
        #expect(try store.number("SELECT count(*) FROM removed_zones") == count)
        expect(.changeTokenExpired) { try database.changes(since: token) }
    }

    @Test func aZoneThatWasMadeAgainStartsFromTheBeginning() throws {
        try save("a")
        let token = try changes().token
        try database.deleteZone("Notes")
        expect(.zoneNotFound) { try changes(token) }
        try database.save(RecordZone("Notes"))
        expect(.changeTokenExpired) { try changes(token) }
        #expect(try names(changes()) == [])
    }

    @Test func aDatabaseListsTheZonesThatChanged() throws {
        let first = try database.changes()
        #expect(first.changed.map(\.name) == ["Notes"] && first.deleted.isEmpty && !first.moreComing)
        #expect(try database.changes(since: first.token).changed.isEmpty)
        for name in ["Archive", "Letters", "Drafts"] { try database.save(RecordZone(name)) }
        try save("a")
        try database.deleteZone("Archive")
        try database.deleteZone("Drafts")
        try database.save(RecordZone("Drafts"))
        let second = try database.changes(since: first.token)
        #expect(second.changed.map(\.name) == ["Letters", "Notes", "Drafts"])
        #expect(second.deleted.map(\.name) == ["Archive"])
        _ = try database.save(note("a", zone: RecordID.defaultZone))
        #expect(try database.changes(since: second.token).changed.isEmpty)
        // Who begins now has never seen the deleted zones.
        #expect(try database.changes().deleted.isEmpty)
    }

    @Test func aDefaultZoneAndAPublicDatabaseHaveNoChanges() throws {
        expect(.invalidArgument) { try database.changes(inZone: RecordID.defaultZone) }
        expect(.invalidArgument) { try ada.publicDatabase.changes() }
    }

    @Test func theOperatorsChangesAreChangesOfTheZone() throws {
        try save("a", "b")
        var other = try Record(type: "Letter", id: RecordID("c", zone: "Notes"))
        try other.set("value", to: .int64(1))
        _ = try database.save(other)
        let token = try changes().token
        try store.container.removeField("value", from: "Note")
        #expect(try names(changes(token)) == ["a", "b"])
    }
}
