import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// Devices learn what others set.
@Suite("Changes of key-value stores") struct KeyValueChangeTests {
    private let store: TestService
    private let account: Account

    init() throws {
        store = try TestService()
        account = try store.account("Ada")
    }

    private func device(_ name: String, _ service: Service? = nil) throws -> KeyValueStore {
        guard let service else { return try store.container.session(for: account, device: name).keyValueStore() }
        return try service.container("com.example.notes").session(for: service.account(account.id), device: name)
            .keyValueStore()
    }

    @Test func othersChangesAreReportedOnce() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        #expect(try phone.synchronize().isEmpty)
        try tablet.set("dark", forKey: "theme")
        try tablet.set(12, forKey: "size")
        try phone.set(1, forKey: "own")
        #expect(try phone.synchronize() == [KeyValueChange(.serverChange, ["size", "theme"])])
        #expect(try phone.synchronize().isEmpty)
        try tablet.removeValue(forKey: "size")
        try phone.removeValue(forKey: "own")
        #expect(try phone.synchronize() == [KeyValueChange(.serverChange, ["size"])])
        #expect(try tablet.synchronize() == [])
        try phone.set(2, forKey: "own")
        #expect(try tablet.synchronize() == [KeyValueChange(.serverChange, ["own"])])
    }

    @Test func theFirstTimeAllKeysOfOthersAreReported() throws {
        let phone = try device("phone")
        try phone.set("dark", forKey: "theme")
        #expect(try device("tablet").synchronize() == [KeyValueChange(.initialSyncChange, ["theme"])])
        #expect(try phone.synchronize().isEmpty)
    }

    @Test func aDeviceGoesOnAfterARestart() throws {
        #expect(try device("phone").synchronize().isEmpty)
        try device("tablet").set("dark", forKey: "theme")
        #expect(try device("phone").synchronize() == [KeyValueChange(.serverChange, ["theme"])])
        #expect(try device("phone", store.reopened()).synchronize().isEmpty)
        try device("tablet").set("light", forKey: "theme")
        #expect(try device("phone", store.reopened()).synchronize() == [KeyValueChange(.serverChange, ["theme"])])
    }

    @Test func asManyKeysAsFitAreReported() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        #expect(try phone.synchronize().isEmpty)
        let keys = (0..<1_000).map { "key \($0)" }.sorted()
        for key in keys { try tablet.set(true, forKey: key) }
        #expect(try phone.synchronize() == [KeyValueChange(.serverChange, keys)])
        for key in keys { try tablet.removeValue(forKey: key) }
        #expect(try phone.synchronize() == [KeyValueChange(.serverChange, keys)])
    }

    @Test func afterARestoreAllIsReportedAgain() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        try tablet.set("dark", forKey: "theme")
        #expect(try phone.synchronize() == [KeyValueChange(.initialSyncChange, ["theme"])])
        try tablet.removeValue(forKey: "theme")
        // As after a restore, the numbers of changes have another meaning.
        try store.service.write { db in try StoreHistory.renew(db) }
        try tablet.set(1, forKey: "size")
        // The own key may have gone back to an older value.
        try phone.set(1, forKey: "own")
        #expect(try phone.synchronize() == [KeyValueChange(.initialSyncChange, ["own", "size"])])
        #expect(try device("phone").synchronize().isEmpty)
    }

    @Test func aHandlerIsTold() throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        let found = Lock<[KeyValueChange]>([])
        let observation = try phone.onChange { change in found.withLock { $0.append(change) } }
        func wait(_ count: Int) -> [KeyValueChange]? {
            found.withLock(when: { $0.count >= count }, until: .never) { $0 }
        }
        try tablet.set("dark", forKey: "theme")
        #expect(wait(1)?.last?.keys == ["theme"])
        // As another process would.
        try device("tablet", store.reopened()).removeValue(forKey: "theme")
        #expect(wait(2)?.last == KeyValueChange(.serverChange, ["theme"]))
        expect(.limitExceeded) { try phone.set(.bytes([UInt8](repeating: 0, count: 1_000_000)), forKey: "large") }
        #expect(wait(3)?.last == KeyValueChange(.quotaViolationChange, ["large"]))
        try tablet.set(1, forKey: "size")
        #expect(wait(4)?.last == KeyValueChange(.serverChange, ["size"]))
        try account.suspend()
        #expect(wait(5)?.last == KeyValueChange(.accountChange, []))
        try account.resume()
        #expect(wait(6)?.last == KeyValueChange(.accountChange, ["size"]))
        observation.cancel()
        try tablet.set(2, forKey: "size")
        #expect(try phone.synchronize() == [KeyValueChange(.serverChange, ["size"])])
        #expect(found.withLock(\.count) == 6)
    }

    @Test func aStreamIsTold() async throws {
        let (phone, tablet) = (try device("phone"), try device("tablet"))
        _ = try await phone.synchronize()
        var changes = try await phone.changes().makeAsyncIterator()
        try await tablet.set("dark", forKey: "theme")
        #expect(await changes.next() == KeyValueChange(.serverChange, ["theme"]))
        try await tablet.removeValue(forKey: "theme")
        #expect(await changes.next() == KeyValueChange(.serverChange, ["theme"]))
    }

    @Test func nothingIsLostAmongThreadsAndServices() throws {
        let reader = try device("reader")
        let (seen, known) = (Lock<[String: Int64]>([:]), Lock<Set<String>>([]))
        let observation = try reader.onChange { change in
            for key in change.keys {
                guard let value = try? reader.value(forKey: key)?.int64 else { continue }
                seen.withLock { $0[key] = value }
            }
        }
        let other = try store.reopened()
        let writers = try (0..<8).map { try device("writer \($0)", $0.isMultiple(of: 2) ? nil : other) }
        try onThreads(8) { index in
            for step in 0..<40 {
                let own = "own \(index)"
                try writers[index].set(.int64(Int64(step)), forKey: own)
                try writers[index].set(.int64(Int64(index * 1_000 + step)), forKey: "shared \(step % 5)")
                known.withLock { _ = $0.insert(own) }
            }
        }
        let last = Dictionary(uniqueKeysWithValues: try reader.entries().map { ($0.key, $0.value.int64) })
        #expect(last.count == 13)
        for index in 0..<8 { #expect(last["own \(index)"] == 39) }
        #expect(
            seen.withLock(when: { seen in last.allSatisfy { seen[$0.key] == $0.value } }, until: .never) { _ in true }
                == true
        )
        observation.cancel()
    }
}
