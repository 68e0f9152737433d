import Glibc
import KinfolkThreads
import TestSupport
import Testing

@Suite struct ThreadTests {
    @Test func aThreadRunsWithAllSignalsBlocked() throws {
        let blocked = Lock<[Int32]>([])
        try onThreads(1) { _ in
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            blocked.withLock { $0 = [SIGINT, SIGTERM, SIGUSR1, SIGALRM].filter { sigismember(&mask, $0) == 1 } }
        }
        #expect(blocked.withLock { $0 } == [SIGINT, SIGTERM, SIGUSR1, SIGALRM])
    }

    @Test func startingAThreadKeepsTheCallersSignalMask() throws {
        var before = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &before)
        try onThreads(1) { _ in }
        var after = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &after)
        for signal in [SIGINT, SIGTERM, SIGUSR1] {
            #expect(sigismember(&after, signal) == sigismember(&before, signal))
        }
    }

    @Test func threadsHaveDifferentIDs() throws {
        let seen = Lock<Set<UInt>>([KinfolkThreads.Thread.current])
        let arrived = Lock(0)
        try onThreads(4) { _ in
            seen.withLock { _ = $0.insert(KinfolkThreads.Thread.current) }
            // All threads live at the same time, because a number may be reused after its thread has ended.
            arrived.withLock { $0 += 1 }
            _ = arrived.withLock(when: { $0 == 4 }, until: Deadline(in: 60)) { _ in }
        }
        #expect(seen.withLock { $0.count } == 5)
    }
}
