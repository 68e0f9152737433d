import Glibc
import KinfolkThreads
import TestSupport
import Testing

@Suite struct LockTests {
    @Test func concurrentChangesOfTheStateAreNotLost() throws {
        let lock = Lock(0)
        try onThreads(8) { _ in
            for _ in 0..<20_000 { lock.withLock { $0 += 1 } }
        }
        #expect(lock.withLock { $0 } == 160_000)
    }

    @Test func theLockIsExclusive() throws {
        let lock = Lock((inside: 0, most: 0))
        try onThreads(8) { _ in
            for _ in 0..<500 {
                lock.withLock { state in
                    state.inside += 1
                    state.most = max(state.most, state.inside)
                    sched_yield()
                    state.inside -= 1
                }
            }
        }
        #expect(lock.withLock { $0.most } == 1)
    }

    @Test func anErrorOfTheBodyIsRethrownAndTheLockReleased() {
        struct Refusal: Error {}
        let lock = Lock(1)
        #expect(throws: Refusal.self) { try lock.withLock { _ throws(Refusal) in throw Refusal() } }
        #expect(lock.withLock { $0 } == 1)
    }

    @Test func aWaiterSeesTheChangeItWaitsFor() throws {
        let lock = Lock(0)
        let answers = Lock<[Int]>([])
        try onThreads(9) { number in
            guard number > 0 else {
                for _ in 1...8 { lock.withLock { $0 += 1 } }
                return
            }
            let seen = lock.withLock(when: { $0 >= number }, until: .never) { $0 }
            answers.withLock { $0.append(seen ?? -1) }
        }
        let seen = answers.withLock { $0 }
        #expect(seen.count == 8)
        #expect(seen.allSatisfy { (1...8).contains($0) })
    }

    @Test func aWaitEndsAtItsDeadlineWithoutRunningTheBody() {
        let lock = Lock(0)
        let answer: Void? = lock.withLock(when: { $0 == 1 }, until: Deadline(in: 0.02)) { $0 = 2 }
        #expect(answer == nil)
        #expect(lock.withLock { $0 } == 0)
    }

    @Test func acquiringALockThatIsHeldTimesOut() throws {
        let (lock, isHeld, isTried) = (Lock(0), Lock(false), Lock(false))
        try onThreads(2) { number in
            if number == 0 {
                lock.withLock { state in
                    isHeld.withLock { $0 = true }
                    isTried.withLock(when: { $0 }, until: .never) { _ in }
                    state = 1
                }
            } else {
                isHeld.withLock(when: { $0 }, until: .never) { _ in }
                let answer: Void? = lock.withLock(until: Deadline(in: 0.02)) { $0 = 2 }
                #expect(answer == nil)
                isTried.withLock { $0 = true }
                #expect(lock.withLock(until: .never) { $0 } == 1)
            }
        }
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try lock.withLock(until: .never) { _ throws(Refusal) in throw Refusal() } }
        // A free lock is acquired even if the deadline has passed, and is released after the error.
        #expect(lock.withLock(until: Deadline(in: 0)) { $0 } == 1)
    }

    @Test(arguments: [0, -1, Double.nan, -Double.infinity])
    func anInvalidDeadlineHasPassed(seconds: Double) {
        #expect(Deadline(in: seconds).hasPassed)
        let answer: Void? = Lock(0).withLock(when: { $0 == 1 }, until: Deadline(in: seconds)) { _ in }
        #expect(answer == nil)
    }

    @Test(arguments: [Double.infinity, Double.greatestFiniteMagnitude, 1e300])
    func aDistantDeadlineDoesNotOverflow(seconds: Double) { #expect(!Deadline(in: seconds).hasPassed) }

    @Test func aConditionThatHoldsAlreadyNeedsNoTime() {
        let answer = Lock(5).withLock(when: { $0 == 5 }, until: Deadline(in: 0)) { $0 }
        #expect(answer == 5)
    }
}
