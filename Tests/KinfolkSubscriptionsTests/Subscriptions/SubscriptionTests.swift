import Kinfolk
import KinfolkModel
import KinfolkSubscriptions
import ServiceSupport
import TestSupport
import Testing

/// What users save, list, change and delete.
@Suite("Subscriptions") struct SubscriptionTests {
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

    private func query(_ text: String = "TRUEPREDICATE", _ arguments: FieldValue...) throws -> Query {
        try Query("Message", where: QueryPredicate(text, arguments: arguments))
    }

    @Test func eachKindIsSavedWithAllItsParts() throws {
        try ada.privateDatabase.save(RecordZone("Notes"))
        var one = try Subscription(
            query: query("room = %@ AND stars IN %@", .string("garden"), .int64List([1, 2])),
            inZone: "Notes",
            options: [.firesOnRecordUpdate, .firesOnce],
            id: "one"
        )
        one.info.alertBody = "Hello"
        one.info.alertLocalizationKey = "key"
        one.info.alertLocalizationArgs = ["room"]
        one.info.title = "Title"
        one.info.titleLocalizationKey = "title key"
        one.info.titleLocalizationArgs = ["stars"]
        one.info.subtitle = "Subtitle"
        one.info.subtitleLocalizationKey = "subtitle key"
        one.info.subtitleLocalizationArgs = ["room", "stars"]
        one.info.alertActionLocalizationKey = "action"
        one.info.alertLaunchImage = "image"
        one.info.soundName = "bell"
        one.info.desiredKeys = ["stars", "room"]
        one.info.shouldBadge = true
        one.info.shouldSendContentAvailable = true
        one.info.shouldSendMutableContent = true
        one.info.category = "category"
        one.info.collapseIDKey = "collapse"
        let two = try Subscription(zone: "Notes", id: "two")
        let three = try Subscription(databaseWithID: "three")
        for subscription in [three, one, two] { try ada.privateDatabase.save(subscription) }
        let found = try ada.privateDatabase.subscriptions()
        #expect(found.map(\.id) == ["one", "three", "two"])
        #expect(found[0] == one)
        #expect(found[0].query?.predicate.arguments == one.query?.predicate.arguments)
        #expect(found[1] == three)
        #expect(found[2] == two)
        #expect(try ada.privateDatabase.subscription("one") == one)
        #expect(found.map(\.type) == [.query, .database, .recordZone])
    }

    @Test func referencesToOtherZonesKeepTheirZones() throws {
        try store.container.addField("target", type: .reference, to: "Message")
        let reference = try Reference(RecordID("there", zone: "Notes"), action: .none)
        let list = try FieldValue.referenceList([Reference(RecordID("here"), action: .none), reference])
        let subscription = try Subscription(
            query: query("target = %@ OR target IN %@", .reference(reference), list),
            options: .firesOnRecordCreation,
            id: "one"
        )
        try ada.privateDatabase.save(subscription)
        #expect(try ada.privateDatabase.subscription("one") == subscription)
    }

    @Test func theyBelongToTheUserInOneDatabase() throws {
        let subscription = try Subscription(query: query(), options: .firesOnRecordCreation, id: "one")
        try ada.publicDatabase.save(subscription)
        #expect(try ada.privateDatabase.subscriptions().isEmpty)
        #expect(try bob.publicDatabase.subscriptions().isEmpty)
        let phone = try store.container.session(for: store.account(of: ada), device: "phone")
        #expect(try phone.publicDatabase.subscriptions().map(\.id) == ["one"])
        expect(.unknownItem) { try bob.publicDatabase.deleteSubscription("one") }
        expect(.unknownItem) { try bob.publicDatabase.subscription("one") }
        try phone.publicDatabase.deleteSubscription("one")
        #expect(try ada.publicDatabase.subscriptions().isEmpty)
        expect(.unknownItem) { try ada.publicDatabase.deleteSubscription("one") }
    }

    @Test func aSavedOneReplacesThatWithItsID() throws {
        try ada.publicDatabase.save(Subscription(query: query("stars = 1"), options: .firesOnRecordCreation, id: "one"))
        let new = try Subscription(query: query("stars = 2"), options: .firesOnRecordUpdate, id: "one")
        try ada.publicDatabase.save(new)
        #expect(try ada.publicDatabase.subscriptions() == [new])
        #expect(try store.number("SELECT count(*) FROM subscription_keys") == 1)
        #expect(try store.service.check().isSound)
    }

