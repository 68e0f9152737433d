import Kinfolk
import KinfolkModel
import KinfolkSubscriptions
import TestSupport
import Testing

/// What a session does whose device was removed.
@Suite("Removed devices") struct RemovedDeviceTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session
    private let account: Account

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        account = try store.account(of: ada)
        try store.container.addField("room", type: .string, to: "Message")
    }

    private func say() throws -> RecordID {
        var message = try Record(type: "Message")
        try message.set("room", to: .string("garden"))
        let id = try bob.publicDatabase.save(message).id
        store.service.makeNotifications()
        return id
    }

    @Test func theFirstDropIsAcknowledged() throws {
        let phone = try store.container.session(for: account, device: "phone")
        try ada.removeDevice(named: "phone")
        let dropped = try #require(try phone.notifications().first)
        #expect(dropped.kind == .dropped)
        try phone.acknowledge(dropped)
        #expect(try phone.notifications().isEmpty)
    }

    @Test func theFormerSessionOfADeviceThatWasMadeAgainIsSignedOut() throws {
        let former = try store.container.session(for: account, device: "phone")
        try former.publicDatabase.save(
            Subscription(query: Query("Message"), options: .firesOnRecordCreation, id: "one")
        )
        try ada.removeDevice(named: "phone")
        let again = try store.container.session(for: account, device: "phone")
        let saved = try say()
        #expect(try again.notifications().map(\.recordID) == [saved])
        expect(.notAuthenticated) { try former.notifications() }
        expect(.notAuthenticated) { try former.privateDatabase.save(Subscription(databaseWithID: "two")) }
        #expect(try again.notifications().map(\.recordID) == [saved])
        #expect(try ada.devices().filter { $0.name == "phone" }.count == 1)
    }
}
