import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

/// Waiting writes share a transaction, but each of them still succeeds or is rolled back on its own.
@Suite struct SharedTransactionTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try CounterStore.open(folder.store("store.db"))
    }

    private struct Refusal: Error {}

    /// Runs `others`, each on its own thread, queued in their order behind a write of this thread.
    private func behindOneWrite(
        _ others: [@Sendable () throws -> Void],
        firstIsLost: Bool = false
    ) throws -> [WorkDone] {
        let hasBegun = Lock(false)
        return try store.tracing {
            try onThreads(others.count + 1) { number in
                guard number > 0 else {
                    func first() throws {
                        try store.write { db in
                            // On a server the write may be repeated after they have joined it.
                            let isAgain = hasBegun.withLock { $0 }
                            hasBegun.withLock { $0 = true }
                            let deadline = Deadline(in: 60)
                            while !isAgain, store.waitingWrites < others.count, !deadline.hasPassed {
                                Thread.sleep(seconds: 0.001)
                            }
                            try db.execute("INSERT INTO counters VALUES ('first', 1)")
                        }
                    }
                    guard firstIsLost else { return try first() }
                    _ = #expect(throws: StorageError.self) { try first() }
                    return
                }
                _ = hasBegun.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in }
                let deadline = Deadline(in: 60)
                while store.waitingWrites < number - 1, !deadline.hasPassed { Thread.sleep(seconds: 0.001) }
                try others[number - 1]()
            }
        }.1
    }

    private func commits(_ work: [WorkDone]) -> Int { work.count { $0.sql == "COMMIT" } }

    @Test func waitingWritesShareATransaction() throws {
        let store = store
        let work = try behindOneWrite((0..<20).map { _ in { try store.countUp("a") } })
        #expect(commits(work) == 1)
        #expect(try store.count("a") == 20)
        #expect(try store.count("first") == 1)
    }

    @Test func aWriteThatThrowsIsRolledBackAlone() throws {
        let store = store
        let work = try behindOneWrite([
            { try store.countUp("before") },
            {
                #expect(throws: Refusal.self) {
                    try store.write { db in
                        try db.execute("INSERT INTO counters VALUES ('lost', 1)")
                        try db.execute("UPDATE counters SET value = 99")
                        throw Refusal()
                    }
                }
            },
            {
                #expect(throws: StorageError.self) {
                    try store.write { db in try db.execute("INSERT INTO counters VALUES ('before', 1)") }
                }
            },
            { try store.countUp("after") },
        ])
        // On a server the transaction is repeated without the writes that have not joined by then.
        #expect(commits(work) == 1 || !TemporaryFolder.hasFiles)
        for name in ["first", "before", "after"] { #expect(try store.count(name) == 1) }
        #expect(try store.count("lost") == 0)
    }

    @Test func queriesOfARolledBackWriteAreSentAgain() throws {
        let store = store
        let attempts = Lock(0)
        @Sendable func names(_ db: Connection) throws -> [String] {
            try db.all("SELECT name FROM counters ORDER BY name") { $0.text(0) }
        }
        _ = try behindOneWrite([
            {
                #expect(throws: Refusal.self) {
                    try store.write { db in
                        try db.execute("INSERT INTO counters VALUES ('lost', 1)")
                        try db.askAhead { _ = try names(db) }
                        let known = try names(db)
                        #expect(known == ["first", "lost"])
                        // One time all of them are repeated.
                        if attempts.withLock({ $0 }) > 0 { throw Refusal() }
                    }
                }
            },
            {
                let known = try store.write(names)
                #expect(known == ["first"])
            },
            {
                try store.write { _ in
                    let isFirst = attempts.withLock { attempts in
                        attempts += 1
                        return attempts == 1
                    }
                    if isFirst { throw StorageError(.interrupted) }
                }
            },
        ])
    }

    /// After a conflict the writes are repeated beside those of others, without savepoints. If one of them must then be rolled back,
    /// they are repeated alone.
    @Test(.enabled(if: !TemporaryFolder.hasFiles)) func aWriteThatThrowsAfterAConflictIsRolledBackAlone() throws {
        let store = store
        let attempts = Lock(0)
        let work = try behindOneWrite([
            { try store.countUp("before") },
            {
                #expect(throws: Refusal.self) {
                    try store.write { db in
                        try db.execute("INSERT INTO counters VALUES ('lost', 1)")
                        if attempts.withLock({ $0 }) > 0 { throw Refusal() }
                    }
                }
            },
            {
                try store.write { db in
                    let isFirst = attempts.withLock { attempts in
                        attempts += 1
                        return attempts == 1
                    }
                    if isFirst { throw StorageError(.conflict) }
                    try db.execute("INSERT INTO counters VALUES ('after', 1)")
                }
            },
        ])
        for name in ["first", "before", "after"] { #expect(try store.count(name) == 1) }
        #expect(try store.count("lost") == 0)
        let begun = work.filter { ["BEGIN", "SAVEPOINT", WorkDone.exclusive].contains($0.sql) }.map(\.sql)
        #expect(begun.prefix(4) == ["BEGIN", "BEGIN", "BEGIN", WorkDone.exclusive])
        #expect(begun.dropFirst(4) == ["SAVEPOINT", "SAVEPOINT", "SAVEPOINT", "SAVEPOINT"])
    }

    @Test func aFirstWriteThatThrowsDoesNotStopTheOthers() throws {
        let isHolding = Lock(false)
        try onThreads(2) { number in
            if number == 0 {
                #expect(throws: Refusal.self) {
                    try store.write { db in
                        isHolding.withLock { $0 = true }
                        while store.waitingWrites == 0 { Thread.sleep(seconds: 0.001) }
                        try db.execute("INSERT INTO counters VALUES ('lost', 1)")
                        throw Refusal()
                    }
                }
            } else {
                _ = isHolding.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in }
                try store.countUp("a")
            }
        }
        #expect(try store.count("a") == 1)
        #expect(try store.count("lost") == 0)
    }

    /// Simulates that SQLite itself rolls the transaction back, as it does after a failed read or on a full disk.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func ifTheTransactionIsLostAllItsWritesFail() throws {
        let store = store
        let others: [@Sendable () throws -> Void] = [
            { #expect(throws: StorageError.self) { try store.countUp("before") } },
            {
                #expect(throws: StorageError.self) {
                    try store.write { db in try db.execute("INSERT OR ROLLBACK INTO counters VALUES ('before', 2)") }
                }
                // Later writes begin a new transaction.
                try store.countUp("a")
            },
        ]
        _ = try behindOneWrite(others, firstIsLost: true)
        #expect(try store.count("a") == 1)
        #expect(try store.count("before") == 0)
        #expect(try store.count("first") == 0)
    }

    private struct Secret: Error {}

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func noWriteGetsTheErrorOfAnother() throws {
        let store = store
        let others: [@Sendable () throws -> Void] = [
            {
                #expect(throws: Secret.self) {
                    try store.write { db in
                        _ = try? db.execute("INSERT OR ROLLBACK INTO counters VALUES ('first', 2)")
                        throw Secret()
                    }
                }
            }
        ]
        // The first writer gets a StorageError, because its write was lost with the transaction.
        _ = try behindOneWrite(others, firstIsLost: true)
        #expect(try store.count("first") == 0)
    }

    @Test func aLargeWriteBeginsASeparateTransaction() throws {
        let store = store
        let others: [@Sendable () throws -> Void] = [
            { try store.countUp("before") },
            { _ = try store.write(isLarge: true) { db in try db.execute("INSERT INTO counters VALUES ('large', 1)") } },
            { try store.countUp("after") },
        ]
        let work = try behindOneWrite(others)
        #expect(commits(work) == 3)
        for name in ["first", "before", "large", "after"] { #expect(try store.count(name) == 1) }
    }

    @Test func aWriteIsConfirmedBeforeTheNextOneBegins() throws {
        let store = store
        let order = Lock<[String]>([])
        @Sendable func write(_ name: String) throws {
            try store.write { db in
                order.withLock { $0.append(name) }
                try db.execute("DELETE FROM log")
            } then: { _ in
                order.withLock { $0.append("\(name) is written") }
            }
        }
        let work = try behindOneWrite([{ try write("one") }, { try write("two") }])
        #expect(order.withLock { $0 } == ["one", "one is written", "two", "two is written"])
        #expect(commits(work) == 2)
    }

    @Test func aWriteThatThrowsIsNotConfirmed() throws {
        #expect(throws: Refusal.self) {
            try store.write { _ in
                throw Refusal()
            } then: { _ in
                Issue.record("It was confirmed.")
            }
        }
    }

    /// Each write has its own wait, which begins with its call.
    @Test func writesThatJoinedATimedOutWriteContinueWithoutIt() throws {
        let store = try CounterStore.open(folder.store("impatient.db"), wait: 12)
        let hasBegun = Lock(false)
        let hasFailed = Lock(false)
        try onThreads(2) { number in
            if number == 0 {
                #expect(throws: StorageError.self) {
                    try store.write { db in
                        let isFirstAttempt = hasBegun.withLock { hasBegun in
                            defer { hasBegun = true }
                            return !hasBegun
                        }
                        let deadline = Deadline(in: 60)
                        while isFirstAttempt && store.waitingWrites == 0 && !deadline.hasPassed {
                            Thread.sleep(seconds: 0.001)
                        }
                        try db.execute("INSERT INTO counters VALUES ('first', 1)")
                    }
                }
                hasFailed.withLock { $0 = true }
            } else {
                _ = hasBegun.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in }
                // This write's wait ends eight seconds after that of the other write, whose transaction it joins. Pauses between
                // attempts are up to half a second.
                Thread.sleep(seconds: 8)
                try store.write { db in
                    guard hasFailed.withLock({ $0 }) else { throw StorageError(.interrupted) }
                    try db.execute("INSERT INTO counters VALUES ('second', 1)")
                }
            }
        }
        #expect(try store.count("first") == 0)
        #expect(try store.count("second") == 1)
    }

    @Test func manyThreadsLoseNoWrite() throws {
        try onThreads(32) { number in
            for round in 0..<20 {
                try store.countUp("all")
                _ = try? store.write { db in
                    try db.execute("UPDATE counters SET value = value + 100 WHERE name = 'all'")
                    if (number + round) % 2 == 0 { throw Refusal() }
                    try db.execute("UPDATE counters SET value = value - 100 WHERE name = 'all'")
                }
            }
        }
        #expect(try store.count("all") == 640)
    }
}
