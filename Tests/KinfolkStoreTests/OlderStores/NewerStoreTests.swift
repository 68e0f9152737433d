import Foundation
import Kinfolk
import KinfolkCore
import KinfolkFiles
import KinfolkModel
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// An older program meets a store that a later version has opened: it says so, and changes nothing.
@Suite struct NewerStoreTests {
    private let placed: PlacedStore
    private let path: String
    private let before: [String: [UInt8]]

    init() throws {
        let oldest = try #require(OlderStore.quick.first)
        placed = try oldest.placed()
        path = placed.path
        _ = try placed.open()
        before = try LaterVersion.rows(of: path)
    }

    /// The files of the store's folder; the index of a log, which holds no data, is left out.
    private func files() throws -> [String: Data] {
        let names = try placed.folder.names().filter { !$0.hasSuffix("-shm") }
        return Dictionary(uniqueKeysWithValues: try names.map { ($0, try bytes(of: placed.folder.file($0))) })
    }

    private func expectNewer(_ body: () throws -> some Any) {
        let error = expect(.invalidArgument) { try body() }
        #expect(error?.reason.contains("newer version of Kinfolk") == true)
    }

    /// Tries everything that opens a store.
    private func expectRefusals() throws {
        let files = try files()
        let (path, key) = (path, placed.key)
        expectNewer { try Service.open(path, key: key) }
        expectNewer { try Service.open(path, key: key, existingOnly: true) }
        expectNewer { try Service.open(path, key: key, readOnly: true) }
        expectNewer { try Service.acceptOlder(path, key: key) }
        #expect(try Probe("open", path).finish() == ["invalidArgument"])
        #expect(try self.files() == files)
        let migrations = LaterVersion.migrations(LaterVersion.labels)
        #expect(try LaterVersion.rows(of: path, migrations) == before)
        #expect(try LaterVersion.labelCount(LaterVersion.open(path)) == 3)
    }

    @Test func aStoreThatWasClosedIsRefused() throws {
        _ = try LaterVersion.open(path)
        try expectRefusals()
    }

    @Test func aStoreThatIsInUseIsRefused() throws {
        // In another process: reading the files in this one releases its locks on them.
        let probe = try Probe("migrate", path, "\(LaterVersion.stepsBefore)", LaterVersion.labels)
        #expect(probe.line() == "ok")
        try expectRefusals()
        #expect(probe.finish() == [])
    }

    @Test func aStoreThatWasNotClosedIsRefused() throws {
        let probe = try Probe("migrate", path, "\(LaterVersion.stepsBefore)", LaterVersion.labels)
        #expect(probe.line() == "ok")
        probe.kill()
        if TemporaryFolder.hasFiles { #expect(try bytes(of: path + "-wal").count > 32) }
        try expectRefusals()
    }

    /// Without the index, reading the log needs the right to write.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aStoreThatWasNotClosedIsRefusedWithoutTheIndexOfItsLog() throws {
        let probe = try Probe("migrate", path, "\(LaterVersion.stepsBefore)", LaterVersion.labels)
        #expect(probe.line() == "ok")
        probe.kill()
        try FileManager.default.removeItem(atPath: path + "-shm")
        let files = try files()
        expectNewer { try Service.open(path, key: placed.key) }
        #expect(try self.files() == files)
        #expect(try LaterVersion.labelCount(LaterVersion.open(path)) == 3)
    }

    /// A program of an earlier version, which has the store open, goes on while a newer one migrates it.
    @Test func aProgramThatHasItOpenChangesNothingFromThenOn() throws {
        let before: [String: [UInt8]]
        do {
            let service = try placed.open()
            let account = try placed.account("Ada", service)
            let session = try placed.session("Ada", in: "com.example.notes", service)
            #expect(try account.name().givenName == "Ada")
            before = try LaterVersion.rows(of: path)
            let probe = try Probe("migrate", path, "\(LaterVersion.stepsBefore)", LaterVersion.labels)
            #expect(probe.line() == "ok")
            expectNewer { try account.setName(PersonName(givenName: "Augusta")) }
            expectNewer { try session.discover(EmailAddress("emmy@example.org")) }
            expectNewer { try service.createContainer("com.example.more") }
            expectNewer { try service.rotateKeys() }
            expectNewer { try service.deleteContainer("com.example.chess") }
            // On a server, only writes find out.
            if TemporaryFolder.hasFiles { expectNewer { try account.name() } }
            #expect(probe.finish() == [])
            expectNewer { try account.erase() }
        }
        #expect(try LaterVersion.rows(of: path, LaterVersion.migrations(LaterVersion.labels)) == before)
    }

