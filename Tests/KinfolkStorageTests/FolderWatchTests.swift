import Foundation
import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

/// What wakes those who wait for changes of a file.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct FolderWatchTests {
    private let folder: TemporaryFolder
    private let path: String
    private let store: Store
    private let signal: StoreSignal

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("data"), withIntermediateDirectories: false)
        path = folder.file("data/store.db")
        store = try CounterStore.open(path)
        signal = try store.makeSignal()
        // SQLite sets the owner of the log when root opens a connection, and that ends a wait.
        try store.countUp("a")
        #expect(try store.count("a") == 1)
        signal.discard()
    }

    private func touch(_ name: String) {
        utimensat(AT_FDCWD, folder.file("data/" + name), nil, 0)
    }

    @Test func theSignalHearsOthers() { #expect(signal.hearsOthers) }

    @Test func aCommitNeedsNoCallToBeHeard() throws {
        try store.countUp("a")
        #expect(signal.isHeard())
    }

    @Test func anUnrelatedFileEndsNoWait() throws {
        for name in ["store.db-wal2", "store", "other.db-wal"] {
            try Data([1]).write(to: URL(fileURLWithPath: folder.file("data/" + name)))
            touch(name)
        }
        #expect(rename(folder.file("data/store"), folder.file("data/store.d")) == 0)
        #expect(signal.isQuiet())
        try store.countUp("a")
        #expect(signal.isHeard())
    }

    @Test func aTransactionThatIsRolledBackEndsNoWait() throws {
        #expect(throws: StorageError(.misuse)) {
            try store.write { db in
                // More than the cache holds, so that it writes to the log before its end.
                for number in 0..<3_000 {
                    try db.execute(
                        "INSERT INTO counters VALUES ($1, 1)",
                        .text("\(number) " + String(repeating: "x", count: 1_000))
                    )
                }
                throw StorageError(.misuse)
            }
        }
        #expect(try bytes(of: path + "-wal").count > 1_000_000)
        #expect(signal.isQuiet())
    }

    @Test func aLogThatIsCreatedAgainIsHeard() throws {
        let signal: StoreSignal
        do {
            let folder = try TemporaryFolder()
            let path = folder.file("store.db")
            func makeSignal() throws -> StoreSignal {
                let store = try CounterStore.open(path)
                try store.countUp("a")
                return try store.makeSignal()
            }
            signal = try makeSignal()
            #expect(try folder.names() == ["store.db"], "the last connection deletes the log")
            let store = try CounterStore.open(path)
            for _ in 0..<2 {
                signal.discard()
                try store.countUp("a")
                #expect(signal.hearsOthers)
                #expect(signal.isHeard())
                #expect(try store.truncateLog())
            }
        }
    }

    @Test func aFileThatReplacesTheStoreIsHeard() throws {
        let folder = try TemporaryFolder()
        func makeStore(_ name: String) throws -> StoreSignal {
            let store = try CounterStore.open(folder.file(name))
            try store.countUp("a")
            return try store.makeSignal()
        }
        let signal = try makeStore("store.db")
        _ = try makeStore("other.db")
        signal.discard()
        #expect(rename(folder.file("other.db"), folder.file("store.db")) == 0)
        #expect(signal.isHeard())
        let store = try CounterStore.open(folder.file("store.db"))
        signal.discard()
        try store.countUp("a")
        #expect(signal.isHeard())
    }

    @Test func aStoreBehindALinkIsHeard() throws {
        let link = folder.file("link.db")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let signal = try CounterStore.open(link).makeSignal()
        signal.discard()
        try store.countUp("a")
        #expect(signal.isHeard())
    }

    @Test func aQueueThatOverflowsEndsAWait() throws {
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = try #require(Int(limit.dropLast()))
        for name in ["x", "y"] { try Data().write(to: URL(fileURLWithPath: folder.file("data/" + name))) }
        // Equal events that follow each other are reported once.
        for number in 0...count { touch(number % 2 == 0 ? "x" : "y") }
        #expect(signal.isHeard())
        #expect(signal.isQuiet())
    }

    @Test func aFolderThatIsMovedAwayAndBackIsHeardAgain() throws {
        #expect(rename(folder.file("data"), folder.file("away")) == 0)
        #expect(signal.isHeard())
        #expect(!signal.hearsOthers)
        #expect(signal.isQuiet())
        #expect(rename(folder.file("away"), folder.file("data")) == 0)
        #expect(signal.isHeard(), "changes may have been missed")
        #expect(signal.hearsOthers)
        try store.countUp("a")
        #expect(signal.isHeard())
    }

    @Test func aProcessWithoutFreeDescriptorsHearsOthersLater() throws {
        let lines = try Probe("signal-limit", path).finish()
        #expect(lines == ["stirred true false", "started true true", "heard true"])
    }
}
