import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions
import KinfolkThreads
import ServiceSupport
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

    @Test func aLimitedNumberOfForgottenDevicesIsRemembered() {
        let (notes, first) = (store.service.hub.devices, RandomID.make())
        notes.noteRegistered(first, isNew: true, named: "phone")
        #expect(notes.isLost(first))
        for _ in 0..<100_000 { notes.noteRegistered(RandomID.make(), isNew: true, named: "phone") }
        #expect(!notes.isLost(first))
    }

    @Test func theFirstDropIsAcknowledged() throws {
        let phone = try store.container.session(for: account, device: "phone")
        try ada.removeDevice(named: "phone")
        let dropped = try #require(try phone.notifications().first)
        #expect(dropped.kind == .dropped)
        try phone.acknowledge(dropped)
        #expect(try phone.notifications().isEmpty)
    }

    @Test func aWaitingCallIsToldOfTheRemoval() throws {
        let phone = try store.container.session(for: account, device: "phone")
        #expect(try phone.notifications().isEmpty)
        let found = Lock<[SubscriptionNotification.Kind]?>(nil)
        let hasStarted = Thread.start {
            let page = try? phone.notifications(waitingFor: 60)
            found.withLock { $0 = page?.map(\.kind) ?? [] }
        }
        #expect(hasStarted)
        // Most times the call waits by now. If not, it finds that the device is gone.
        Thread.sleep(seconds: 0.2)
        try ada.removeDevice(named: "phone")
        #expect(found.withLock(when: { $0 != nil }, until: Deadline(in: 60)) { $0 } == [.dropped])
    }

    @Test func aNewDeviceTakesThePlaceOfTheSessionThatWasSilentForLongest() throws {
        #expect(try ada.notifications().isEmpty)
        let (container, owner) = (store.container.number, try #require(ada.recordID))
        store.clock.advance(seconds: 60)
        let expiry = store.clock.now.adding(seconds: 86_400).microseconds
        try store.service.write { db in
            try db.execute(
                """
                INSERT INTO devices (container_id, owner, device, name_tag, acknowledged, expires_at, sealed_name)
                VALUES ($1, $2, $3, $4, 0, $5, NULL)
                """,
                for: 1..<2_000
            ) { _ in
                [.integer(container), .id(owner.value), .id(.make()), .bytes([]), .integer(expiry)]
            }
        }
        let phone = try store.container.session(for: account, device: "phone")
        #expect(try ada.devices().count == 2_000)
        #expect(try ada.devices().first?.name == "phone")
        // The session that was there first.
        #expect(try ada.notifications().map(\.kind) == [.dropped])
        try store.change("UPDATE devices SET expires_at = 0")
        expect(.limitExceeded) { try store.container.session(for: account, device: "laptop") }
        withExtendedLifetime(phone) {}
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
