import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkStorage
import KinfolkSubscriptions
import ServiceSupport
import TestSupport
import Testing

/// Which notifications devices receive, and when they receive none.
@Suite("Notifications") struct NotificationTests {
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

    private func message(_ room: String, stars: Int64? = nil, id: RecordID = RecordID()) throws -> Record {
        var message = try Record(type: "Message", id: id)
        try message.set("room", to: .string(room))
        if let stars { try message.set("stars", to: .int64(stars)) }
        return message
    }

    private func subscribe(
        _ database: Database,
        _ text: String = "room = 'garden'",
        _ options: SubscriptionOptions = .firesOnRecordCreation,
        id: String = "one",
        keys: [String] = []
    ) throws {
        var subscription = try Subscription(
            query: Query("Message", where: QueryPredicate(text)),
            options: options,
            id: id
        )
        subscription.info.desiredKeys = keys
        try database.save(subscription)
    }

    /// What a session receives of the changes so far.
    private func received(_ session: Session) throws -> [SubscriptionNotification] {
        store.service.makeNotifications()
        return try session.notifications(limit: 400)
    }

    @Test func aNotificationTellsWhatTheSubscriptionWants() throws {
        var subscription = try Subscription(
            query: Query("Message", where: QueryPredicate("room = 'garden'")),
            options: .firesOnRecordCreation,
            id: "one"
        )
        subscription.info.alertBody = "A message"
        subscription.info.alertLocalizationArgs = ["room", "stars", "none"]
        subscription.info.desiredKeys = ["stars", "none"]
        try ada.publicDatabase.save(subscription)
        let saved = try bob.publicDatabase.save(message("Garden", stars: 3))
        _ = try bob.publicDatabase.save(message("kitchen"))
        let found = try received(ada)
        #expect(found.count == 1)
        let one = try #require(found.first)
        #expect(one.kind == .query)
        #expect(one.reason == .recordCreated)
        #expect(one.subscriptionID == "one")
        #expect(one.scope == .public)
        #expect(one.recordID == saved.id)
        #expect(one.recordType == "Message")
        #expect(one.fields == ["stars": .int64(3)])
        #expect(one.info.alertBody == "A message")
        #expect(one.info.alertLocalizationArgs == ["Garden", "3", ""])
    }

    @Test func creationsUpdatesAndDeletionsFireAsAsked() throws {
        try subscribe(ada.publicDatabase, "stars = 1", .firesOnRecordCreation, id: "created")
        try subscribe(ada.publicDatabase, "stars = 2", .firesOnRecordUpdate, id: "updated")
        try subscribe(ada.publicDatabase, "stars = 2", .firesOnRecordDeletion, id: "deleted")
        var saved = try bob.publicDatabase.save(message("a", stars: 1))
        #expect(try received(ada).map(\.subscriptionID) == ["created"])
        try saved.set("stars", to: .int64(2))
        saved = try bob.publicDatabase.save(saved)
        #expect(try received(ada).map(\.subscriptionID) == ["created", "updated"])
        try bob.publicDatabase.delete(saved.id)
        let found = try received(ada)
        // The record is gone, and so are the notifications of its states.
        #expect(found.map(\.subscriptionID) == ["deleted"])
        #expect(found.map(\.recordID) == [saved.id])
        #expect(found[0].reason == .recordDeleted)
        #expect(found[0].fields.isEmpty)
    }

    @Test func aDeviceIsNotToldOfItsOwnChanges() throws {
        let account = try store.account(of: ada)
        let (phone, laptop) = try (
            store.container.session(for: account, device: "phone"),
            store.container.session(for: account, device: "laptop")
        )
        let again = try store.container.session(for: account, device: "phone")
        try phone.privateDatabase.save(Subscription(databaseWithID: "all"))
        try subscribe(phone.publicDatabase)
        _ = try phone.privateDatabase.save(message("garden"))
        _ = try phone.publicDatabase.save(message("garden"))
        #expect(try received(laptop).count == 2)
        #expect(try received(phone).isEmpty)
        #expect(try received(again).isEmpty)
        _ = try laptop.publicDatabase.save(message("garden"))
        #expect(try received(laptop).count == 2)
        #expect(try received(phone).count == 1)
        #expect(try received(again).count == 1)
    }

