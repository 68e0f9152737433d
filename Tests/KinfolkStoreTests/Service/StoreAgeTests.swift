import Foundation
import KinfolkFiles
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// An older file in the place of the store is detected, and no other file is mistaken for one.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct StoreAgeTests {
    private let folder: TemporaryFolder
    private let (path, key): (String, String)

    init() throws {
        folder = try TemporaryFolder()
        (path, key) = (folder.file("kinfolk.db"), folder.file("kinfolk.key"))
        try use { _ = try $0.createAccount() }
    }

    private func open(_ path: String? = nil, key source: KeySource? = nil) throws -> Service {
        try Service.open(path ?? self.path, key: source ?? .file(key))
    }

    /// Opens the store, changes something, and closes it.
    private func use(_ body: (Service) throws -> Void) throws { try body(open()) }

    private func copy(_ from: String, _ to: String) throws {
        if FileManager.default.fileExists(atPath: to) { try FileManager.default.removeItem(atPath: to) }
        try FileManager.default.copyItem(atPath: from, toPath: to)
    }

    private var counts: [StoreCounter] { CounterFile.lines(FilePath(key + ".counter")).map(\.counter) }

    @Test func anOlderFileIsRefusedUntilItIsAccepted() throws {
        let old = folder.file("old.db")
        try copy(path, old)
        try use { _ = try $0.createAccount() }
        #expect(try open().accounts().count == 2)
        try copy(old, path)
        let error = expect(.storeCorrupt) { try open() }
        #expect(error?.reason.contains("kinfolk restore --accept-older") == true)
        expect(.storeCorrupt) { try open() }
        #expect(try Service.acceptOlder(path, key: .file(key)))
        #expect(try open().accounts().count == 1)
        #expect(try !Service.acceptOlder(path, key: .file(key)))
        // Accepting an older file once does not accept later ones.
        try copy(old, path)
        expect(.storeCorrupt) { try open() }
    }

    @Test func closingAServiceThatChangedTheStoreIncrementsTheCount() throws {
        #expect(counts.map(\.count) == [1])
        try use { _ = try $0.accounts() }
        #expect(counts.map(\.count) == [1])
        try use { for _ in 0..<10 { _ = try $0.createAccount() } }
        #expect(counts.map(\.count) == [2])
        #expect(try mode(of: key + ".counter") == 0o600)
    }

    @Test func aBatchChangesTheStore() throws {
        var id = RecordID()
        var account: AccountID?
        try use { service in
            let new = try service.createAccount()
            account = new.id
            let session = try service.createContainer("com.example.notes").session(for: new)
            id = try session.publicDatabase.save(Record(type: "Note")).id
        }
        let before = counts.map(\.count)
        try use { service in
            let known = try service.account(#require(account))
            let session = try service.container("com.example.notes").session(for: known)
            _ = try session.publicDatabase.run([.forceDelete(id)])
        }
        #expect(counts.map(\.count) == before.map { $0 + 1 })
    }

    /// A program that ends by exit() without closing anything protects its last changes too.
    @Test func aFileFromBeforeAProcessThatExitedIsOlder() throws {
        let old = folder.file("old.db")
        var account = ""
        try use { service in
            _ = try service.createContainer("com.example.notes")
            account = try service.createAccount().id.description
        }
        try copy(path, old)
        let probe = try Probe("look-up", path, account, "1")
        #expect(probe.line() == "found nobody")
        _ = probe.finish()
        // The process left its log, which contains its writes.
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try copy(old, path)
        let error = expect(.storeCorrupt) { try open() }
        #expect(error?.reason.contains("--accept-older") == true)
    }

    @Test func theCountIsIncrementedOnceAMinute() throws {
        let clock = TestClock()
        let service = try Service(path: FilePath(path), key: .file(key), existingOnly: true, wait: 20) { clock.now }
        for _ in 0..<5 { _ = try service.createAccount() }
        #expect(counts.map(\.count) == [1])
        clock.advance(seconds: 61)
        for _ in 0..<5 { _ = try service.createAccount() }
        #expect(counts.map(\.count) == [2])
    }

    /// A thread that waits for another process before it writes the file gives up when the service is closed.
    @Test func noThreadWritesTheCountAfterTheServiceIsClosed() throws {
        let clock = TestClock()
        let service = try Service(path: FilePath(path), key: .file(key), existingOnly: true, wait: 1) { clock.now }
        let inStore = { try service.store.read { db in try StoreCounter(service.keys(db), db).count } }
        let before = try inStore()
        clock.advance(seconds: 61)
        // As a process does that changes the key file.
        let other = Glibc.open(folder.path, O_RDONLY)
        #expect(flock(other, LOCK_EX) == 0)
        let hasEnded = Lock(false)
        try #require(
            KinfolkThreads.Thread.start {
                _ = try? service.createAccount()
                hasEnded.withLock { $0 = true }
            }
        )
        #expect(try eventually { try inStore() > before })
        service.close()
        let counts = counts
        Glibc.close(other)
        #expect(hasEnded.withLock(when: { $0 }, until: Deadline(in: 60)) { $0 } == true)
        #expect(self.counts == counts)
    }

    @Test func aBackupIsOlderOnceTheStoreHasChanged() throws {
        let backup = folder.file("backup.db")
        try use { service in
            try service.backUp(to: backup)
            _ = try open(backup)
            _ = try service.createAccount()
        }
        expect(.storeCorrupt) { try open(backup) }
    }

    @Test func copiesThatShareAKeyFileHaveSeparateCounts() throws {
        let copied = folder.file("copy.db")
        try use { service in _ = try service.copy(to: copied) }
        for _ in 0..<3 {
            try use { _ = try $0.createAccount() }
            _ = try open(copied).createAccount()
        }
        #expect(counts.count == 2)
        #expect(Set(counts.map(\.incarnation)).count == 2)
        let other = folder.file("other.db")
        _ = try open(other).createAccount()
        #expect(counts.count == 3)
        #expect(try open().accounts().count == 4)
    }

    @Test func anOlderFileIsRefusedAfterARotationToo() throws {
        try use { _ = try $0.rotateKeys() }
        let old = folder.file("old.db")
        try copy(path, old)
        try use { _ = try $0.createAccount() }
        try copy(old, path)
        expect(.storeCorrupt) { try open() }
        #expect(counts.count == 1)
    }

    @Test func aCountWrittenWithoutTheKeyIsRefused() throws {
        let old = folder.file("old.db")
        try copy(path, old)
        try use { _ = try $0.createAccount() }
        for sql in [
            "UPDATE service SET value = substr(value, 1, 16) || x'ff00000000000000' || substr(value, 25) WHERE name = 'counter'",
            "UPDATE service SET value = zeroblob(40) WHERE name = 'counter'",
            "UPDATE service SET value = x'' WHERE name = 'counter'",
            "DELETE FROM service WHERE name = 'counter'",
        ] {
            try copy(old, path)
            try RawDatabase(path).run(sql)
            expect(.storeCorrupt) { try open() }
        }
    }

    @Test func aDamagedFileOfCountsIsIgnored() throws {
        for content in ["", "\n\n", "x", "00 1 00\n", String(repeating: "z", count: 1_000_000)] {
            try content.write(toFile: key + ".counter", atomically: false, encoding: .utf8)
            try use { _ = try $0.createAccount() }
            #expect(counts.count == 1)
        }
    }

    @Test func severalServicesIncrementOneCount() throws {
        let path = path
        let key = KeySource.file(key)
        try onThreads(4) { _ in
            for _ in 0..<5 {
                let service = try Service.open(path, key: key)
                _ = try service.createAccount()
            }
        }
        #expect(counts.count == 1)
        #expect(try open().accounts().count == 21)
    }

    @Test func aStoreWithoutAKeyFileHasNoCount() throws {
        let bytes = [UInt8](repeating: 7, count: 32)
        let keyed = folder.file("keyed.db")
        let before = try folder.names()
        _ = try open(keyed, key: .bytes(bytes)).createAccount()
        #expect(try Set(folder.names()).subtracting(before) == ["keyed.db"])
        #expect(try !Service.acceptOlder(keyed, key: .bytes(bytes)))
        expect(.unknownItem) { try Service.acceptOlder(folder.file("missing.db"), key: .bytes(bytes)) }
    }
}
