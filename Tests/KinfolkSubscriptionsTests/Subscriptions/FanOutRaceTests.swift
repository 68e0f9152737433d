import Kinfolk
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// What others do between the transaction in which a fan-out reads changes, and the one in which it writes notifications.
@Suite("Fan-out and what happens meanwhile") struct FanOutRaceTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session

    init() throws {
        store = try TestService()
        store.service.fanOut.stop()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        try store.container.addField("room", type: .string, to: "Message")
    }

    private func subscribe(
        _ session: Session,
        _ predicate: String = "TRUEPREDICATE",
        _ options: SubscriptionOptions = [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion]
    ) throws {
        let query = try Query("Message", where: QueryPredicate(predicate))
        try session.publicDatabase.save(Subscription(query: query, options: options, id: "one"))
    }

    private func say(_ session: Session, _ room: String = "garden") throws -> RecordID {
        var message = try Record(type: "Message")
        try message.set("room", to: .string(room))
        return try session.publicDatabase.save(message).id
    }

    /// Fans out, with something done meanwhile the first time.
    private func fanOut(_ meanwhile: () throws -> Void) throws {
        var isFirst = true
        var batches = 0
        while try store.service.fanOut.runBatch(
            store.service,
            until: nil,
            isEnding: true,
            beforeWriting: {
                if isFirst { try meanwhile() }
                isFirst = false
            }
        ) {
            batches += 1
            try #require(batches < 100, "It goes round in circles.")
        }
        #expect(!isFirst)
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
    }

    @Test func anErasedSubscriberLeavesNothing() throws {
        try subscribe(ada)
        try subscribe(bob)
        let saved = try say(store.session("Eve"))
        try fanOut { _ = try store.account(of: ada).erase() }
        #expect(try store.number("SELECT count(*) FROM notification_counts") == 1)
        #expect(try bob.notifications().map(\.recordID) == [saved])
        #expect(try store.service.check().isSound)
    }

    @Test func aDeletionByAPersonWhoIsErasedIsNotTold() throws {
        try subscribe(ada)
        let eve = try store.session("Eve")
        let gone = try say(eve)
        try eve.publicDatabase.delete(gone)
        try fanOut { _ = try store.account(of: eve).erase() }
        #expect(try store.number("SELECT count(*) FROM notifications") == 0)
        #expect(try ada.notifications().isEmpty)
    }

    @Test func notificationsAreSealedUnderTheNewestKeys() throws {
        try subscribe(ada)
        let saved = try say(bob)
        try fanOut { _ = try store.service.rotateKeys() }
        #expect(try ada.notifications().map(\.recordID) == [saved])
        #expect(try store.service.check().isSound)
    }

    @Test func aSubscriptionThatWasReplacedIsNotEndedByTheFormerOne() throws {
        try subscribe(ada, "room = 'garden'", [.firesOnRecordCreation, .firesOnce])
        _ = try say(bob)
        _ = try say(bob)
        try fanOut { try subscribe(ada, "room = 'kitchen'", [.firesOnRecordCreation, .firesOnce]) }
        #expect(try ada.publicDatabase.subscriptions().count == 1)
        #expect(try ada.notifications().count == 1)
        let kitchen = try say(bob, "kitchen")
        try fanOut {}
        #expect(try ada.publicDatabase.subscriptions().isEmpty)
        #expect(try ada.notifications().last?.recordID == kitchen)
    }

    @Test func aSubscriptionThatFiresOnceDoesSoWhileKeysAreRotated() throws {
        try subscribe(ada, "TRUEPREDICATE", [.firesOnRecordCreation, .firesOnce])
        _ = try say(bob)
        _ = try say(bob)
        try fanOut { _ = try store.service.rotateKeys() }
        #expect(try ada.notifications().count == 1)
    }

    @Test func aDeletedContainerLeavesNothing() throws {
        try subscribe(ada)
        _ = try say(bob)
        let other = try store.service.createContainer("com.example.other")
        let (carol, dave) = try (store.session("Carol", in: other), store.session("Dave", in: other))
        try other.addField("room", type: .string, to: "Message")
        try subscribe(carol)
        let saved = try say(dave)
        try fanOut { _ = try store.service.deleteContainer("com.example.notes") }
        #expect(try carol.notifications().map(\.recordID) == [saved])
        #expect(try store.number("SELECT count(*) FROM notification_counts") == 1)
        #expect(try store.service.check().isSound)
    }

    @Test func aThreadThatEndsItselfDoesNotWaitForItself() throws {
        let thread = BatchThread()
        let hasEnded = Lock(false)
        thread.start { _ in
            thread.stop()
            hasEnded.withLock { $0 = true }
            return false
        }
        let isOver: Void? = hasEnded.withLock(when: { $0 }, until: Deadline(in: 20)) { _ in }
        #expect(isOver != nil)
    }

    @Test func whoLosesTheRightMeanwhileIsToldNothing() throws {
        let account = try store.account(of: ada)
        try store.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Reader;
            RECORD TYPE Message (room STRING, GRANT READ TO Reader, GRANT READ, WRITE TO "_creator", GRANT CREATE TO "_icloud");
            """
        )
        try store.container.grantRole("Reader", to: account)
        try subscribe(ada)
        let gone = try say(bob)
        try bob.publicDatabase.delete(gone)
        _ = try say(bob)
        try fanOut { try store.container.revokeRole("Reader", from: account) }
        #expect(try ada.notifications().isEmpty)
    }
}
