import Kinfolk
import KinfolkModel
import KinfolkSubscriptions
import ServiceSupport
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

    @Test(arguments: [false, true]) func whatWasDeclaredAgainAfterARotationFires(isType: Bool) throws {
        let query = try Query("Message", where: QueryPredicate("room = 'garden'"))
        try ada.publicDatabase.save(Subscription(query: query, options: .firesOnRecordCreation, id: "one"))
        if isType {
            try store.container.applySchema("DEFINE SCHEMA", removesMissing: true)
        } else {
            try store.container.removeField("room", from: "Message")
        }
        _ = try store.service.rotateKeys()
        #expect(try store.service.check().isSound)
        try store.container.addField("room", type: .string, to: "Message")
        try say()
        #expect(try ada.notifications().count == 1)
        #expect(try store.service.check().isSound)
    }

    @Test func aDeletionIsToldOfAZoneAlsoIfItsTypeIsGone() throws {
        let phone = try store.container.session(for: store.account(of: ada), device: "phone")
        try ada.privateDatabase.save(RecordZone("Notes"))
        let id = try RecordID("note", zone: "Notes")
        _ = try ada.privateDatabase.save(Record(type: "Message", id: id))
        store.service.makeNotifications()
        try phone.privateDatabase.save(Subscription(zone: "Notes", id: "zone"))
        store.service.fanOut.stop()
        try ada.privateDatabase.delete(id)
        store.service.fanOut.stop()
        try store.container.applySchema("DEFINE SCHEMA", removesMissing: true)
        store.service.makeNotifications()
        #expect(try phone.notifications().map(\.zone) == ["Notes"])
    }
}
