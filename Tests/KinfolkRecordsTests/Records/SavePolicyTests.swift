import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct SavePolicyTests {
    private let store: TestService
    private let ada: Session
    /// A record that was fetched before another handle saved `color` "red" and `size` 1.
    private var stale: Record

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        var record = try ada.fetchUserRecord()
        try record.set("color", to: .string("green"))
        try record.set("shape", to: .string("round"))
        stale = try ada.save(record)
        var other = try ada.fetchUserRecord()
        try other.set("color", to: .string("red"))
        try other.set("size", to: .int64(1))
        _ = try ada.save(other)
    }

    @Test func aStaleTagIsRefusedWithTheServersRecord() throws {
        var record = stale
        try record.set("shape", to: .string("square"))
        let error = expect(.serverRecordChanged) { try ada.save(record) }
        let server = try ada.fetchUserRecord()
        #expect(error?.serverRecord == server)
        #expect(server["shape"] == .string("round"))

        // The caller then applies its own changes to the server's record.
        var merged = try #require(error?.serverRecord)
        try merged.set("shape", to: .string("square"))
        let saved = try ada.save(merged)
        #expect(saved["shape"] == .string("square") && saved["color"] == .string("red"))
    }

    @Test func changedKeysWritesOnlyChangedFields() throws {
        var record = stale
        try record.set("shape", to: .string("square"))
        let saved = try ada.save(record, policy: .changedKeys)
        #expect(saved["shape"] == .string("square"))
        #expect(saved["color"] == .string("red"), "not changed here")
        #expect(saved["size"] == .int64(1))
        #expect(try ada.fetchUserRecord() == saved)
    }

    @Test func changedKeysRemovesRemovedFields() throws {
        var record = stale
        try record.remove("color")
        let saved = try ada.save(record, policy: .changedKeys)
        #expect(saved.keys == ["shape", "size"])
    }

    @Test func allKeysWritesEveryFieldOfTheRecord() throws {
        var record = stale
        try record.set("shape", to: .string("square"))
        let saved = try ada.save(record, policy: .allKeys)
        #expect(saved["shape"] == .string("square"))
        #expect(saved["color"] == .string("green"), "held here, so written")
        #expect(saved["size"] == .int64(1), "not held here, so kept")
    }

    @Test func withAFreshTagEveryPolicySaves() throws {
        for policy in SavePolicy.allCases {
            var record = try ada.fetchUserRecord()
            try record.set("size", to: .int64(Int64(policy.rawValue)))
            #expect(try ada.save(record, policy: policy)["size"] == .int64(Int64(policy.rawValue)))
        }
    }

    @Test func theTwoRecordsHaveSeparateTags() throws {
        try store.container.addField("diary", type: .string)
        var record = try ada.fetchUserRecord(in: .private)
        try record.set("diary", to: .string("secret"))
        _ = try ada.save(record)
        expect(.serverRecordChanged) { try ada.save(record) }
        _ = try ada.save(ada.fetchUserRecord())
    }

    @Test func ofConcurrentSavesWithOneTagOneSucceeds() throws {
        let (ada, record) = (ada, try ada.fetchUserRecord())
        let saved: [Record] = try concurrently(8) { () -> [Record] in
            var mine = record
            try mine.set("size", to: .int64(.random(in: 2...1_000_000)))
            do { return [try ada.save(mine)] } catch let error as KinfolkError where error.code == .serverRecordChanged
            {
                return []
            }
        }.flatMap(\.self)
        #expect(saved.count == 1)
        #expect(try ada.fetchUserRecord() == saved.first)
    }
}