    @Test func whatCannotBeSubscribedToIsRefused() throws {
        let (database, one) = (ada.publicDatabase, SubscriptionOptions.firesOnRecordCreation)
        expect(.unknownItem) { try database.save(Subscription(query: Query("Nothing"), options: one)) }
        expect(.invalidArgument) { try database.save(Subscription(query: query("none = 1"), options: one)) }
        expect(.invalidArgument) { try database.save(Subscription(query: query("stars = 'a'"), options: one)) }
        expect(.invalidArgument) { try database.save(Subscription(zone: "Notes")) }
        expect(.invalidArgument) { try database.save(Subscription(databaseWithID: nil)) }
        expect(.zoneNotFound) { try database.save(Subscription(query: query(), inZone: "Notes", options: one)) }
        expect(.zoneNotFound) { try ada.privateDatabase.save(Subscription(zone: "Notes")) }
        expect(.invalidArgument) { _ = try Subscription(query: query(), options: .firesOnce) }
        expect(.invalidArgument) { _ = try Subscription(query: query(), options: []) }
        expect(.invalidArgument) { _ = try Subscription(query: query(), options: SubscriptionOptions(rawValue: 17)) }
        expect(.invalidArgument) { _ = try Subscription(query: query(), options: one, id: "") }
        expect(.invalidArgument) { _ = try Subscription(query: query(), options: one, id: "\u{e9}") }
        expect(.invalidArgument) { _ = try Subscription(zone: RecordZone.defaultName) }
        let sorted = try Query("Message", sortedBy: [.ascending("stars")])
        expect(.invalidArgument) { _ = try Subscription(query: sorted, options: one) }
        expect(.notAuthenticated) {
            try store.container.anonymousSession().publicDatabase.save(Subscription(query: query(), options: one))
        }
        var large = try Subscription(
            query: query("room = %@", .string(String(repeating: "a", count: 20_000))),
            options: one
        )
        expect(.limitExceeded) { try database.save(large) }
        large = try Subscription(query: query(), options: one)
        large.info.alertBody = String(repeating: "a", count: 4_097)
        expect(.limitExceeded) { try database.save(large) }
        large.info.alertBody = ""
        large.info.desiredKeys = ["1"]
        expect(.invalidArgument) { try database.save(large) }
        try store.account(of: ada).suspend()
        expect(.notAuthenticated) { try database.save(Subscription(query: query(), options: one)) }
        #expect(try store.number("SELECT count(*) FROM subscriptions") == 0)
    }

    @Test func aTypeThatNobodyMayReadCannotBeSubscribedTo() throws {
        try store.container.applySchema(
            "DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Message (GRANT READ TO Editor, GRANT CREATE TO \"_icloud\");"
        )
        let subscription = try Subscription(query: query(), options: .firesOnRecordCreation)
        expect(.permissionFailure) { try ada.publicDatabase.save(subscription) }
        try ada.privateDatabase.save(subscription)
        try store.container.grantRole("Editor", to: store.account(of: ada))
        try ada.publicDatabase.save(subscription)
    }

    @Test func aUserHasALimitedNumber() throws {
        for number in 0..<Database.maximumSubscriptions {
            try ada.privateDatabase.save(Subscription(databaseWithID: "\(number)"))
        }
        expect(.limitExceeded) { try ada.privateDatabase.save(Subscription(databaseWithID: "more")) }
        try ada.privateDatabase.save(Subscription(databaseWithID: "7"))
        try ada.publicDatabase.save(Subscription(query: query(), options: .firesOnRecordCreation))
        try bob.privateDatabase.save(Subscription(databaseWithID: "more"))
    }

    @Test func devicesAreListedAndForgotten() throws {
        let account = try store.account(of: ada)
        let phone = try store.container.session(for: account, device: "phone")
        _ = try store.container.session(for: account, device: "laptop")
        _ = try store.container.session(for: account, device: "phone")
        _ = try store.container.session(for: store.account(of: bob), device: "phone")
        #expect(try phone.devices().map(\.name) == ["laptop", "phone"])
        #expect(try phone.devices().map(\.isCurrent) == [false, true])
        _ = try ada.notifications()
        #expect(try ada.devices().map(\.name) == ["laptop", "phone", nil])
        try ada.removeDevice(named: "phone")
        expect(.unknownItem) { try ada.removeDevice(named: "phone") }
        #expect(try ada.devices().map(\.name) == ["laptop", nil])
        expect(.invalidArgument) { _ = try store.container.session(for: account, device: "") }
        store.clock.advance(seconds: 86_401)
        try DeviceExpiry.run(store.service)
        #expect(try phone.devices().map(\.name) == ["laptop"])
    }

    @Test(arguments: [false, true]) func rotationKeepsThem(isLeaked: Bool) throws {
        let subscription = try Subscription(
            query: query("room = %@", .string("garden")),
            options: .firesOnRecordCreation,
            id: "one"
        )
        try ada.publicDatabase.save(subscription)
        let phone = try store.container.session(for: store.account(of: ada), device: "phone")
        var message = try Record(type: "Message")
        try message.set("room", to: .string("garden"))
        _ = try bob.publicDatabase.save(message)
        store.service.makeNotifications()
        let before = try phone.notifications()
        #expect(before.map(\.subscriptionID) == ["one"])
        _ = try store.service.rotateKeys(isLeaked: isLeaked)
        #expect(try phone.publicDatabase.subscription("one") == subscription)
        #expect(try phone.notifications().map(\.recordID) == before.map(\.recordID))
        #expect(try store.container.session(for: store.account(of: ada), device: "phone").device == phone.device)
        if !isLeaked { try phone.acknowledge(before[0]) }
        message = try Record(type: "Message")
        try message.set("room", to: .string("garden"))
        _ = try bob.publicDatabase.save(message)
        store.service.makeNotifications()
        #expect(try phone.notifications().last?.recordID == message.id)
        #expect(try store.service.check().isSound)
    }
}
