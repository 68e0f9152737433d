import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

@Suite struct TransactionTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try CounterStore.open(folder.store("store.db"), wait: 10)
    }

    private struct Refusal: Error {}

    @Test func aWriteThatThrowsIsRolledBack() throws {
        try store.countUp("kept")
        #expect(throws: Refusal.self) {
            try store.write { db in
                try db.execute("UPDATE counters SET value = 99 WHERE name = 'kept'")
                try db.execute("INSERT INTO counters VALUES ('lost', 1)")
                throw Refusal()
            }
        }
        #expect(try store.count("kept") == 1)
        #expect(try store.count("lost") == 0)
    }

    /// Simulates that the answer to the commit was lost.
    @Test func aRepeatableWriteIsRepeatedAfterAnUnknownOutcome() throws {
        var attempts = 0
        try store.write(isRepeatable: true) { db in
            attempts += 1
            try db.execute("INSERT INTO counters VALUES ('a', 1) ON CONFLICT DO NOTHING")
            if attempts == 1 { throw StorageError(.inDoubt) }
        }
        #expect(attempts == 2)
        #expect(try store.count("a") == 1)
    }

    @Test func theOutcomeStaysUnknownIfARepeatableWriteCannotBeRepeated() throws {
        var attempts = 0
        let error = try #require(throws: StorageError.self) {
            try store.write(isRepeatable: true) { _ in
                attempts += 1
                throw StorageError(attempts == 1 ? .inDoubt : .inputOutput)
            }
        }
        #expect(error.kind == .inDoubt)
        #expect(attempts == 2)
    }

    @Test func aRepeatableWriteIsRepeatedEvenAfterItsWait() throws {
        let impatient = try CounterStore.open(folder.store("impatient.db"), wait: 0.2)
        var attempts = 0
        try impatient.write(isRepeatable: true) { db in
            attempts += 1
            try db.execute("INSERT INTO counters VALUES ('a', 1) ON CONFLICT DO NOTHING")
            guard attempts == 1 else { return }
            Thread.sleep(seconds: 0.3)
            throw StorageError(.inDoubt)
        }
        #expect(attempts == 2)
        #expect(try impatient.count("a") == 1)
    }

    @Test func otherWritesAreNotRepeatedAfterAnUnknownOutcome() throws {
        var attempts = 0
        let error = try #require(throws: StorageError.self) {
            try store.write { _ in
                attempts += 1
                throw StorageError(.inDoubt)
            }
        }
        #expect(error.kind == .inDoubt)
        #expect(attempts == 1)
    }

    @Test func aFailedStatementRollsBackItsTransactionAndTheStoreStillWorks() throws {
        #expect(throws: StorageError.self) {
            try store.write { db in
                try db.execute("INSERT INTO counters VALUES ('twice', 1)")
                try db.execute("INSERT INTO counters VALUES ('twice', 2)")
            }
        }
        #expect(try store.count("twice") == 0)
        try store.countUp("twice")
        #expect(try store.count("twice") == 1)
    }

    /// Simulates that SQLite itself rolls the transaction back, as it does after a failed read or on a full disk.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func nothingIsWrittenAfterAFailureThatEndedTheTransaction() throws {
        #expect(throws: StorageError(.inputOutput)) {
            try store.write { db in
                try db.execute("INSERT INTO counters VALUES ('twice', 1)")
                _ = try? db.execute("INSERT OR ROLLBACK INTO counters VALUES ('twice', 2)")
                try db.execute("INSERT INTO counters VALUES ('after', 1)")
            }
        }
        #expect(try store.count("twice") == 0)
        #expect(try store.count("after") == 0)
        try store.countUp("after")
    }

    @Test func aReadThatThrowsReleasesItsConnection() throws {
        for _ in 0..<40 {
            #expect(throws: Refusal.self) { try store.read { _ in throw Refusal() } }
        }
        #expect(try store.count("any") == 0)
    }

    @Test func aReadSeesOneSnapshot() throws {
        try store.countUp("a")
        try store.read { db in
            let before = try db.first("SELECT value FROM counters WHERE name = 'a'") { $0.integer(0) }
            try store.countUp("a")
            let after = try db.first("SELECT value FROM counters WHERE name = 'a'") { $0.integer(0) }
            #expect(before == 1)
            #expect(after == 1)
        }
        #expect(try store.count("a") == 2)
    }

    @Test func readsDoNotWaitForARunningWrite() throws {
        try store.countUp("a")
        try store.write { db in
            try db.execute("UPDATE counters SET value = 2 WHERE name = 'a'")
            #expect(try store.count("a") == 1)
        }
        #expect(try store.count("a") == 2)
    }

    @Test func aReadSeesAWriteThatHasReturned() throws {
        for number in 1...200 {
            try store.countUp("a")
            #expect(try store.count("a") == Int64(number))
        }
    }

    @Test func aReadCannotWrite() throws {
        // Whether the attempt fails or waits for the writer does not matter here. It must not change anything.
        _ = try? store.read { db in
            try db.execute("INSERT INTO counters VALUES ('read', 1)")
            throw Refusal()
        }
        #expect(try store.count("read") == 0)
    }

    @Test func valuesRoundTrip() throws {
        let bytes = [UInt8](0...255)
        // Texts cannot contain a NUL in PostgreSQL, and Kinfolk stores none.
        let text = (TemporaryFolder.hasFiles ? "a\u{0}" : "a") + "ß日本\u{1F600}"
        try store.write { db in
            let row: Void? = try db.first(
                "SELECT $1, $2, $3, $4, $5, $6, $7",
                .null,
                .integer(.min),
                .integer(.max),
                .real(-0.0),
                .text(text),
                .bytes(bytes),
                .bytes([])
            ) { row in
                #expect(row.isNull(0))
                #expect(row.integer(1) == .min)
                #expect(row.integer(2) == .max)
                #expect(row.real(3).bitPattern == (-0.0).bitPattern)
                #expect(row.text(4) == text)
                #expect(row.bytes(5) == bytes)
                #expect(row.bytes(6).isEmpty && !row.isNull(6))
            }
            #expect(row != nil)
        }
    }

    @Test func parametersAreBoundByNumberNotByOrder() throws {
        try store.read { db in
            let row = try db.first("SELECT $2, $1, $2", .integer(1), .integer(2)) { row in
                [row.integer(0), row.integer(1), row.integer(2)]
            }
            #expect(row == [2, 1, 2])
        }
    }

    @Test func changesAreCounted() throws {
        try store.write { db in
            try db.execute("INSERT INTO counters VALUES ('a', 1), ('b', 1), ('c', 2)")
            #expect(try db.changes("UPDATE counters SET value = 5 WHERE value = 1") == 2)
            #expect(try db.changes("DELETE FROM counters") == 3)
        }
    }
}
