import KinfolkThreads
import Testing

@Suite struct ParallelTests {
    private struct Fault: Error, Equatable { let at: Int }

    /// The parts for which `body` ran, in order.
    private func parts(
        of count: Int,
        sizes: ClosedRange<Int>,
        threads: Int,
        start: (@escaping @Sendable () -> Void) -> Bool = Thread.start
    ) -> [Range<Int>] {
        let seen = Lock<[Range<Int>]>([])
        Parallel.forEachPart(of: count, sizes: sizes, threads: threads, start: start) { part in
            seen.withLock { $0.append(part) }
        }
        return seen.withLock { $0.sorted { $0.lowerBound < $1.lowerBound } }
    }

    @Test(arguments: [0, 1, 2, 9, 10, 11, 99, 100, 101, 1_000], [Int.min, 0, 1, 2, 7, 10_000, Int.max])
    func everyElementIsInOnePart(count: Int, threads: Int) {
        let parts = parts(of: count, sizes: 10...50, threads: threads)
        #expect(parts.flatMap { $0 } == Array(0..<count))
        #expect(parts.dropLast().allSatisfy { (10...50).contains($0.count) })
    }

    @Test func aSinglePartStaysOnTheCallingThread() {
        for (count, threads) in [(10, 8), (1, 8), (50, 1)] {
            var started = 0
            let caller = KinfolkThreads.Thread.current
            let seen = Lock<Set<UInt>>([])
            Parallel.forEachPart(
                of: count,
                sizes: 10...50,
                threads: threads,
                start: { _ in
                    started += 1
                    return false
                }
            ) { _ in seen.withLock { _ = $0.insert(KinfolkThreads.Thread.current) } }
            #expect(started == 0)
            #expect(seen.withLock { $0 } == [caller])
        }
    }

    @Test func theNumberOfThreadsIsLimitedByPartsAndByTheLimit() {
        for (count, threads, expected) in [(1_000, 4, 3), (30, 100, 2), (1_000, 1, 0)] {
            let started = Lock(0)
            _ = parts(of: count, sizes: 10...50, threads: threads) { body in
                started.withLock { $0 += 1 }
                return Thread.start(body)
            }
            #expect(started.withLock { $0 } == expected)
        }
    }

    @Test func partsRunConcurrently() {
        let arrived = Lock(0)
        let met = Lock(0)
        Parallel.forEachPart(of: 3, sizes: 1...1, threads: 3) { _ in
            arrived.withLock { $0 += 1 }
            if arrived.withLock(when: { $0 == 3 }, until: Deadline(in: 60), { _ in true }) == true {
                met.withLock { $0 += 1 }
            }
        }
        #expect(met.withLock { $0 } == 3)
    }

    @Test func allWorkIsDoneIfNoThreadCanBeStarted() {
        var asked = 0
        let parts = parts(of: 1_000, sizes: 10...10, threads: 8) { _ in
            asked += 1
            return false
        }
        #expect(parts.flatMap { $0 } == Array(0..<1_000))
        // It does not try again for each part.
        #expect(asked == 1)
    }

    @Test func aThreadThatStartsTooLateIsNotWaitedForAndDoesNothing() {
        let late = Lock<[@Sendable () -> Void]>([])
        let runs = Lock(0)
        Parallel.forEachPart(
            of: 100,
            sizes: 10...10,
            threads: 3,
            start: { body in
                late.withLock { $0.append(body) }
                return true
            }
        ) { _ in runs.withLock { $0 += 1 } }
        #expect(runs.withLock { $0 } == 10)
        for body in late.withLock({ $0 }) { body() }
        #expect(late.withLock { $0.count } == 2)
        #expect(runs.withLock { $0 } == 10)
    }

    @Test(arguments: [0, 1]) func theErrorIsThatOfTheFirstFailingPart(slow: Int) {
        let arrived = Lock(0)
        let error = #expect(throws: Fault.self) {
            try Parallel.forEachPart(of: 2, sizes: 1...1, threads: 2) { part throws(Fault) in
                // Both have begun before either fails.
                arrived.withLock { $0 += 1 }
                _ = arrived.withLock(when: { $0 == 2 }, until: Deadline(in: 60)) { _ in }
                if part.lowerBound == slow { KinfolkThreads.Thread.sleep(seconds: 0.05) }
                throw Fault(at: part.lowerBound)
            }
        }
        #expect(error == Fault(at: 0))
    }

    @Test func noPartBeginsAfterAFailure() {
        let runs = Lock(0)
        #expect(throws: Fault.self) {
            try Parallel.forEachPart(of: 1_000, sizes: 1...1, threads: 1) { part throws(Fault) in
                runs.withLock { $0 += 1 }
                if part.lowerBound == 5 { throw Fault(at: 5) }
            }
        }
        #expect(runs.withLock { $0 } == 6)
    }

    @Test func allPartsAreDoneOnReturn() {
        for threads in [2, 4] {
            let done = Lock(0)
            Parallel.forEachPart(of: 40, sizes: 1...1, threads: threads) { part in
                KinfolkThreads.Thread.sleep(seconds: part.lowerBound % 7 == 0 ? 0.01 : 0.0001)
                done.withLock { $0 += 1 }
            }
            #expect(done.withLock { $0 } == 40)
        }
    }
}
