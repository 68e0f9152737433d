import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct RecordTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
    }

    @Test func bothRecordsExistFromTheFirstSessionAndAreEmpty() throws {
        let id = try ada.userRecordID()
        let joined = store.clock.now
        store.clock.advance(seconds: 10)
        for database in DatabaseScope.allCases {
            let record = try ada.fetchUserRecord(in: database)
            #expect(record.id.user == id)
            #expect(record.database == database)
            #expect(record.keys.isEmpty)
            #expect(record.createdAt == joined && record.modifiedAt == joined)
            #expect(record.createdBy == id && record.modifiedBy == id)
            #expect(record.changeTag?.isEmpty == false)
        }
        #expect(try bob.fetchUserRecord(id).id.user == id)
    }

    @Test func theServiceMaintainsDatesAuthorsAndAChangeTag() throws {
        let joined = store.clock.now
        var record = try ada.fetchUserRecord()
        try record.set("color", to: .string("green"))
        store.clock.advance(seconds: 60)
        let saved = try ada.save(record)
        #expect(saved.createdAt == joined)
        #expect(saved.modifiedAt == store.clock.now)
        #expect(saved.changeTag != record.changeTag)
        #expect(saved.changedKeys.isEmpty)
        #expect(try ada.fetchUserRecord() == saved)
        #expect(try ada.save(saved).changeTag != saved.changeTag, "each save has a tag of its own")
    }

    @Test(arguments: Search.some(FieldType.allCases)) func fieldsRoundTrip(type: FieldType) throws {
        for database in DatabaseScope.allCases {
            var record = try ada.fetchUserRecord(in: database)
            let value = try FieldSamples.stored(of: type, in: ada.database(database))
            try record.set("field", to: value)
            _ = try ada.save(record)
            let reopened = try store.reopened()
            let session = try reopened.container(store.container.name)
                .session(for: reopened.account(#require(ada.account)))
            #expect(try session.fetchUserRecord(in: database)["field"] == value)
        }
    }

    @Test func thePublicAndThePrivateRecordAreSeparate() throws {
        try store.container.addField("diary", type: .string)
        var record = try ada.fetchUserRecord(in: .private)
        try record.set("diary", to: .string("secret"))
        _ = try ada.save(record)
        #expect(try ada.fetchUserRecord(in: .private)["diary"] == .string("secret"))
        #expect(try ada.fetchUserRecord(in: .public).keys.isEmpty)
    }

    @Test func nobodyElseReadsThePrivateRecord() throws {
        try store.container.addField("diary", type: .string)
        var record = try ada.fetchUserRecord(in: .private)
        try record.set("diary", to: .string("secret"))
        let id = try #require(ada.save(record).id.user)
        let unknown = try UserRecordID("_" + String(repeating: "0", count: 32))
        let theirs = expect(.unknownItem) { try bob.fetchUserRecord(id, in: .private) }
        let nobodys = expect(.unknownItem) { try bob.fetchUserRecord(unknown, in: .private) }
        #expect(theirs?.reason == nobodys?.reason)
        expect(.notAuthenticated) { try store.container.anonymousSession().fetchUserRecord(id, in: .private) }
        #expect(try ada.fetchUserRecord(id, in: .private)["diary"] == .string("secret"))
    }

    @Test func nobodyElseWritesARecord() throws {
        var record = try bob.fetchUserRecord(ada.userRecordID())
        try record.set("color", to: .string("red"))
        for policy in SavePolicy.allCases { expect(.permissionFailure) { try bob.save(record, policy: policy) } }
        #expect(try ada.fetchUserRecord().keys.isEmpty)
    }

    @Test func aRecordOfAnotherContainerIsRefused() throws {
        let chat = try store.service.createContainer("com.example.chat")
        let there = try chat.session(for: store.account(of: ada))
        expect(.unknownItem) { try ada.save(there.fetchUserRecord()) }
        expect(.unknownItem) { try ada.fetchUserRecord(there.userRecordID()) }
    }

    @Test func aRecordIsAValueUntilItIsSaved() throws {
        var record = try ada.fetchUserRecord()
        try record.set("color", to: .string("green"))
        try record.set("size", to: .int64(4))
        #expect(record.changedKeys == ["color", "size"])
        #expect(record.keys == ["color", "size"])
        try record.remove("size")
        #expect(record["size"] == nil)
        expect(.unknownItem) { try record.remove("size") }
        #expect(try ada.fetchUserRecord().keys.isEmpty)
    }

    @Test func aRemovedFieldIsDeleted() throws {
        var record = try ada.fetchUserRecord()
        try record.set("color", to: .string("green"))
        try record.set("size", to: .int64(4))
        record = try ada.save(record)
        try record.remove("color")
        #expect(try ada.save(record).keys == ["size"])
        #expect(try ada.fetchUserRecord().keys == ["size"])
    }

    @Test func fieldsAreListedInTheOrderOfTheirBytes() throws {
        var record = try ada.fetchUserRecord()
        for name in ["b", "a", "B", "a_", "a0", "A"] { try record.set(name, to: .int64(1)) }
        #expect(record.keys == ["A", "B", "a", "a0", "a_", "b"])
    }

    @Test(arguments: Search.some(["a", "Z", "a_1", String(repeating: "x", count: 255)])) func aValidFieldNameIsAccepted(
        name: String
    )
        throws
    {
        var record = try ada.fetchUserRecord()
        try record.set(name, to: .boolean(true))
        #expect(try ada.save(record)[name] == .boolean(true))
    }

    @Test(
        arguments: Search.some(["", "_a", "1a", "a-b", "a b", "é", "a\u{0}", "aé", String(repeating: "x", count: 256)])
    )
    func aMalformedFieldNameIsRefused(name: String) throws {
        var record = try ada.fetchUserRecord()
        expect(.invalidArgument) { try record.set(name, to: .boolean(true)) }
        #expect(record.keys.isEmpty)
    }

    @Test func aRecordHasAtMostAMillionBytes() throws {
        // One of them is the field's name.
        let most = 999_999
        var record = try ada.fetchUserRecord()
        try record.set("a", to: .bytes([UInt8](repeating: 1, count: most)))
        record = try ada.save(record)
        #expect(try ada.fetchUserRecord()["a"] == record["a"])

        try record.set("a", to: .bytes([UInt8](repeating: 2, count: most + 1)))
        expect(.limitExceeded) { try ada.save(record) }
        expect(.limitExceeded) { try record.set("a", to: .bytes([UInt8](repeating: 2, count: 1_000_001))) }
        #expect(try ada.fetchUserRecord()["a"] == .bytes([UInt8](repeating: 1, count: most)))
    }

    @Test func aRecordThatGrowsTooLargeIsRefusedAndTheSchemaIsNotChanged() throws {
        var record = try ada.fetchUserRecord()
        for name in ["a", "b", "c"] { try record.set(name, to: .bytes([UInt8](repeating: 1, count: 400_000))) }
        expect(.limitExceeded) { try ada.save(record) }
        #expect(try ada.fetchUserRecord().keys.isEmpty)
        #expect(try store.number("SELECT count(*) FROM fields") == 0)
    }

    @Test func referencesToAnErasedPersonAreKept() throws {
        let id = try bob.userRecordID()
        var record = try ada.fetchUserRecord()
        try record.set("friend", to: .reference(id))
        try record.set("friends", to: .referenceList([id, id]))
        _ = try ada.save(record)
        _ = try store.account(of: bob).erase()
        #expect(try ada.fetchUserRecord()["friend"] == .reference(id))
        #expect(try ada.fetchUserRecord()["friends"] == .referenceList([id, id]))
        expect(.unknownItem) { try ada.fetchUserRecord(id) }
    }
}
