import Foundation
import KinfolkStorage
import TestSupport
import Testing

/// What an open store is worth when the host, or somebody else, uses its files.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct OpenStoreFilesTests {
    private let folder: TemporaryFolder
    private let path: String
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("store.db")
        store = try CounterStore.open(path)
        try store.countUp("shared")
    }

    /// What another process, which is the last user of the store if nobody else holds a lock, counts.
    private func countInAnotherProcess() throws {
        let probe = try Probe("count-up", path, "1")
        #expect(probe.line() == "done")
        #expect(probe.finish().isEmpty)
    }

    // MARK: Reading a file

    /// By POSIX, closing a descriptor of a file drops all POSIX locks of the process on it.
    @Test(arguments: ["", "-wal", "-shm"]) func nothingIsLostAfterTheHostHasReadAFileOfTheStore(suffix: String) throws {
        #expect(try store.count("shared") == 1)
        let file = open(path + suffix, O_RDWR)
        var byte: UInt8 = 0
        #expect(pread(file, &byte, 1, 0) == 1)
        close(file)
        try countInAnotherProcess()
        #expect(FileManager.default.fileExists(atPath: path + "-wal"), "the other process deleted the log")
        try store.countUp("shared")
        #expect(try store.count("shared") == 3)
        #expect(try CounterStore.open(path).count("shared") == 3)
        try countInAnotherProcess()
        #expect(try store.count("shared") == 4)
    }

    // MARK: Other programs

    @Test func aWriteOfAnotherProgramInThisProcessKeepsTheStoreWaiting() throws {
        let impatient = try CounterStore.open(path, wait: 0.05)
        let raw = try RawDatabase(path)
        try raw.run("BEGIN IMMEDIATE")
        #expect(try #require(throws: StorageError.self) { try impatient.countUp("shared") }.kind == .busy)
        try raw.run("ROLLBACK")
        try impatient.countUp("shared")
        #expect(try raw.value("SELECT value FROM counters") == "2")
    }

    @Test func aWriteOfTheStoreKeepsAnotherProgramInThisProcessWaiting() throws {
        let raw = try RawDatabase(path)
        try store.write { _ in
            #expect(throws: RawDatabase.Failure.self) { try raw.run("BEGIN IMMEDIATE") }
            let seen = try raw.value("SELECT value FROM counters")
            #expect(seen == "1")
        }
        try raw.run("UPDATE counters SET value = 7")
        #expect(try store.count("shared") == 7)
    }

    @Test func theLastUserOfAStoreLeavesOneFileAlsoIfItIsAnotherProgram() throws {
        var other: Store? = try CounterStore.open(path)
        try other?.countUp("shared")
        other = nil
        #expect(FileManager.default.fileExists(atPath: path + "-wal"), "this store is still open")
        let copy = folder.file("other.db")
        var last: Store? = try CounterStore.open(copy)
        try last?.countUp("shared")
        var raw: RawDatabase? = try RawDatabase(copy)
        #expect(try raw?.value("SELECT value FROM counters") == "1")
        last = nil
        #expect(FileManager.default.fileExists(atPath: copy + "-wal"), "the other program still has it open")
        raw = nil
        #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
        #expect(!FileManager.default.fileExists(atPath: copy + "-shm"))
    }

    // MARK: Files that are deleted or replaced

    @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
    func aReadAfterFilesWereDeletedSeesWhatOthersSee(suffixes: [String]) throws {
        #expect(try store.truncateLog())
        // Until nothing has been made or deleted in the folder for some seconds: reads then look at the folder only.
        var status = stat()
        repeat {
            #expect(stat(folder.path, &status) == 0)
            Thread.sleep(forTimeInterval: 0.1)
        } while time(nil) <= status.st_ctim.tv_sec + 4
        for _ in 0..<2 { #expect(try store.count("shared") == 1) }
        for suffix in suffixes { unlink(path + suffix) }
        try countInAnotherProcess()
        #expect(try store.count("shared") == 2)
        try store.countUp("shared")
        try countInAnotherProcess()
        #expect(try store.count("shared") == 4)
        #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
    }

    @Test(arguments: [["-wal"], ["-shm"], ["-wal", "-shm"]])
    func aWriteDuringWhichFilesAreDeletedHasAnUnknownOutcome(suffixes: [String]) throws {
        #expect(try store.truncateLog())
        // Idle readers have the lost log and its index open, too.
        try onThreads(3) { _ in
            let seen = try store.count("shared")
            #expect(seen == 1)
        }
        let failure = try #require(throws: StorageError.self) {
            try store.write { db in
                try db.execute("UPDATE counters SET value = value + 1")
                for suffix in suffixes { unlink(path + suffix) }
            }
        }
        #expect(failure.kind == .inDoubt)
        let count = try store.count("shared")
        try onThreads(3) { _ in
            let seen = try store.count("shared")
            #expect(seen == count)
        }
        try store.countUp("shared")
        try countInAnotherProcess()
        #expect(try store.count("shared") == count + 2)
        #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
    }

    @Test func aStoreThatWasReplacedIsOpenedAgain() throws {
        let other = folder.file("other.db")
        let replacement = try CounterStore.open(other)
        for _ in 0..<5 { try replacement.countUp("shared") }
        try replacement.leaveLog()
        #expect(try store.truncateLog())
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        #expect(rename(other, path) == 0)
        #expect(try store.count("shared") == 5)
        try store.countUp("shared")
        try countInAnotherProcess()
        #expect(try store.count("shared") == 7)
    }

    @Test func closingAStoreWhoseLogWasReplacedChangesNoFile() throws {
        let path = folder.file("other.db")
        var old: Store? = try CounterStore.open(path)
        try old?.countUp("shared")
        #expect(try old?.truncateLog() == true)
        try old?.countUp("shared")
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        let raw = try RawDatabase(path)
        try raw.run("UPDATE counters SET value = 7")
        old = nil
        #expect(FileManager.default.fileExists(atPath: path + "-wal"), "the log of the other program was deleted")
        #expect(try raw.value("SELECT value FROM counters") == "7")
        #expect(try CounterStore.open(path).count("shared") == 7)
        #expect(try raw.value("PRAGMA integrity_check") == "ok")
    }

    /// A program that empties a log keeps its file, so it is still in place. A write behind its end would leave a hole.
    @Test func aLogThatWasEmptiedDoesNotDamageTheStore() throws {
        #expect(try store.truncateLog())
        for _ in 0..<20 { try store.countUp("shared") }
        #expect(truncate(path + "-wal", 0) == 0)
        // What was only in the log is lost.
        for _ in 0..<3 { try store.countUp("shared") }
        #expect(try store.count("shared") == 4)
        try countInAnotherProcess()
        #expect(try store.count("shared") == 5)
        #expect(try store.truncateLog())
        #expect(try RawDatabase(path).value("PRAGMA integrity_check") == "ok")
    }

    /// ELOOP stands for what a network file system may answer for a moment.
    @Test func aPathThatCannotBeLookedUpSaysNothingAboutTheFiles() throws {
        let (inner, kept) = (folder.file("inner"), folder.file("kept"))
        #expect(mkdir(inner, 0o700) == 0)
        let store = try CounterStore.open(inner + "/store.db")
        try store.countUp("shared")
        try store.write { db in
            try db.execute("UPDATE counters SET value = value + 1")
            #expect(rename(inner, kept) == 0 && symlink(inner, inner) == 0)
        }
        #expect(unlink(inner) == 0 && rename(kept, inner) == 0)
        #expect(try store.count("shared") == 2)
        #expect(try CounterStore.open(inner + "/store.db").count("shared") == 2)
    }
}
