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

    /// SQLite reports it as a file that it cannot open, which would seem to pass.
    @Test func aLogOfAnUnknownVersionIsDamage() throws {
        try store.countUp("a")
        let copy = try TemporaryFolder()
        let names = ["store.db", "store.db-wal"]
        for name in names { try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name)) }
        var log = try bytes(of: copy.file("store.db-wal"))
        #expect(log[4..<8].elementsEqual([0x00, 0x2d, 0xe2, 0x18]))
        log[7] += 1
        // The checksum of the header, so that the version is the only fault (SQLite's file format, section 4.2).
        let isBigEndian = log[3] & 1 == 1
        var sums: (UInt32, UInt32) = (0, 0)
        for offset in stride(from: 0, to: 24, by: 8) {
            let words = [0, 4].map { part in
                log[offset + part..<offset + part + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            }.map { isBigEndian ? $0 : $0.byteSwapped }
            sums.0 = sums.0 &+ words[0] &+ sums.1
            sums.1 = sums.1 &+ words[1] &+ sums.0
        }
        for (index, sum) in [sums.0, sums.1].enumerated() {
            withUnsafeBytes(of: sum.bigEndian) { log.replaceSubrange(24 + 4 * index..<28 + 4 * index, with: $0) }
        }
        try Data(log).write(to: URL(fileURLWithPath: copy.file("store.db-wal")))
        let error = #expect(throws: StorageError.self) { try CounterStore.open(copy.file("store.db")) }
        #expect(error?.kind == .corrupt)
    }
}
