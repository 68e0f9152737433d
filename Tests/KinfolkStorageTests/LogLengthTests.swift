import Foundation
import KinfolkStorage
import TestSupport
import Testing

/// How long the write-ahead log gets, compared with the file.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct LogLengthTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try CounterStore.open(folder.file("store.db"))
    }

    private var fileLength: Int { (try? bytes(of: folder.file("store.db")).count) ?? 0 }
    private var logLength: Int { (try? bytes(of: folder.file("store.db-wal")).count) ?? 0 }

    /// How much longer than its limit the log may be: by the last transaction, and by its headers.
    private static let slack = 64 << 10

    private func write(_ number: Int, bytes: Int = 1_000) throws {
        try store.write { db in
            try db.execute(
                "INSERT INTO counters VALUES ($1, 1)",
                .text("\(number) " + String(repeating: "x", count: bytes))
            )
        }
    }

    @Test func itStaysBelowAQuarterOfTheFile() throws {
        for number in 0..<1_500 {
            try write(number)
            guard number % 25 == 0 else { continue }
            #expect(logLength <= max(256 << 10, fileLength / 4) + LogLengthTests.slack)
        }
        #expect(fileLength > 1_500_000, "it went into the file")
        #expect(logLength > 0)
    }

    @Test func itIsCutOffAfterALargeTransaction() throws {
        try store.write { db in
            for number in 0..<3_000 {
                try db.execute(
                    "INSERT INTO counters VALUES ($1, 1)",
                    .text("\(number) " + String(repeating: "x", count: 1_000))
                )
            }
        }
        #expect(logLength > 2_000_000)
        try write(3_000)
        #expect(logLength <= fileLength / 4 + LogLengthTests.slack)
    }

    @Test func itRestartsAfterItsReadersHaveEnded() throws {
        for number in 0..<200 {
            try store.read { db in
                _ = try db.first("SELECT count(*) FROM counters") { $0.integer(0) }
                try write(number, bytes: 4_000)
            }
        }
        // At each commit a reader had an older snapshot: nothing was cut off, and no writer had to wait.
        let held = logLength
        for number in 200..<300 { try write(number, bytes: 4_000) }
        #expect(logLength <= max(256 << 10, fileLength / 4) + LogLengthTests.slack)
        #expect(held > 0)
    }

    @Test func aLongReadBlocksNoWrite() throws {
        let probe = try Probe("hold-read", folder.file("store.db"))
        #expect(probe.line() == "holding")
        for number in 0..<300 { try write(number, bytes: 4_000) }
        let held = logLength
        #expect(held > 1 << 20, "a reader needs what is in the log")
        #expect(probe.finish().isEmpty)
        for number in 300..<320 { try write(number, bytes: 4_000) }
        #expect(logLength < held)
    }

    @Test func committedRowsSurviveEachCheckpoint() throws {
        for number in 0..<400 { try write(number, bytes: 2_000) }
        let count = try CounterStore.open(folder.file("store.db")).read { db in
            try db.first("SELECT count(*) FROM counters") { $0.integer(0) }
        }
        #expect(count == 400)
    }
}
