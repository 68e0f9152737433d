import Kinfolk
import KinfolkModel
import KinfolkSubscriptions
import TestSupport
import Testing

/// Subscriptions whose record type changes.
@Suite("Subscriptions and schema changes") struct SubscribedSchemaTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        try store.container.addField("room", type: .string, to: "Message")
        try store.container.addField("stars", type: .int64, to: "Message")
    }

    private func say() throws {
        var message = try Record(type: "Message")
        try message.set("room", to: .string("garden"))
        _ = try bob.publicDatabase.save(message)
        store.service.makeNotifications()
    }

    @Test func aFieldThatWasRemovedAndAddedAgainFires() throws {
        let query = try Query("Message", where: QueryPredicate("room = 'garden'"))
        try ada.publicDatabase.save(Subscription(query: query, options: .firesOnRecordCreation, id: "one"))
        try store.container.removeField("room", from: "Message")
        try store.container.addField("room", type: .string, to: "Message")
        try say()
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
        #expect(try store.number("SELECT count(*) FROM notifications") == 1)
        #expect(try ada.notifications().count == 1)
        #expect(try store.service.check().isSound)
    }
}
