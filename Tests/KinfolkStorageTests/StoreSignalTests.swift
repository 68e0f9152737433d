import KinfolkFiles
import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

/// Waiting for changes of a store.
@Suite struct StoreSignalTests {
    private let folder: TemporaryFolder
    private let path: String
    private let store: Store
    private let signal: StoreSignal

    init() throws {
        folder = try TemporaryFolder()
        path = folder.store("store.db")
        store = try CounterStore.open(path)
        signal = try store.makeSignal()
        // SQLite sets the owner of the log when root opens a connection, and that ends a wait.
        try store.countUp("a")
        #expect(try store.count("a") == 1)
        signal.discard()
    }

    // MARK: Changes

    @Test func aCommitOfAnotherProcessEndsAWait() throws {
        let probe = try Probe("signal", path)
        #expect(signal.isHeard())
        #expect(probe.finish() == ["done"])
        #expect(try store.count("shared") == 1)
    }

    @Test func aCommitOfAnotherStoreOfThisProcessEndsAWait() throws {
        let other = try CounterStore.open(path)
        signal.discard()
        try other.countUpAndSignal("a")
        #expect(signal.isHeard())
    }

    @Test func aCommitOfTheStoreItselfEndsAWait() throws {
        try store.countUpAndSignal("a")
        #expect(signal.isHeard())
    }

    @Test func aCommitEndsTheWaitsOfAllSignals() throws {
        let other = try store.makeSignal()
        try store.countUpAndSignal("a")
        #expect(signal.isHeard())
        #expect(other.isHeard())
    }

    /// If a wait ended before the commit was visible, the reader would see nothing, and nothing would wake it again.
    @Test func eachCommitIsVisibleAfterItsWait() throws {
        let path = path
        let signal = signal
        let seen = Lock<Int64>(0)
        let rounds: Int64 = 300
        try onThreads(2) { number in
            let own = try CounterStore.open(path)
            if number == 0 {
                for round in 0..<rounds {
                    let isSeen = seen.withLock(when: { $0 == round }, until: Deadline(in: 60)) { _ in true }
                    guard isSeen == true else { throw StorageError(.busy) }
                    try own.countUpAndSignal("b")
                }
            } else {
                var last: Int64 = 0
                while last < rounds {
                    guard signal.isHeard() else { throw StorageError(.busy) }
                    last = try own.count("b")
                    seen.withLock { $0 = last }
                }
            }
        }
        #expect(seen.withLock { $0 } == rounds)
    }

    @Test func aReadEndsNoWait() throws {
        #expect(try store.count("a") == 1)
        #expect(signal.isQuiet())
    }

    @Test func aSignalOutlivesItsStore() throws {
        func signalOfAClosedStore() throws -> StoreSignal { try CounterStore.open(path).makeSignal() }
        let signal = try signalOfAClosedStore()
        signal.discard()
        try store.countUpAndSignal("a")
        #expect(signal.isHeard())
    }

    // MARK: Other ends of a wait

    @Test func theDeadlineEndsAWait() {
        let deadline = Deadline(in: 0.1)
        signal.wait(until: deadline)
        #expect(deadline.hasPassed)
    }

    @Test func aStirEndsTheNextWaitOnly() {
        signal.stir()
        signal.stir()
        #expect(signal.isHeard())
        #expect(signal.isQuiet())
    }

    @Test func aStirEndsTheWaitOfAnotherThread() throws {
        let signal = signal
        try onThreads(2) { number in
            if number == 0 {
                #expect(signal.isHeard())
            } else {
                Thread.sleep(seconds: 0.1)
                signal.stir()
            }
        }
    }

    @Test func aSecondThreadWaitsAfterTheFirst() throws {
        let signal = signal
        let returned = Lock(0)
        try onThreads(3) { number in
            guard number == 2 else {
                #expect(signal.isHeard())
                return returned.withLock { $0 += 1 }
            }
            for count in 1...2 {
                signal.stir()
                #expect(eventually { returned.withLock { $0 >= count } })
            }
        }
    }

    @Test func closingEndsTheWaitOfAnotherThread() throws {
        let signal = signal
        try onThreads(2) { number in
            if number == 0 {
                #expect(signal.isHeard())
            } else {
                Thread.sleep(seconds: 0.1)
                signal.close()
            }
        }
        #expect(!signal.hearsOthers)
    }

    @Test func aClosedSignalWaitsForNothing() {
        signal.close()
        signal.close()
        signal.stir()
        signal.wait(until: .never)
        #expect(!signal.hearsOthers)
    }

    @Test func closingWhileOthersStirAndWaitIsSafe() throws {
        for _ in 0..<20 {
            let signal = try store.makeSignal()
            try onThreads(4) { number in
                switch number {
                case 0: for _ in 0..<50 { signal.stir() }
                case 1: signal.close()
                default: for _ in 0..<50 { signal.wait(until: Deadline(in: 0.001)) }
                }
            }
            #expect(!signal.hearsOthers)
        }
    }

    // MARK: Without others

    @Test func aStoreThatIsOnlyReadHearsNobody() throws {
        let reader = try Store(
            path: FilePath(path),
            existingOnly: true,
            isReadOnly: true,
            wait: 30,
            migrations: CounterStore.migrations
        )
        let signal = try reader.makeSignal()
        #expect(!signal.hearsOthers)
        try store.countUpAndSignal("a")
        #expect(signal.isQuiet())
        signal.stir()
        #expect(signal.isHeard())
    }

    @Test func aForkedChildDoesNotDisturbTheSignalOfItsParent() throws {
        #expect(try Probe("fork-signal", path).finish() == ["child 0", "quiet true", "heard true true"])
    }

    @Test func noDescriptorIsInheritedOrLeftOpen() throws {
        #expect(try Probe("signal-descriptors", path).finish() == ["inherited 0 open true", "left 0"])
    }
}
