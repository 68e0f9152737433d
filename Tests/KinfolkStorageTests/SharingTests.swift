import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

/// Several threads and processes on one store.
@Suite struct SharingTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.store("store.db")
    }

    @Test func aWriteTimesOutWhileAnotherProcessHoldsTheStore() throws {
        let store = try CounterStore.open(path, wait: 0.1)
        let probe = try Probe("hold", path)
        #expect(probe.line() == "holding")
        #expect(try #require(throws: StorageError.self) { try store.countUp("a") }.kind == .busy)
        #expect(try store.count("a") == 0)
        #expect(probe.finish().isEmpty)
        try store.countUp("a")
        #expect(try store.count("a") == 1)
    }

    @Test func aWriteWaitsForTheWriteOfAnotherProcess() throws {
        let store = try CounterStore.open(path)
        let probe = try Probe("hold", path)
        #expect(probe.line() == "holding")
        let isDone = Lock(false)
        #expect(
            KinfolkThreads.Thread.start {
                try? store.countUp("a")
                isDone.withLock { $0 = true }
            }
        )
        #expect(isDone.withLock(when: { $0 }, until: Deadline(in: 0.2)) { _ in true } == nil)
        probe.release()
        #expect(isDone.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in true } == true)
        #expect(try store.count("a") == 1)
    }

    @Test func aWriteTimesOutWhileAnotherThreadHoldsTheWriter() throws {
        let store = try CounterStore.open(path, wait: 0.05)
        let isHolding = Lock(false)
        let mayEnd = Lock(false)
        let refused = Lock<StorageError?>(nil)
        try onThreads(2) { number in
            if number == 0 {
                try store.write { _ in
                    isHolding.withLock { $0 = true }
                    _ = mayEnd.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in }
                }
            } else {
                _ = isHolding.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in }
                do { try store.countUp("a") } catch let error as StorageError { refused.withLock { $0 = error } }
                mayEnd.withLock { $0 = true }
            }
        }
        #expect(refused.withLock { $0?.kind } == .busy)
    }

    @Test func aReadTimesOutWhileAllReadersAreInUse() throws {
        let store = try CounterStore.open(path, wait: 0.05)
        func nested(_ depth: Int) throws -> Int {
            try store.read { _ in try nested(depth + 1) }
        }
        #expect(throws: StorageError(.busy)) { try nested(0) }
        #expect(try store.count("a") == 0)
    }

    @Test func eightThreadsLoseNoWrite() throws {
        let store = try CounterStore.open(path)
        try onThreads(8) { writer in
            for entry in 0..<150 {
                try store.countUp("shared")
                _ = try store.write { db in
                    try db.execute("INSERT INTO log VALUES ($1, $2)", .integer(Int64(writer)), .integer(Int64(entry)))
                }
                let seen = try store.count("shared")
                guard seen > entry else { throw StorageError(.corrupt) }
            }
        }
        #expect(try store.count("shared") == 1_200)
        let rows = try store.read { db in
            try db.first("SELECT count(DISTINCT writer * 1000 + entry) FROM log") { $0.integer(0) }
        }
        #expect(rows == 1_200)
    }

    @Test func processesAndThreadsTogetherLoseNoWrite() throws {
        let store = try CounterStore.open(path)
        let probes = try (0..<3).map { _ in try Probe("count-up", path, "300") }
        try onThreads(4) { _ in
            for _ in 0..<150 { try store.countUp("shared") }
        }
        for probe in probes { #expect(probe.finish() == ["done"]) }
        #expect(try store.count("shared") == 1_500)
    }

    /// If a busy handler slept longer each time, a process that came last could overtake the one that has waited longest.
    @Test func noWriterIsStarvedByOthers() throws {
        let store = try CounterStore.open(path)
        let path = path
        let counts = Lock([0, 0, 0, 0])
        let isOver = Lock(false)
        // Much longer than needed: a starved writer would make no progress at all.
        let end = Deadline(in: 60)
        // Each thread has its own store, so it waits for the others as a process would.
        try onThreads(4) { number in
            let own = try CounterStore.open(path)
            while !isOver.withLock({ $0 }) {
                try own.countUp("shared")
                let isEnough = counts.withLock { counts in
                    counts[number] += 1
                    return counts.reduce(0, +) >= 2_000 && counts.allSatisfy { $0 >= 20 }
                }
                if isEnough || end.hasPassed { isOver.withLock { $0 = true } }
            }
        }
        let written = counts.withLock { $0 }
        #expect(try store.count("shared") == Int64(written.reduce(0, +)))
        #expect(written.allSatisfy { $0 >= 20 }, "\(written)")
    }

    /// A thread that writes all the time does not prevent the writes of others.
    @Test func writesRunInTheOrderOfTheirCalls() throws {
        let store = try CounterStore.open(path)
        let order = Lock<[Int]>([])
        @Sendable func write(_ number: Int, thenWaitFor others: Int) throws {
            try store.write { _ in
                order.withLock { $0.append(number) }
                #expect(eventually { store.waitingWrites >= others })
            }
        }
        try onThreads(4) { thread in
            if thread > 0 { _ = eventually { order.withLock { !$0.isEmpty } && store.waitingWrites == thread - 1 } }
            try write(thread, thenWaitFor: thread == 0 ? 3 : 0)
            if thread == 0 { try write(4, thenWaitFor: 0) }
        }
        #expect(order.withLock { $0 } == [0, 1, 2, 3, 4])
    }

    @Test func aKilledProcessLeavesItsCommitsAndNoLock() throws {
        let store = try CounterStore.open(path, wait: 10)
        let probe = try Probe("hold", path)
        #expect(probe.line() == "holding")
        probe.kill()
        try store.countUp("a")
        #expect(try store.count("a") == 1)
    }
}
