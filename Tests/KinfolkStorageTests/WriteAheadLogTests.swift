import Foundation
import KinfolkStorage
import TestSupport
import Testing

@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct WriteAheadLogTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try CounterStore.open(folder.file("store.db"))
    }

    @Test func deletedBytesAreGoneFromTheFilesOnceTheLogIsTruncated() throws {
        let secret = "a name that must not stay"
        _ = try store.write { db in try db.execute("INSERT INTO counters VALUES ($1, 1)", .text(secret)) }
        #expect(try store.truncateLog())
        #expect(try folder.allBytes().range(of: Data(secret.utf8)) != nil)
        _ = try store.write { db in try db.execute("DELETE FROM counters") }
        #expect(try folder.allBytes().range(of: Data(secret.utf8)) != nil, "deleted, but still in the log")
        #expect(try store.truncateLog())
        #expect(try folder.allBytes().range(of: Data(secret.utf8)) == nil)
    }

    @Test func theLogIsTruncatedByTheFirstWriteAfterItsReaderHasEnded() throws {
        let secret = "a name that must not stay"
        _ = try store.write { db in try db.execute("INSERT INTO counters VALUES ($1, 1)", .text(secret)) }
        let probe = try Probe("hold-read", folder.file("store.db"))
        #expect(probe.line() == "holding")
        _ = try store.write { db in try db.execute("DELETE FROM counters") }
        #expect(try !store.truncateLog())
        try store.countUp("while it reads")
        #expect(try folder.allBytes().range(of: Data(secret.utf8)) != nil)
        #expect(probe.finish().isEmpty)
        try store.countUp("after it read")
        #expect(try folder.allBytes().range(of: Data(secret.utf8)) == nil)
    }

    @Test func theLogIsTruncatedByTheFirstWriteAfterAReadingThreadHasEnded() throws {
        try store.countUp("a")
        try store.read { db in
            _ = try db.first("SELECT count(*) FROM counters") { $0.integer(0) }
            try store.countUp("a")
            #expect(try !store.truncateLog())
        }
        try store.countUp("a")
        #expect(try bytes(of: folder.file("store.db-wal")).isEmpty)
    }
}
