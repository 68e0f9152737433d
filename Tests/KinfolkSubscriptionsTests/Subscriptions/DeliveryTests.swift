import Kinfolk
import KinfolkModel
import KinfolkSubscriptions
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// How notifications reach handlers, streams and waiting calls. Waits end when the notification comes; the limits are for broken code.
@Suite("Delivery of notifications") struct DeliveryTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        try store.container.addField("room", type: .string, to: "Message")
        try ada.publicDatabase.save(
            Subscription(query: Query("Message"), options: .firesOnRecordCreation, id: "one")
        )
    }

    private func say(_ session: Session? = nil) throws -> RecordID {
        var message = try Record(type: "Message")
        try message.set("room", to: .string("garden"))
        return try (session ?? bob).publicDatabase.save(message).id
    }

    private func wait(_ isReady: @escaping ([RecordID]) -> Bool, _ found: Lock<[RecordID]>) -> [RecordID]? {
        found.withLock(when: isReady, until: Deadline(in: 60)) { $0 }
    }

    @Test func aHandlerGetsWhatWaitsAndWhatComes() throws {
        let first = try say()
        let found = Lock<[RecordID]>([])
        let observation = try ada.onNotification { notification in
            found.withLock { if let id = notification.recordID { $0.append(id) } }
            return true
        }
        #expect(wait({ $0.count == 1 }, found) == [first])
        let second = try say()
        #expect(wait({ $0.count == 2 }, found) == [first, second])
        // Another service, as another process would.
        let other = try store.reopened()
        let session = try other.container("com.example.notes").session(for: other.account(store.account(of: bob).id))
        let third = try say(session)
        #expect(wait({ $0.count == 3 }, found) == [first, second, third])
        observation.cancel()
        _ = try say()
        #expect(try ada.notifications(waitingFor: 60).count == 1)
        #expect(found.withLock { $0.count } == 3)
    }

    @Test func aWatchGoesOnFromWhatItAcknowledgedWhenTheStoreWasSetBack() throws {
        let tablet = try store.container.session(for: store.account(of: ada), device: "tablet")
        #expect(try tablet.notifications().isEmpty)
        try store.container.addField("text", type: .string, to: "Note")
        try bob.publicDatabase.save(Subscription(query: Query("Note"), options: .firesOnRecordCreation, id: "notes"))
        let (found, ofBob) = (Lock<[RecordID]>([]), Lock(0))
        let observations = [
            try ada.onNotification { notification in
                found.withLock { if let id = notification.recordID { $0.append(id) } }
                return true
            },
            try bob.onNotification { _ in
                ofBob.withLock { $0 += 1 }
                return true
            },
        ]
        let first = try (0..<3).map { _ in try say() }
        #expect(wait({ $0.count == 3 }, found) == first)
        // As on a server that was replaced by an older standby.
        try store.change("DELETE FROM notifications WHERE notification > 2")
        try store.change("UPDATE notification_counts SET last_notification = 2 WHERE last_notification > 2")
        try store.change("UPDATE devices SET acknowledged = 2 WHERE acknowledged > 2")
        // When Bob has received the second one, a whole look at the store has ended.
        for count in 1...2 {
            _ = try ada.publicDatabase.save(Record(type: "Note"))
            #expect(ofBob.withLock(when: { $0 >= count }, until: Deadline(in: 60)) { _ in true } == true)
        }
        let next = try say()
        #expect(wait({ $0.count >= 4 }, found) == first + [next])
        withExtendedLifetime(observations) {}
    }

    @Test func aRefusedNotificationComesAgainBeforeLaterOnes() throws {
        let found = Lock<[RecordID]>([])
        let observation = try ada.onNotification { notification in
            found.withLock { found in
                if let id = notification.recordID { found.append(id) }
                return found.count != 1
            }
        }
        let (first, second) = (try say(), try say())
        #expect(wait({ $0.count >= 3 }, found) == [first, first, second])
        observation.cancel()
        #expect(try ada.notifications().isEmpty)
    }

    @Test func whatAHandlerRefusedWaitsForTheNextOne() throws {
        let first = try say()
        let found = Lock<[RecordID]>([])
        do {
            let observation = try ada.onNotification { notification in
                found.withLock { if let id = notification.recordID { $0.append(id) } }
                return false
            }
            #expect(wait({ $0.count == 1 }, found) == [first])
            observation.cancel()
        }
        #expect(try ada.notifications().map(\.recordID) == [first])
    }

    @Test func aHandlerMayEndItsObservationAndCallTheService() throws {
        let kept = Lock<StoreObservation?>(nil)
        let found = Lock<[RecordID]>([])
        let session = ada
        kept.withLock { $0 = nil }
        let observation = try ada.onNotification { notification in
            _ = try? session.devices()
            kept.withLock { $0 }?.cancel()
            found.withLock { if let id = notification.recordID { $0.append(id) } }
            return true
        }
        kept.withLock { $0 = observation }
        let first = try say()
        #expect(wait({ !$0.isEmpty }, found) == [first])
        _ = try say()
        #expect(try ada.notifications(waitingFor: 60).count >= 1)
        #expect(found.withLock { $0 } == [first])
        kept.withLock { $0 = nil }
    }

    @Test func aSlowHandlerGetsNothingThatMayNotBeReadAnyMore() throws {
        let account = try store.account(of: ada)
        try store.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Reader;
            RECORD TYPE Message (room STRING, GRANT READ TO Reader, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
            """
        )
        try store.container.grantRole("Reader", to: account)
        for _ in 0..<5 { _ = try say() }
        store.service.makeNotifications()
        let found = Lock<[RecordID]>([])
        let container = store.container
        let observation = try ada.onNotification { notification in
            try? container.revokeRole("Reader", from: account)
            Thread.sleep(seconds: 0.15)
            found.withLock { if let id = notification.recordID { $0.append(id) } }
            return true
        }
        #expect(wait({ !$0.isEmpty }, found) != nil)
        // All five were read at once.
        _ = found.withLock(when: { $0.count > 1 }, until: Deadline(in: 1)) { _ in }
        observation.cancel()
        #expect(found.withLock { $0.count } == 1)
    }

    @Test func aStreamAcknowledgesWhenTheNextIsAskedFor() async throws {
        let first = try say()
        let second = try say()
        do {
            let stream = try await ada.notificationStream()
            var iterator = stream.makeAsyncIterator()
            #expect(await iterator.next()?.recordID == first)
            #expect(await iterator.next()?.recordID == second)
        }
        #expect(try await ada.notifications().map(\.recordID) == [second])
        let third = try say()
        let stream = try await ada.notificationStream()
        var found: [RecordID?] = []
        for await notification in stream {
            found.append(notification.recordID)
            if found.count == 2 { break }
        }
        #expect(found == [second, third])
    }

    @Test func aCancelledTaskEndsItsStream() async throws {
        let stream = try await ada.notificationStream()
        let task = Task {
            var count = 0
            for await _ in stream { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }

    @Test func aStreamTellsNothingThatMayNotBeReadAnyMore() async throws {
        try await store.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Reader;
            RECORD TYPE Message (GRANT READ TO Reader, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
            """
        )
        let account = try store.account(of: ada)
        try await store.container.grantRole("Reader", to: account)
        for _ in 0..<2 { _ = try say() }
        store.service.makeNotifications()
        let stream = try await ada.notificationStream()
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next()?.kind == .query)
        try await store.container.revokeRole("Reader", from: account)
        // Longer than what was read may be used.
        try await Task.sleep(nanoseconds: 200_000_000)
        // The next one that may be read is told, and not the one that was read before.
        let own = try await store.container.session(for: account, device: "laptop")
        let third = try say(own)
        #expect(await iterator.next()?.recordID == third)
    }

    @Test func aWatchOfAForgottenDeviceGoesOn() throws {
        let phone = try store.container.session(for: store.account(of: ada), device: "phone")
        try ada.publicDatabase.deleteSubscription("one")
        try phone.publicDatabase.save(Subscription(query: Query("Message"), options: .firesOnRecordCreation, id: "one"))
        let kinds = Lock<[SubscriptionNotification.Kind]>([])
        let observation = try phone.onNotification { notification in
            kinds.withLock { $0.append(notification.kind) }
            return true
        }
        try phone.removeDevice(named: "phone")
        #expect(kinds.withLock(when: { !$0.isEmpty }, until: Deadline(in: 60)) { $0 } == [.dropped])
        _ = try say()
        #expect(kinds.withLock(when: { $0.count > 1 }, until: Deadline(in: 60)) { $0 } == [.dropped, .query])
        observation.cancel()
    }

    @Test func manyNotificationsPassThroughAStream() async throws {
        let stream = try await ada.notificationStream()
        let operations = try (0..<400).map { _ in try RecordOperation.create(Record(type: "Message")) }
        for result in try await bob.publicDatabase.run(operations) { _ = try result.get() }
        var ids: Set<RecordID> = []
        for await notification in stream {
            if let id = notification.recordID { ids.insert(id) }
            if ids.count == 400 { break }
        }
        #expect(ids == Set(operations.map(\.id)))
    }

    @Test func aWaitingCallReturnsWhenSomethingComes() throws {
        #expect(try ada.notifications(waitingFor: 0).isEmpty)
        let found = Lock<[SubscriptionNotification]?>(nil)
        let session = ada
        #expect(
            Thread.start {
                let result = try? session.notifications(waitingFor: 60)
                found.withLock { $0 = result ?? [] }
            }
        )
        let id = try say()
        #expect(found.withLock(when: { $0 != nil }, until: Deadline(in: 90)) { $0?.map(\.recordID) } == [id])
    }

    @Test func aThousandSessionsAreServedInOneTransaction() throws {
        let account = try store.account(of: ada)
        let counts = Lock<[Int]>(Array(repeating: 0, count: 1_000))
        var observations: [StoreObservation] = []
        for index in 0..<1_000 {
            let session = try store.container.session(for: account)
            observations.append(
                try session.onNotification { _ in
                    counts.withLock { $0[index] += 1 }
                    return true
                }
            )
        }
        _ = try say()
        #expect(counts.withLock(when: { $0.allSatisfy { $0 == 1 } }, until: Deadline(in: 60)) { _ in true } == true)
        // While nothing comes, the number of reads depends on the time, and not on the number of sessions.
        let before = store.service.readCount
        let start = Deadline.now
        Thread.sleep(seconds: 2.5)
        let seconds = Double(Deadline.now - start) / 1e9
        #expect(Double(store.service.readCount - before) <= 20 * (seconds + 1))
        observations = []
        #expect(try store.number("SELECT count(*) FROM notifications") <= 1)
    }

    @Test func aServiceThatIsOpenForReadingDeliversNothing() throws {
        let reader = try Service.open(store.path, key: .file(TemporaryFolder.keyPath(of: store.path)), readOnly: true)
        let session = try reader.container("com.example.notes").session(for: reader.account(store.account(of: ada).id))
        expect(.permissionFailure) { _ = try session.onNotification { _ in true } }
    }
}
