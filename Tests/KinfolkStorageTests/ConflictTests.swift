import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

/// Writers of several processes that change the same row: each store here has its own connections, as a process has.
@Suite(.enabled(if: !TemporaryFolder.hasFiles)) struct ConflictTests {
    /// How often a write is tried beside the others: once, and again after 16 conflicts.
    private static let sharedAttempts = 17

    private let folder: TemporaryFolder
    private let address: String

    init() throws {
        folder = try TemporaryFolder()
        address = folder.store("store.db")
        _ = try open()
    }

    /// With a wait that is far longer than needed: only a mistake makes a test wait so long.
    private func open() throws -> Store { try CounterStore.open(address, wait: 120) }

    private func begun(_ work: [WorkDone]) -> Int { work.count { $0.sql == "BEGIN" } }
    private func exclusive(_ work: [WorkDone]) -> Int { work.count { $0.sql == WorkDone.exclusive } }

    private func addToLog(_ entry: Int, of store: Store) throws {
        try store.write { db in try db.execute("INSERT INTO log VALUES (1, $1)", .integer(Int64(entry))) }
    }

    private func logLength(_ store: Store) throws -> Int64? {
        try store.read { db in try db.first("SELECT count(*) FROM log") { $0.integer(0) } }
    }

    /// Increments "shared". As long as `conflict` says so, another store increments it in the middle of the transaction.
    private func countUp(_ store: Store, conflict: (_ attempt: Int) throws -> Void) throws -> [WorkDone] {
        var attempt = 0
        return try store.tracing {
            try store.write { db in
                attempt += 1
                let value = try db.first("SELECT value FROM counters WHERE name = 'shared'") { $0.integer(0) } ?? 0
                try conflict(attempt)
                try db.execute(
                    "INSERT INTO counters VALUES ('shared', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                    .integer(value + 1)
                )
            }
        }.1
    }

    @Test func aConflictIsRepeatedBesideOtherWriters() throws {
        let (store, rival, other) = (try open(), try open(), try open())
        let work = try countUp(store) { attempt in
            guard attempt <= ConflictTests.sharedAttempts - 1 else { return }
            try rival.countUp("shared")
            // An exclusive transaction would make this wait until it fails.
            try addToLog(attempt, of: other)
        }
        #expect(begun(work) == ConflictTests.sharedAttempts)
        #expect(exclusive(work) == 0)
        #expect(try store.count("shared") == Int64(ConflictTests.sharedAttempts))
        #expect(try logLength(other) == Int64(ConflictTests.sharedAttempts - 1))
    }

    @Test func aWriteThatAlwaysConflictsExcludesTheOthersInTheEnd() throws {
        let (store, rival) = (try open(), try open())
        let work = try countUp(store) { attempt in
            if attempt <= ConflictTests.sharedAttempts { try rival.countUp("shared") }
        }
        #expect(begun(work) == ConflictTests.sharedAttempts + 1)
        #expect(exclusive(work) == 1)
        #expect(work.last { $0.sql == "BEGIN" || $0.sql == WorkDone.exclusive }?.sql == WorkDone.exclusive)
        #expect(try store.count("shared") == Int64(ConflictTests.sharedAttempts + 1))
    }

    /// After half of its wait, a write that conflicts takes the store for itself, while there is time.
    @Test func aWriteWhoseWaitIsHalfOverExcludesTheOthers() throws {
        let (store, rival) = (try CounterStore.open(address, wait: 20), try open())
        let work = try countUp(store) { attempt in
            guard attempt == 1 else { return }
            try rival.countUp("shared")
            Thread.sleep(seconds: 10)
        }
        #expect(begun(work) == 2)
        #expect(exclusive(work) == 1)
        #expect(try store.count("shared") == 2)
    }

    /// The server may find that a key exists before it finds that the transaction conflicts with the one that made it.
    @Test func aKeyThatAnotherWriterMadeMeanwhileIsAConflict() throws {
        let (store, rival) = (try open(), try open())
        var attempts = 0
        try store.write { db in
            attempts += 1
            let isThere = try db.first("SELECT value FROM counters WHERE name = 'new'") { _ in true } ?? false
            if attempts == 1 { try rival.write { try $0.execute("INSERT INTO counters VALUES ('new', 1)") } }
            try db.execute(
                isThere
                    ? "UPDATE counters SET value = value + 1 WHERE name = 'new'"
                    : "INSERT INTO counters VALUES ('new', 1)"
            )
        }
        #expect(attempts == 2)
        #expect(try store.count("new") == 2)
    }

    @Test func aKeyThatExistsAlthoughNobodyElseWritesIsDamage() throws {
        let store = try open()
        try store.countUp("known")
        let (error, work) = store.tracing {
            #expect(throws: StorageError.self) {
                try store.write { try $0.execute("INSERT INTO counters VALUES ('known', 1)") }
            }
        }
        #expect(error?.kind == .corrupt)
        #expect(exclusive(work) == 1)
        #expect(try store.count("known") == 1)
    }

    /// Two writers of one row conflict all the time, and a third one that writes other rows never does. Whatever the order of their
    /// transactions is, each exclusive one follows 17 conflicts.
    @Test func writersOfOneRowDoNotShutOutTheOthers() throws {
        let stores = [try open(), try open(), try open()]
        let conflicts = Lock(0)
        let written = Lock([0, 0, 0])
        let isOver = Lock(false)
        let end = Deadline(in: 60)
        try onThreads(stores.count) { number in
            let store = stores[number]
            let isRival = number < 2
            defer { isOver.withLock { $0 = true } }
            while !isOver.withLock({ $0 }), !end.hasPassed {
                let (_, work) = try store.tracing {
                    if isRival { try store.countUp("shared") } else { try addToLog(0, of: store) }
                }
                written.withLock { $0[number] += 1 }
                let lost = begun(work) - 1
                let isEnough = conflicts.withLock { conflicts in
                    conflicts += isRival ? lost : 0
                    return conflicts >= 40
                }
                #expect(isRival || lost == 0)
                #expect(exclusive(work) * ConflictTests.sharedAttempts <= lost)
                // The third writer goes on as long as the others conflict.
                if isEnough && written.withLock({ $0[2] >= 20 }) { break }
            }
        }
        #expect(conflicts.withLock { $0 } > 0)
        let counts = written.withLock { $0 }
        #expect(try stores[0].count("shared") == Int64(counts[0] + counts[1]))
        #expect(try logLength(stores[2]) == Int64(counts[2]))
    }

    /// Each store has several threads, whose writes share transactions.
    @Test func sharedTransactionsThatConflictLoseNoWrite() throws {
        let stores = [try open(), try open()]
        try onThreads(8) { number in
            for round in 0..<40 {
                let store = stores[number % 2]
                try store.countUp("shared")
                try addToLog(round, of: store)
            }
        }
        #expect(try stores[0].count("shared") == 320)
        #expect(try logLength(stores[0]) == 320)
    }
}