    @Test func whatOneDeviceAcknowledgesStaysForTheOthers() throws {
        let account = try store.account(of: ada)
        let phone = try store.container.session(for: account, device: "phone")
        let laptop = try store.container.session(for: account, device: "laptop")
        try subscribe(phone.publicDatabase)
        for _ in 0..<3 { _ = try bob.publicDatabase.save(message("garden")) }
        let found = try received(phone)
        #expect(found.count == 3)
        try phone.acknowledge(found[1])
        #expect(try received(phone).map(\.recordID) == [found[2].recordID])
        #expect(try received(laptop).count == 3)
        #expect(try store.number("SELECT count(*) FROM notifications") == 3)
        try laptop.acknowledge(found[2])
        #expect(try store.number("SELECT count(*) FROM notifications") == 1)
        // An earlier one takes nothing back.
        try laptop.acknowledge(found[0])
        #expect(try received(laptop).isEmpty)
        try phone.acknowledge(through: NotificationID(bytes: found[2].id.bytes))
        #expect(try store.number("SELECT count(*) FROM notifications") == 0)
    }

    @Test func aForeignIDAcknowledgesNothing() throws {
        try subscribe(ada.publicDatabase)
        try subscribe(bob.publicDatabase)
        _ = try store.session("Eve").publicDatabase.save(message("garden"))
        let (mine, theirs) = (try received(ada)[0], try received(bob)[0])
        expect(.invalidArgument) { try ada.acknowledge(theirs) }
        expect(.invalidArgument) { try ada.acknowledge(through: NotificationID(bytes: [1, 2, 3])) }
        var bytes = mine.id.bytes
        bytes[bytes.count - 1] ^= 1
        expect(.invalidArgument) { try ada.acknowledge(through: NotificationID(bytes: bytes)) }
        #expect(try received(ada).count == 1)
    }

