import Kinfolk
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// Keys are set, read, listed and removed, within their limits.
@Suite("Key-value store") struct KeyValueTests {
    private let store: TestService
    private let ada: Session
    private let phone: KeyValueStore
    private let tablet: KeyValueStore

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        let account = try store.account(of: ada)
        phone = try store.container.session(for: account, device: "phone").keyValueStore()
        tablet = try store.container.session(for: account, device: "tablet").keyValueStore()
    }

    static let values: [PropertyListValue] = [
        "", "text", "a\0b", .int64(.min), .int64(.max), .double(-0.0), .double(.nan), true, false, .bytes([]),
        .bytes([0, 255]),
        .date(Timestamp(microseconds: -1)), [], [:], [1, "a", [true, .bytes([1])], ["a": [1.5]]],
        ["": ["nested": ["deep": []]]],
    ]

    @Test(arguments: Search.some(values)) func aValueComesBackAsItWasSet(value: PropertyListValue) throws {
        try phone.set(value, forKey: "key")
        #expect(try tablet.value(forKey: "key") == value)
        #expect(try tablet.entries().map(\.key) == ["key"])
        #expect(try tablet.entries().map(\.value) == [value])
    }

    @Test func keysAreSetReadListedAndRemoved() throws {
        #expect(try phone.value(forKey: "theme") == nil)
        try phone.removeValue(forKey: "theme")
        for key in ["theme", "a", "é", "e\u{301}", "size"] { try phone.set(.string(key), forKey: key) }
        #expect(
            try tablet.entries().map { Array($0.key.utf8) }
                == ["a", "e\u{301}", "size", "theme", "é"].map { Array($0.utf8) }
        )
        #expect(try tablet.value(forKey: "é")?.string?.utf8.elementsEqual("é".utf8) == true)
        try tablet.set(12, forKey: "theme")
        #expect(try phone.value(forKey: "theme")?.int64 == 12)
        try tablet.removeValue(forKey: "theme")
        #expect(try phone.value(forKey: "theme") == nil)
        #expect(try store.session("Bob").keyValueStore().entries().isEmpty)
    }

    @Test func theLaterValueWins() throws {
        try phone.set("first", forKey: "theme")
        try tablet.set("second", forKey: "theme")
        for device in [phone, tablet] { #expect(try device.value(forKey: "theme")?.string == "second") }
    }

    @Test func noAccountNoKeys() throws {
        let anonymous = store.container.anonymousSession().keyValueStore()
        expect(.notAuthenticated) { try anonymous.value(forKey: "a") }
        expect(.notAuthenticated) { try anonymous.entries() }
        expect(.notAuthenticated) { try anonymous.set(1, forKey: "a") }
        expect(.notAuthenticated) { try anonymous.removeValue(forKey: "a") }
        expect(.notAuthenticated) { try anonymous.synchronize() }
        expect(.notAuthenticated) { try anonymous.onChange { _ in } }
        try phone.set(1, forKey: "a")
        try store.account(of: ada).suspend()
        expect(.notAuthenticated) { try phone.value(forKey: "a") }
        expect(.notAuthenticated) { try phone.set(1, forKey: "a") }
        try store.account(of: ada).resume()
        #expect(try phone.value(forKey: "a")?.int64 == 1)
    }

    @Test func erasureRemovesTheKeys() throws {
        try phone.set("secret", forKey: "key")
        #expect(try store.number("SELECT count(*) FROM records WHERE type < 0") == 1)
        _ = try store.account(of: ada).erase()
        try store.service.sweep { _ in }
        #expect(try store.number("SELECT count(*) FROM records WHERE type < 0") == 0)
        #expect(try store.number("SELECT count(*) FROM zones") == 0)
        #expect(try store.service.check().isSound)
    }

    // MARK: Limits

    @Test(arguments: Search.some(["", "a\0b", String(repeating: "a", count: 65), String(repeating: "é", count: 33)]))
    func aWrongKeyIsRefused(key: String) throws {
        expect(.invalidArgument) { try phone.set(1, forKey: key) }
        expect(.invalidArgument) { try phone.value(forKey: key) }
        expect(.invalidArgument) { try phone.removeValue(forKey: key) }
        #expect(try phone.synchronize().isEmpty)
    }

    @Test func aKeyHasUpTo64Bytes() throws {
        for key in [String(repeating: "a", count: 64), String(repeating: "é", count: 32), "_", "/", "..", " "] {
            try phone.set(.string(key), forKey: key)
            #expect(try phone.value(forKey: key)?.string == key)
        }
    }

    @Test func nestingIsLimited() throws {
        func nested(_ depth: Int) -> PropertyListValue {
            (0..<depth).reduce(1) { value, level in level.isMultiple(of: 2) ? [value] : ["a": value] }
        }
        try phone.set(nested(32), forKey: "a")
        #expect(try phone.value(forKey: "a") == nested(32))
        expect(.invalidArgument) { try phone.set(nested(33), forKey: "a") }
        #expect(try phone.value(forKey: "a") == nested(32))
    }

    @Test func aStoreHas1024Keys() throws {
        for number in 0..<1_024 { try phone.set(.int64(Int64(number)), forKey: "key \(number)") }
        expect(.quotaExceeded) { try phone.set(1, forKey: "another") }
        #expect(try phone.synchronize() == [KeyValueChange(.quotaViolationChange, ["another"])])
        #expect(try phone.synchronize().isEmpty)
        try phone.set("changed", forKey: "key 7")
        try phone.removeValue(forKey: "key 8")
        try phone.set(1, forKey: "another")
        expect(.quotaExceeded) { try phone.set(1, forKey: "key 8") }
        #expect(try phone.entries().count == 1_024)
    }

    @Test func keysAndValuesHave1MBTogether() throws {
        // The key, the type, the length and the text.
        func text(ofSize size: Int, key: String) -> PropertyListValue {
            .string(String(repeating: "x", count: size - key.utf8.count - 5))
        }
        for key in 0..<9 { try phone.set(text(ofSize: 100_000, key: "\(key)"), forKey: "\(key)") }
        try phone.set(text(ofSize: 99_999, key: "9"), forKey: "9")
        expect(.quotaExceeded) { try phone.set(true, forKey: "z") }
        expect(.quotaExceeded) { try phone.set(text(ofSize: 100_001, key: "9"), forKey: "9") }
        #expect(try phone.value(forKey: "9") == text(ofSize: 99_999, key: "9"))
        try phone.set(text(ofSize: 100_000, key: "9"), forKey: "9")
        #expect(try phone.synchronize() == [KeyValueChange(.quotaViolationChange, ["z"])])
        try phone.set(text(ofSize: 10, key: "9"), forKey: "9")
        try phone.set(true, forKey: "z")
    }

    @Test func aValueIsLimited() throws {
        try phone.set(.bytes([UInt8](repeating: 1, count: 999_895)), forKey: "a")
        expect(.limitExceeded) { try phone.set(.bytes([UInt8](repeating: 1, count: 999_896)), forKey: "a") }
        let many = [PropertyListValue](repeating: "a", count: 200_000)
        expect(.limitExceeded) { try phone.set(.array(many), forKey: "a") }
        #expect(try phone.synchronize() == [KeyValueChange(.quotaViolationChange, ["a"])])
        #expect(try phone.value(forKey: "a")?.bytes?.count == 999_895)
    }

    @Test func theOperatorSetsALowerLimit() throws {
        #expect(try store.container.quota(.keyValueStore) == nil)
        try phone.set(.bytes([UInt8](repeating: 1, count: 70_000)), forKey: "large")
        try store.container.setQuota(.keyValueStore, to: 65_536)
        #expect(try store.container.quota(.keyValueStore) == 65_536)
        expect(.quotaExceeded) { try phone.set(1, forKey: "a") }
        // What is there stays, and may get smaller.
        try phone.set(.bytes([UInt8](repeating: 1, count: 69_999)), forKey: "large")
        try phone.set(.bytes([UInt8](repeating: 1, count: 65_525)), forKey: "large")
        expect(.quotaExceeded) { try phone.set(true, forKey: "ab") }
        try phone.removeValue(forKey: "large")
        try phone.set(true, forKey: "ab")
        #expect(try store.reopened().container("com.example.notes").quota(.keyValueStore) == 65_536)
    }

    @Test func theQuotaOfTheUserCounts() throws {
        try store.container.setQuota(.user, to: 3_000)
        try phone.set("small", forKey: "a")
        expect(.quotaExceeded) { try phone.set(.bytes([UInt8](repeating: 1, count: 4_000)), forKey: "a") }
        #expect(try phone.value(forKey: "a")?.string == "small")
        #expect(try phone.synchronize() == [KeyValueChange(.quotaViolationChange, ["a"])])
        #expect(try ada.storageUse().privateBytes > 0)
    }

    // MARK: Reserved zones

    @Test func applicationsDoNotSeeTheZone() throws {
        let database = ada.privateDatabase
        let token = try database.changes().token
        try store.container.applySchema("DEFINE SCHEMA RECORD TYPE Note (title STRING);")
        try ada.privateDatabase.save(Subscription(databaseWithID: "all"))
        try phone.set("dark", forKey: "theme")
        _ = try ada.documents.create("a", contents: [1])
        #expect(try database.zones() == [.default])
        #expect(try database.changes().changed.isEmpty)
        #expect(try database.changes(since: token).changed.isEmpty)
        for zone in ["_keyValueStore", "_documents"] {
            expect(.invalidArgument) { try RecordZone(zone) }
            expect(.invalidArgument) { try RecordID("746865", zone: zone) }
            expect(.invalidArgument) { try database.changes(inZone: zone) }
            expect(.invalidArgument) { try database.deleteZone(zone) }
            expect(.invalidArgument) { try database.beginUpload(zone: zone) }
            expect(.invalidArgument) { try Subscription(zone: zone) }
            expect(.zoneNotFound) { try database.query(Query("Note"), inZone: zone) }
            expect(.invalidArgument) { try Reference(named: "746865", zone: zone, action: .none) }
        }
        for type in ["_KeyValue", "_Document"] {
            expect(.invalidArgument) { try Record(type: type) }
            expect(.invalidArgument) { try Query(type) }
        }
        #expect(try ada.notifications(waitingFor: 0.05).isEmpty)
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
        #expect(!(try store.container.exportSchema()).contains("_KeyValue"))
    }

    @Test func reservedZonesLeaveAllCustomZones() throws {
        try phone.set("dark", forKey: "theme")
        for number in 0..<Database.maximumZones { try ada.privateDatabase.save(RecordZone("zone \(number)")) }
        expect(.limitExceeded) { try ada.privateDatabase.save(RecordZone("another")) }
        _ = try ada.documents.create("a", contents: [1])
        #expect(try ada.privateDatabase.zones().count == Database.maximumZones + 1)
    }

    @Test func keysSurviveARotation() throws {
        try phone.set("dark", forKey: "theme")
        try tablet.set(1, forKey: "removed")
        #expect(try phone.synchronize() == [KeyValueChange(.initialSyncChange, ["removed"])])
        try tablet.removeValue(forKey: "removed")
        _ = try store.service.rotateKeys()
        #expect(try phone.value(forKey: "theme")?.string == "dark")
        #expect(try phone.synchronize() == [KeyValueChange(.serverChange, ["removed"])])
        let account = try store.account(of: ada)
        let again = try store.container.session(for: account, device: "phone").keyValueStore()
        #expect(try again.synchronize().isEmpty)
        #expect(try store.service.check().isSound)
    }

    @Test func theExportHasTheKeys() throws {
        try phone.set(["size": 12, "name": "x"], forKey: "editor")
        let json = try ada.export()
        #expect(json.contains(#""key":"editor""#) || json.contains(#""key": "editor""#))
        #expect(!json.contains("_KeyValue") && !json.contains("_keyValueStore"))
    }

    @Test func theCheckOpensValuesOfAnEditedStore() throws {
        try phone.set("dark", forKey: "theme")
        try store.change("UPDATE records SET type = -2 WHERE type = -1")
        expect(.storeCorrupt) { try phone.value(forKey: "theme") }
        #expect(try !store.service.check().isSound)
    }
}
