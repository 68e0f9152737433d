import Foundation
import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

/// The length of the write-ahead log, compared with the file.
@Suite(.enabled(if: TemporaryFolder.hasFiles)) struct LogLengthTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try CounterStore.open(folder.file("store.db"))
    }

    private var fileLength: Int { (try? bytes(of: folder.file("store.db")).count) ?? 0 }
    private var logLength: Int { (try? bytes(of: folder.file("store.db-wal")).count) ?? 0 }

    /// The length by which the log may exceed its limit: the last transaction, and its headers.
    private static let slack = 64 << 10

    private func write(_ number: Int, bytes: Int = 1_000) throws {
        try store.write { db in
            try db.execute(
                "INSERT INTO counters VALUES ($1, 1)",
                .text("\(number) " + String(repeating: "x", count: bytes))
            )
        }
    }

    @Test func theLogStaysBelowAQuarterOfTheFile() throws {
        for number in 0..<1_500 {
            try write(number)
            guard number % 25 == 0 else { continue }
            #expect(logLength <= max(256 << 10, fileLength / 4) + LogLengthTests.slack)
        }
        #expect(fileLength > 1_500_000, "it went into the file")
        #expect(logLength > 0)
    }

    @Test func theLogIsTruncatedAfterALargeTransaction() throws {
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

    @Test func theLogRestartsAfterItsReadersHaveEnded() throws {
        for number in 0..<200 {
            try store.read { db in
                _ = try db.first("SELECT count(*) FROM counters") { $0.integer(0) }
                try write(number, bytes: 4_000)
            }
        }
        // At each commit a reader had an older snapshot: nothing was truncated, and no writer had to wait.
        #expect(logLength > max(256 << 10, fileLength / 4) + LogLengthTests.slack)
        for number in 200..<300 { try write(number, bytes: 4_000) }
        #expect(logLength <= max(256 << 10, fileLength / 4) + LogLengthTests.slack)
    }

    @Test func overlappingReadersDoNotLetTheLogGrow() throws {
        let (begun, isOver) = (Lock([0, 0]), Lock(false))
        try onThreads(3) { number in
            if number == 2 {
                defer { isOver.withLock { $0 = true } }
                try writeUntilTheLogBeginsAgain(times: 3)
                return
            }
            while !isOver.withLock({ $0 }) {
                try store.read { db in
                    _ = try db.first("SELECT count(*) FROM counters") { $0.integer(0) }
                    // Each reader ends only after the other one has begun, so there always is a reader.
                    let others = begun.withLock { begun in
                        begun[number] += 1
                        return begun[1 - number]
                    }
                    while begun.withLock({ $0[1 - number] }) == others, !isOver.withLock({ $0 }) {
                        KinfolkThreads.Thread.sleep(seconds: 0.001)
                    }
                }
            }
        }
    }

    private func writeUntilTheLogBeginsAgain(times: Int) throws {
        let deadline = Deadline(in: 60)
        var (restarts, number, last) = (0, 0, 0)
        while restarts < times, !deadline.hasPassed {
            try write(number, bytes: 4_000)
            number += 1
            let length = logLength
            if length < last { restarts += 1 }
            last = length
            // Four times the limit, and more if the readers were too slow a few times.
            #expect(length <= 16 * max(256 << 10, fileLength / 4))
        }
        #expect(restarts == times)
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