    @Test func anIDFromBeforeAPowerCutAcknowledgesNoOtherNotification() throws {
        try subscribe(ada.publicDatabase)
        _ = try bob.publicDatabase.save(message("garden"))
        let lost = try #require(received(ada).first)
        // A power cut takes what was not written durably.
        try store.change("DELETE FROM notifications")
        try store.change("UPDATE notification_counts SET last_notification = 0")
        let saved = try bob.publicDatabase.save(message("garden"))
        #expect(try received(ada).map(\.recordID) == [saved.id])
        try ada.acknowledge(lost)
        let found = try ada.notifications()
        #expect(found.map(\.recordID) == [saved.id])
        try ada.acknowledge(#require(found.first))
        #expect(try ada.notifications().isEmpty)
    }

    @Test func anOnceOnlySubscriptionEndsWithItsFirstNotification() throws {
        try subscribe(ada.publicDatabase, "TRUEPREDICATE", [.firesOnRecordCreation, .firesOnce], id: "once")
        for _ in 0..<2 { _ = try bob.publicDatabase.save(message("garden")) }
        #expect(try received(ada).count == 1)
        #expect(try ada.publicDatabase.subscriptions().isEmpty)
        _ = try bob.publicDatabase.save(message("garden"))
        #expect(try received(ada).count == 1)
        #expect(try store.service.check().isSound)
    }

    @Test func whatHasFiredOnceIsForgottenByTheIndexInMemory() throws {
        try subscribe(ada.publicDatabase, "room = 'garden'", [.firesOnRecordCreation, .firesOnce])
        // So many that the keys are read into memory.
        let others = try (0..<400).map { _ in try RecordOperation.create(message("attic")) }
        for result in try bob.publicDatabase.run(others) { _ = try result.get() }
        for _ in 0..<5 {
            _ = try bob.publicDatabase.save(message("garden"))
            store.service.makeNotifications()
        }
        #expect(try ada.notifications().count == 1)
        #expect(try store.number("SELECT max(last_notification) FROM notification_counts") == 1)
    }

    @Test func aDeletedSubscriptionTakesItsNotificationsAlong() throws {
        try subscribe(ada.publicDatabase)
        try subscribe(ada.publicDatabase, id: "two")
        _ = try bob.publicDatabase.save(message("garden"))
        #expect(try received(ada).count == 2)
        try ada.publicDatabase.deleteSubscription("one")
        #expect(try received(ada).map(\.subscriptionID) == ["two"])
        try ada.publicDatabase.deleteSubscription("two")
        #expect(try received(ada).isEmpty)
        _ = try bob.publicDatabase.save(message("garden"))
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
        #expect(try store.number("SELECT count(*) FROM outbox_readers") == 0)
    }

    @Test func zonesAndDatabasesAreToldOfTheirChanges() throws {
        let laptop = try store.container.session(for: store.account(of: ada), device: "laptop")
        let database = ada.privateDatabase
        try database.save(RecordZone("Notes"))
        try laptop.privateDatabase.save(Subscription(zone: "Notes", id: "zone"))
        try laptop.privateDatabase.save(Subscription(databaseWithID: "database"))
        func told() throws -> [String?] {
            let found = try received(laptop)
            if let last = found.last { try laptop.acknowledge(last) }
            return found.map { $0.subscriptionID }.sorted { ($0 ?? "") < ($1 ?? "") }
        }
        _ = try database.save(message("a"))
        #expect(try told() == ["database"])
        let saved = try database.save(message("a", id: RecordID("one", zone: "Notes")))
        #expect(try told() == ["database", "zone"])
        try database.delete(saved.id)
        #expect(try told() == ["database", "zone"])
        try database.save(RecordZone("Other"))
        #expect(try told() == ["database"])
        // The changes of a batch are told once.
        let batch = try (0..<20).map { try RecordOperation.create(message("a", id: RecordID("\($0)", zone: "Notes"))) }
        _ = try database.run(batch)
        #expect(try told() == ["database", "zone"])
        try database.deleteZone("Notes")
        #expect(try told() == ["database", "zone"])
        try database.save(RecordZone("Notes"))
        #expect(try told() == ["database", "zone"])
        #expect(try store.service.check().isSound)
    }

    @Test func whatMayNotBeReadIsNotTold() throws {
        try store.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor; CREATE ROLE Reader;
            RECORD TYPE Message (GRANT READ, CREATE, WRITE TO Editor, GRANT READ TO Reader, GRANT READ TO "_creator", GRANT CREATE TO "_icloud");
            """
        )
        let eve = try store.session("Eve")
        for session in [ada, eve] { try store.container.grantRole("Reader", to: store.account(of: session)) }
        for session in [ada, bob, eve] { try subscribe(session.publicDatabase, "room = 'garden'", .events) }
        _ = try store.container.session(for: store.account(of: bob), device: "phone")
        try store.container.revokeRole("Reader", from: store.account(of: eve))
        let saved = try bob.publicDatabase.save(message("garden"))
        #expect(try received(ada).map(\.recordID) == [saved.id])
        #expect(try received(eve).isEmpty)
        // The creator may read it, on another device.
        let phone = try store.container.session(for: store.account(of: bob), device: "phone")
        #expect(try received(phone).map(\.recordID) == [saved.id])
        // What was read is not told any more when the right is gone.
        try store.container.revokeRole("Reader", from: store.account(of: ada))
        #expect(try received(ada).isEmpty)
        // What was left out once is left out for ever.
        try store.container.grantRole("Reader", to: store.account(of: ada))
        #expect(try received(ada).isEmpty)
        try store.container.grantRole("Editor", to: store.account(of: eve))
        try eve.publicDatabase.delete(saved.id)
        #expect(try received(ada).map(\.reason) == [.recordDeleted])
        try store.container.revokeRole("Reader", from: store.account(of: ada))
        #expect(try received(ada).isEmpty)
    }

    @Test func aSuspendedUserWaitsAndAnErasedOneIsForgotten() throws {
        let account = try store.account(of: ada)
        let phone = try store.container.session(for: account, device: "phone")
        try subscribe(phone.publicDatabase)
        try account.suspend()
        let saved = try bob.publicDatabase.save(message("garden"))
        expect(.notAuthenticated) { _ = try received(phone) }
        try account.resume()
        #expect(try received(phone).map(\.recordID) == [saved.id])
        _ = try account.erase()
        for table in ["subscriptions", "subscription_keys", "devices", "notifications", "notification_counts"] {
            let count = try store.service.read { db in
                try db.using(composed: "SELECT count(*) FROM \(table)", []) { try $0.step() ? $0.integer(0) : -1 }
            }
            #expect(count == 0, "\(table)")
        }
        _ = try bob.publicDatabase.save(message("garden"))
        expect(.notAuthenticated) { _ = try received(phone) }
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
        #expect(try store.service.check().isSound)
    }

    @Test func nothingIsToldOfThoseWhoLeft() throws {
        try subscribe(ada.publicDatabase, "TRUEPREDICATE", .events)
        let eve = try store.session("Eve")
        let (kept, deleted) = try (
            eve.publicDatabase.save(message("garden")), eve.publicDatabase.save(message("garden"))
        )
        let changed = try bob.publicDatabase.save(message("garden"))
        try eve.publicDatabase.delete(deleted.id)
        store.service.makeNotifications()
        _ = try store.account(of: eve).erase()
        let found = try received(ada)
        #expect(!found.contains { $0.recordID == kept.id || $0.recordID == deleted.id })
        #expect(found.map(\.recordID) == [changed.id])
    }

    @Test func tooManyAreDroppedAndThatIsTold() throws {
        let phone = try store.container.session(for: store.account(of: ada), device: "phone")
        try subscribe(phone.publicDatabase)
        func save(_ count: Int) throws {
            for start in stride(from: 0, to: count, by: 400) {
                let batch = try (start..<min(count, start + 400)).map { _ in
                    try RecordOperation.create(message("garden"))
                }
                for result in try bob.publicDatabase.run(batch) { _ = try result.get() }
            }
        }
        try save(1_000)
        #expect(try received(phone).first?.kind == .query)
        try save(1)
        var found = try received(phone)
        #expect(found[0].kind == .dropped)
        #expect(found[0].subscriptionID == nil)
        #expect(try store.number("SELECT count(*) FROM notifications") == 1_000)
        var count = -1
        while let last = found.last {
            count += found.count
            try phone.acknowledge(last)
            found = try received(phone)
        }
        #expect(count == 1_000)
        #expect(try store.number("SELECT count(*) FROM notifications") == 0)
    }

    @Test func aChangeMayConcernManySubscriptions() throws {
        let users = try (0..<3).map { try store.session("User \($0)") }
        for user in users {
            _ = try store.container.session(for: store.account(of: user), device: "phone")
            for number in 0..<1_000 { try subscribe(user.publicDatabase, "stars >= 5", id: "\(number)") }
        }
        for stars in [1, 7, 2] { _ = try bob.publicDatabase.save(message("garden", stars: Int64(stars))) }
        store.service.makeNotifications()
        for user in users {
            var ids: Set<String> = []
            while true {
                let found = try user.notifications(limit: 400)
                guard let last = found.last else { break }
                for one in found { #expect(ids.insert(one.subscriptionID ?? "").inserted) }
                try user.acknowledge(last)
            }
            #expect(ids.count == 1_000)
        }
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
    }

    @Test func aBusyContainerKeepsNoOtherWaiting() throws {
        let other = try store.service.createContainer("com.example.chess")
        try other.addField("room", type: .string, to: "Message")
        let accounts = try [ada, bob].map(store.account(of:))
        let (reader, writer) = try (other.session(for: accounts[0]), other.session(for: accounts[1]))
        try subscribe(ada.publicDatabase)
        try subscribe(reader.publicDatabase)
        store.service.fanOut.stop()
        for _ in 0..<2 {
            let batch = try (0..<400).map { _ in try RecordOperation.create(message("garden")) }
            for result in try bob.publicDatabase.run(batch) { _ = try result.get() }
        }
        _ = try writer.publicDatabase.save(message("garden"))
        for _ in 0..<2 { #expect(try store.service.fanOut.runBatch(store.service, until: nil, isEnding: true)) }
        #expect(try reader.notifications().count == 1)
    }

    @Test func argumentsOfTextsAreCut() throws {
        var subscription = try Subscription(query: Query("Message"), options: .firesOnRecordCreation, id: "one")
        let keys = [String](repeating: "room", count: 20)
        subscription.info.alertLocalizationArgs = keys
        subscription.info.titleLocalizationArgs = keys
        try ada.publicDatabase.save(subscription)
        for _ in 0..<3 { _ = try bob.publicDatabase.save(message("a" + String(repeating: "\u{e9}", count: 100_000))) }
        let found = try received(ada)
        #expect(found.count == 3)
        for text in found.flatMap({ $0.info.alertLocalizationArgs + $0.info.titleLocalizationArgs }) {
            #expect(text == "a" + String(repeating: "\u{e9}", count: 511))
        }
    }

    @Test(arguments: [false, true]) func aForgottenDeviceIsToldAlsoIfItSubscribesFirst(isNamed: Bool) throws {
        let session = try isNamed ? store.container.session(for: store.account(of: ada), device: "phone") : ada
        try subscribe(session.publicDatabase)
        if isNamed {
            try ada.removeDevice(named: "phone")
        } else {
            store.clock.advance(seconds: 86_401)
            try DeviceExpiry.run(store.service)
        }
        try subscribe(session.publicDatabase, id: "two")
        _ = try bob.publicDatabase.save(message("garden"))
        let found = try received(session)
        #expect(found.map(\.kind) == [.dropped, .query, .query])
        try session.acknowledge(#require(found.first))
        #expect(try received(session).map(\.kind) == [.query, .query])
    }

    @Test func aSessionWithoutANameIsForgottenAndTold() throws {
        try subscribe(ada.publicDatabase)
        store.clock.advance(seconds: 86_401)
        try DeviceExpiry.run(store.service)
        _ = try bob.publicDatabase.save(message("garden"))
        #expect(try received(ada).map(\.kind) == [.dropped])
        let saved = try bob.publicDatabase.save(message("garden"))
        // Until it is acknowledged.
        let found = try received(ada)
        #expect(found.map(\.kind) == [.dropped, .query])
        try ada.acknowledge(#require(found.first))
        #expect(try received(ada).map(\.recordID) == [saved.id])
    }

    @Test func aRecordThatWasMadeAgainIsToldAfterItsDeletion() throws {
        try subscribe(ada.publicDatabase, "TRUEPREDICATE", .events)
        let id = try RecordID("name")
        _ = try bob.publicDatabase.save(message("garden", id: id))
        try bob.publicDatabase.delete(id)
        _ = try bob.publicDatabase.save(message("garden", id: id))
        let found = try received(ada)
        #expect(found.first?.reason == .recordDeleted)
        #expect(found.last?.reason == .recordCreated)
    }

    @Test func servicesThatWriteTheSameRecordKeepItsOrder() throws {
        try subscribe(ada.publicDatabase, "TRUEPREDICATE", .events)
        let other = try store.reopened()
        other.fanOut.stop()
        store.service.fanOut.stop()
        let elsewhere = try other.container("com.example.notes").session(for: other.account(store.account(of: bob).id))
        for _ in 0..<20 {
            var saved = try bob.publicDatabase.save(message("garden"))
            try saved.set("stars", to: .int64(1))
            _ = try elsewhere.publicDatabase.save(elsewhere.publicDatabase.fetch(saved.id).changed("stars", .int64(2)))
        }
        other.makeNotifications()
        store.service.makeNotifications()
        var states: [RecordID: [SubscriptionNotification.Reason]] = [:]
        for one in try ada.notifications(limit: 400) {
            if let id = one.recordID, let reason = one.reason { states[id, default: []].append(reason) }
        }
        #expect(states.count == 20)
        for reasons in states.values { #expect(reasons == [.recordCreated, .recordUpdated]) }
    }

    @Test func aLaneThatWaitedForAnotherGoesOnWhenThatIsEmpty() throws {
        try subscribe(ada.publicDatabase, "TRUEPREDICATE", .events)
        store.service.fanOut.stop()
        var other = try store.reopened()
        while other.lane == store.service.lane { other = try store.reopened() }
        other.fanOut.stop()
        let elsewhere = try other.container("com.example.notes").session(for: other.account(store.account(of: bob).id))
        let id = try elsewhere.publicDatabase.save(message("garden")).id
        other.fanOut.stop()
        _ = try bob.publicDatabase.save(bob.publicDatabase.fetch(id).changed("stars", .int64(2)))
        store.service.fanOut.stop()
        #expect(
            try store.service.fanOut.runBatch(
                store.service,
                until: nil,
                isEnding: true,
                betweenReadings: { other.makeNotifications() }
            )
        )
        store.service.makeNotifications()
        #expect(try ada.notifications().map(\.reason) == [.recordCreated, .recordUpdated])
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
    }

    @Test func changesOfAServiceThatEndedAreFoundByAnother() throws {
        try subscribe(ada.publicDatabase)
        do {
            // It writes changes, and takes none.
            let gone = try TestService.withoutFanOut(store)
            let session = try gone.container("com.example.notes").session(for: gone.account(store.account(of: bob).id))
            _ = try session.publicDatabase.save(message("garden"))
        }
        #expect(try ada.notifications(waitingFor: 60).count == 1)
    }
}

extension Record {
    fileprivate func changed(_ key: String, _ value: FieldValue) throws -> Record {
        var record = self
        try record.set(key, to: value)
        return record
    }
}

extension SubscriptionOptions {
    fileprivate static let events: SubscriptionOptions = [
        .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
}