    @Test(arguments: [false, true]) func aWriteInOneRoundTripChangesNothingEither(isRepeatable: Bool) throws {
        let store = try Store(path: FilePath(path), existingOnly: true, wait: 30, migrations: LaterVersion.migrations())
        func write() throws {
            try store.write(isRepeatable: isRepeatable) { db in
                try db.execute("INSERT INTO activity VALUES (1, 86400000000, 0, 3, 4)")
            }
        }
        _ = try LaterVersion.open(path)
        for _ in 0..<2 {
            let error = try #require(throws: StorageError.self) { try write() }
            #expect(error.kind == .newer)
        }
        #expect(try LaterVersion.rows(of: path, LaterVersion.migrations(LaterVersion.labels)) == before)
    }

    @Test func writesThatShareATransactionChangeNothingEither() throws {
        let store = try Store(path: FilePath(path), existingOnly: true, wait: 30, migrations: LaterVersion.migrations())
        _ = try LaterVersion.open(path)
        try onThreads(6) { thread in
            for _ in 0..<20 {
                let error = try #require(throws: StorageError.self) {
                    try store.write { db in
                        try db.execute("INSERT INTO activity VALUES (1, 0, $1, 3, 4)", .integer(Int64(100 + thread)))
                    }
                }
                #expect(error.kind == .newer)
            }
        }
        #expect(try LaterVersion.rows(of: path, LaterVersion.migrations(LaterVersion.labels)) == before)
    }

    // MARK: The other way round: reading a store of an earlier version

    @Test func aStoreOfAnEarlierVersionIsNotOpenedForReadingOnly() throws {
        let files = try files()
        let later = LaterVersion.migrations(LaterVersion.labels)
        func open(acceptsOlder: Bool) throws -> Store {
            try Store(
                path: FilePath(path),
                existingOnly: true,
                isReadOnly: true,
                acceptsOlder: acceptsOlder,
                wait: 30,
                migrations: later
            )
        }
        let error = try #require(throws: StorageError.self) { try open(acceptsOlder: false) }
        #expect(error.kind == .older)
        let explained = KinfolkError(error)
        #expect(explained.code == .permissionFailure)
        #expect(explained.reason.contains("older version of Kinfolk"))
        #expect(try LaterVersion.labelCount(open(acceptsOlder: true)) == nil)
        #expect(try self.files() == files)
        #expect(try LaterVersion.rows(of: path) == before)
    }

    @Test func aCopyToAStoreOfAnEarlierVersionLeavesItsSchema() throws {
        let source = try TestService()
        let older = try #require(OlderStore.quick.first).placed()
        let version = try LaterVersion.version(of: older.path)
        expect(.conflict) { try source.service.copy(to: older.path) }
        #expect(try LaterVersion.version(of: older.path) == version)
    }

    @Test func aCopyToItIsRefused() throws {
        let source = try TestService()
        _ = try LaterVersion.open(path)
        let files = try files()
        let error = expect(.invalidArgument) { try source.service.copy(to: path) }
        #expect(error?.reason.contains("At the destination") == true)
        #expect(try self.files() == files)
        #expect(try LaterVersion.rows(of: path, LaterVersion.migrations(LaterVersion.labels)) == before)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aBackupOfItIsNotRestored() throws {
        let current = placed.folder.file("current.db")
        _ = try placed.open().copy(to: current)
        _ = try placed.open(current)
        _ = try LaterVersion.open(path)
        let files = try files()
        for target in [current, placed.folder.file("new.db")] {
            let error = expect(.invalidArgument) {
                try Service.restore(target, from: path, key: placed.key, replacingOther: true)
            }
            #expect(error?.reason.contains("newer version of Kinfolk") == true)
        }
        #expect(try self.files() == files)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles), arguments: [false, true])
    func aRestoreReplacesItOnlyOnPurpose(isClosed: Bool) throws {
        let backup = placed.folder.file("backup.db")
        try placed.open().backUp(to: backup)
        let probe = try Probe("migrate", path, "\(LaterVersion.stepsBefore)", LaterVersion.labels)
        #expect(probe.line() == "ok")
        if isClosed { _ = probe.finish() } else { probe.kill() }
        let files = try files()
        expect(.conflict) { try Service.restore(path, from: backup, key: placed.key) }
        #expect(try self.files() == files)
        #expect(try Service.restore(path, from: backup, key: placed.key, replacingOther: true).isSound)
        try placed.expectObservation(placed.open())
    }
}
