import KinfolkStorage
import KinfolkThreads
import TestSupport
import Testing

/// Notifications of a PostgreSQL server wake those who wait for changes.
@Suite(.enabled(if: !TemporaryFolder.hasFiles)) struct NotificationTests {
    private let folder: TemporaryFolder
    private let path: String
    private let store: Store
    private let signal: StoreSignal

    init() throws {
        folder = try TemporaryFolder()
        path = folder.store("store.db")
        store = try CounterStore.open(path)
        signal = try store.makeSignal()
    }

    /// Sends a notification, and waits until it has arrived: all earlier ones have arrived then too.
    private func demandNextIsHeard() throws {
        try store.countUpAndSignal("next")
        #expect(signal.isHeard())
    }

    @Test func theSignalHearsOthers() { #expect(signal.hearsOthers) }

    @Test func aCommitWithoutACallEndsNoWait() throws {
        try store.countUp("a")
        #expect(signal.isQuiet())
        try demandNextIsHeard()
    }

    @Test func aNotificationIsDeliveredOnlyAfterTheCommit() throws {
        try store.write { db in
            try db.execute("INSERT INTO counters VALUES ('a', 1)")
            try db.signal()
            // Sends everything that was deferred.
            #expect(try db.first("SELECT value FROM counters") { $0.integer(0) } == 1)
            #expect(signal.isQuiet())
        }
        #expect(signal.isHeard())
    }

    @Test func aTransactionThatIsRolledBackNotifiesNobody() throws {
        #expect(throws: StorageError(.misuse)) {
            try store.write { db in
                try db.execute("INSERT INTO counters VALUES ('a', 1)")
                try db.signal()
                #expect(try db.first("SELECT value FROM counters") { $0.integer(0) } == 1)
                throw StorageError(.misuse)
            }
        }
        #expect(signal.isQuiet())
        try demandNextIsHeard()
        // One notification arrived, not two.
        #expect(signal.isQuiet())
    }

    @Test func aCallWithoutAChangeIsHeard() throws {
        try store.write { try $0.signal() }
        #expect(signal.isHeard())
    }

    @Test func manyCallsOfATransactionAreOneNotification() throws {
        try store.write { db in for _ in 0..<100 { try db.signal() } }
        #expect(signal.isHeard())
        #expect(signal.isQuiet())
    }

    @Test func aTransactionThatReadsMayNotNotify() throws {
        #expect(throws: StorageError(.misuse)) { try store.read { try $0.signal() } }
    }

    @Test func aNotificationCostsNoRoundTrip() throws {
        func roundTrips(_ write: () throws -> Void) throws -> Int {
            // The first run prepares the statements.
            try write()
            let (_, work) = try store.tracing(write)
            return work.filter { $0.sql == WorkDone.roundTrips }.reduce(0) { $0 + $1.steps }
        }
        func write(signals: Bool) throws {
            try store.write { db in
                if signals { try db.signal() }
                try db.execute("INSERT INTO log VALUES (1, 1)")
                if signals { try db.signal() }
            }
        }
        let plain = try roundTrips { try write(signals: false) }
        #expect(plain > 0)
        #expect(try roundTrips { try write(signals: true) } == plain)
    }

    @Test func theStoreOfAnotherSchemaIsNotHeard() throws {
        let other = try CounterStore.open(folder.store("other.db"))
        let signalOfOther = try other.makeSignal()
        try other.countUpAndSignal("a")
        #expect(signalOfOther.isHeard())
        #expect(signal.isQuiet())
        try demandNextIsHeard()
        #expect(signalOfOther.isQuiet())
    }

    /// Ends the sessions that listen for changes of this store.
    private func endListeners() throws {
        let count = try store.read { db in
            try db.all(
                """
                SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE query = 'LISTEN "kinfolk_' ||
                left(encode(sha256(convert_to(current_schema(), 'UTF8')), 'hex'), 32) || '"'
                """
            ) { _ in }.count
        }
        #expect(count == 1)
    }

    @Test func aSignalReconnectsAfterItsSessionWasEnded() throws {
        for _ in 0..<2 {
            try endListeners()
            #expect(signal.isHeard(), "changes may be missed from now on")
            #expect(!signal.hearsOthers)
            // Nobody hears this.
            try store.countUpAndSignal("a")
            #expect(signal.isHeard(), "changes may have been missed")
            #expect(signal.hearsOthers)
            try demandNextIsHeard()
        }
    }

    @Test func aStirEndsAWaitBetweenTwoConnections() throws {
        try endListeners()
        #expect(signal.isHeard())
        signal.stir()
        #expect(signal.isHeard())
        #expect(!signal.hearsOthers, "a pending stir comes first")
    }

    @Test func aSessionThatIsIdleForLongIsKept() throws {
        // The server would end it after this many milliseconds.
        let other = try CounterStore.open(path)
        let signal = try CounterStore.open(path + "&options=-cidle_session_timeout%3D200").makeSignal()
        #expect(!signal.isHeard(within: 2))
        #expect(signal.hearsOthers)
        try other.countUpAndSignal("a")
        #expect(signal.isHeard())
    }
}
