import Glibc
import KinfolkThreads
import TestSupport
import Testing

@Suite struct WorkerPoolTests {
    @Test func everyJobRunsOnce() {
        let pool = WorkerPool(limit: 4)
        let runs = Lock([Int](repeating: 0, count: 5_000))
        let done = Lock(0)
        for job in 0..<5_000 {
            pool.run {
                runs.withLock { $0[job] += 1 }
                done.withLock { $0 += 1 }
            }
        }
        #expect(done.withLock(when: { $0 == 5_000 }, until: Deadline(in: 60)) { _ in true } == true)
        #expect(runs.withLock { $0.allSatisfy { $0 == 1 } })
    }

    @Test func concurrentJobsAreLimited() {
        let pool = WorkerPool(limit: 3)
        let state = Lock((running: 0, most: 0, done: 0))
        for _ in 0..<60 {
            pool.run {
                state.withLock { state in
                    state.running += 1
                    state.most = max(state.most, state.running)
                }
                // The first jobs wait for each other.
                _ = state.withLock(when: { $0.most >= 3 }, until: Deadline(in: 60)) { _ in }
                state.withLock { state in
                    state.running -= 1
                    state.done += 1
                }
            }
        }
        let most = state.withLock(when: { $0.done == 60 }, until: Deadline(in: 60)) { $0.most }
        #expect(most == 3)
    }

    @Test func jobsThatWaitForEachOtherGetSeparateThreads() {
        let pool = WorkerPool(limit: 4)
        let arrived = Lock(0)
        let done = Lock(0)
        for _ in 0..<4 {
            pool.run {
                arrived.withLock { $0 += 1 }
                if arrived.withLock(when: { $0 == 4 }, until: Deadline(in: 60), { _ in true }) == true {
                    done.withLock { $0 += 1 }
                }
            }
        }
        #expect(done.withLock(when: { $0 == 4 }, until: Deadline(in: 60)) { _ in true } == true)
    }

    @Test func objectsOfAJobAreFreedAfterItRan() {
        final class Held: Sendable {}
        let pool = WorkerPool(limit: 1)
        let mayEnd = Lock(false)
        let isSecondRunning = Lock(false)
        weak var held: Held?
        do {
            let object = Held()
            held = object
            pool.run { withExtendedLifetime(object) {} }
        }
        pool.run {
            isSecondRunning.withLock { $0 = true }
            _ = mayEnd.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in }
        }
        pool.run {}
        #expect(isSecondRunning.withLock(when: { $0 }, until: Deadline(in: 60)) { _ in true } == true)
        #expect(held == nil)
        mayEnd.withLock { $0 = true }
    }

    /// Its threads wait five seconds for more work before they end.
    @Test func anIdlePoolHasNoThreads() {
        let names = "pool-\(getpid())"
        let done = Lock(0)
        do {
            let pool = WorkerPool(limit: 8)
            for _ in 0..<100 {
                pool.run {
                    nameThread(names)
                    done.withLock { $0 += 1 }
                }
            }
            #expect(done.withLock(when: { $0 == 100 }, until: Deadline(in: 60)) { _ in true } == true)
        }
        #expect(eventually { threads(named: names) == 0 })
    }
}
