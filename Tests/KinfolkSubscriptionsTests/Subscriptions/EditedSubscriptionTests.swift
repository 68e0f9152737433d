import Kinfolk
import KinfolkModel
import KinfolkStorage
import KinfolkSubscriptions
import ServiceSupport
import TestSupport
import Testing

/// Rows of subscriptions that another program edited without the keys: the others are still told, and nothing crashes.
@Suite("Edited subscriptions") struct EditedSubscriptionTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        try store.container.addField("room", type: .string, to: "Message")
        for session in [ada, bob] {
            try session.publicDatabase.save(
                Subscription(query: Query("Message"), options: .firesOnRecordCreation, id: "one")
            )
        }
    }

    private func say(_ count: Int = 1) throws {
        let eve = try store.session("Eve")
        for _ in 0..<count {
            var message = try Record(type: "Message")
            try message.set("room", to: .string("garden"))
            _ = try eve.publicDatabase.save(message)
        }
        store.service.makeNotifications()
    }

    private var user: UserRecordID { get throws { try #require(ada.recordID) } }

    @Test func aShortSubscriberDoesNotStopTheOthers() throws {
        try store.change(
            "UPDATE subscriptions SET subscriber = $2 WHERE subscriber = $1",
            .id(user.value),
            .bytes([1])
        )
        try say()
        #expect(try bob.notifications().count == 1)
    }

    @Test func aShortKeyDoesNotStopTheOthers() throws {
        try store.change(
            "UPDATE subscription_keys SET key_tag = $2 WHERE subscriber = $1",
            .id(user.value),
            .bytes([1])
        )
        // So many that the keys are read into memory.
        try say(80)
        #expect(try bob.notifications(limit: 400).count == 80)
    }

    @Test(arguments: [Int64.max, Int64.max - 1, .min, -1])
    func anImpossibleCountDoesNotCrash(count: Int64) throws {
        try store.change(
            "UPDATE notification_counts SET last_notification = $2 WHERE owner = $1",
            .id(user.value),
            .integer(count)
        )
        try say(3)
        #expect(try bob.notifications().count == 3)
        _ = try? ada.notifications()
    }

    @Test(arguments: [Int64.max, .min, -1])
    func anImpossibleNumberOfForgottenDoesNotCrash(count: Int64) throws {
        try store.change(
            "UPDATE notification_counts SET forgotten = $2 WHERE owner = $1",
            .id(user.value),
            .integer(count)
        )
        try say(3)
        #expect(try bob.notifications().count == 3)
        if let last = try? ada.notifications().last { _ = try? ada.acknowledge(last) }
    }

    @Test(arguments: [Int64.min + 1, -1, 0])
    func aChangeAtAnImpossiblePlaceIsHandled(sequence: Int64) throws {
        store.service.fanOut.stop()
        var message = try Record(type: "Message")
        try message.set("room", to: .string("garden"))
        _ = try ada.publicDatabase.save(message)
        try store.change("UPDATE outbox SET sequence = $1", .integer(sequence))
        store.service.makeNotifications()
        #expect(try bob.notifications().count == 1)
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
    }

    @Test func aKeyInAnotherDatabaseTellsNothingOfIt() throws {
        // Ada is told of changes of the own database, and the store is edited so that those of Bob's are told too.
        try ada.privateDatabase.save(Subscription(databaseWithID: "all"))
        try bob.privateDatabase.save(Subscription(databaseWithID: "all"))
        let other = try store.container.session(for: store.account(of: ada))
        _ = try other.privateDatabase.save(Record(type: "Message"))
        store.service.makeNotifications()
        #expect(try ada.notifications().map(\.kind) == [.database])
        try store.change(
            """
            UPDATE subscription_keys SET number = (SELECT number FROM subscriptions WHERE owner = $1)
            WHERE owner = $2
            """,
            .id(user.value),
            .id(#require(bob.recordID).value)
        )
        let phone = try store.container.session(for: store.account(of: bob))
        _ = try phone.privateDatabase.save(Record(type: "Message"))
        store.service.makeNotifications()
        #expect(try ada.notifications().count == 1)
    }
}
