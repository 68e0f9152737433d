import Kinfolk
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

/// References as values, and the parent of a record.
@Suite("References") struct ReferenceTests {
    private let store: TestService
    private let ada: Session
    private var database: Database { ada.publicDatabase }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
    }

    private func item(_ name: String = "milk") throws -> Record { try Record(type: "Item", id: RecordID(name)) }

    @Test func aReferenceNamesARecordOrAUserRecord() throws {
        let user = try ada.userRecordID()
        #expect(try Reference(item(), action: .validate).target == RecordID("milk"))
        #expect(try Reference(item()).action == .none)
        #expect(try Reference(RecordID(user)) == Reference(user) && Reference(user).user == user)
        #expect(try Reference(item()).user == nil)
        for action in [ReferenceAction.deleteSelf, .validate] {
            expect(.invalidArgument) { try Reference(RecordID(user), action: action) }
        }
    }

    @Test func referencesAreEqualIfTargetZoneAndActionAre() throws {
        let one = try Reference(RecordID("a"), action: .validate)
        #expect(try one == Reference(RecordID("a"), action: .validate))
        #expect(try one != Reference(RecordID("a")) && one != Reference(RecordID("b"), action: .validate))
        let elsewhere = Reference(valid: RecordID(valid: "a", zone: "Family"), action: .validate)
        #expect(FieldValue.reference(one) != .reference(elsewhere))
        #expect(FieldValue.referenceList([one]) != .referenceList([elsewhere]))
        #expect(FieldValue.reference(one) == .reference(one))
    }

    @Test func aDescriptionHasNoName() throws {
        #expect("\(try Reference(RecordID("ada@example.com"), action: .validate))" == "Reference(validate)")
    }

    @Test func aReferenceToAnotherZoneIsRefused() throws {
        let elsewhere = Reference(valid: RecordID(valid: "a", zone: "Family"), action: .none)
        var one = try item()
        try one.set("list", to: .reference(elsewhere))
        expect(.invalidArgument) { try database.save(one) }
        var list = try item()
        try list.set("lists", to: .referenceList([Reference(ada.userRecordID()), elsewhere]))
        expect(.invalidArgument) { try database.save(list) }
        var child = try item()
        try child.setParent(elsewhere.target)
        expect(.invalidArgument) { try database.save(child) }
        expect(.unknownItem) { try database.fetch(RecordID("milk")) }
    }

    @Test(arguments: DatabaseScope.allCases) func aParentIsSavedChangedAndRemoved(scope: DatabaseScope) throws {
        try store.container.addField("title", type: .string, to: "Item")
        let database = ada.database(scope)
        var record = try item()
        #expect(record.parent == nil && record.changedKeys.isEmpty)
        try record.setParent(RecordID("groceries"))
        #expect(record.changedKeys == [Record.parentKey])
        record = try database.save(record)
        #expect(record.changedKeys.isEmpty)
        #expect(try record.parent == Reference(RecordID("groceries")))
        #expect(try database.fetch(record.id) == record)
        try record.setParent(item("another"))
        record = try database.save(record)
        #expect(try database.fetch(record.id).parent?.target == RecordID("another"))
        try record.set("title", to: .string("Milk"))
        record = try database.save(record)
        #expect(try database.fetch(record.id).parent?.target == RecordID("another"))
        try record.setParent(nil)
        record = try database.save(record)
        #expect(try database.fetch(record.id) == record && record.parent == nil)
    }

    @Test func aParentIsWrittenLikeAFieldByEachPolicyAndOperation() throws {
        func parent() throws -> String? { try database.fetch(RecordID("milk")).parent?.target.name }
        var first = try item()
        try first.setParent(RecordID("a"))
        first = try database.save(first)
        // A copy that has never seen the parent.
        let blank = try item()
        _ = try database.save(blank, policy: .changedKeys)
        #expect(try parent() == "a")
        _ = try database.save(blank, policy: .allKeys)
        #expect(try parent() == "a")
        var other = try item()
        try other.setParent(RecordID("b"))
        _ = try database.save(other, policy: .changedKeys)
        #expect(try parent() == "b")
        _ = try database.save(first, policy: .changedKeys)
        #expect(try parent() == "b")
        _ = try database.save(first, policy: .allKeys)
        #expect(try parent() == "a")
        _ = try database.run([.forceUpdate(blank)])
        #expect(try parent() == "a")
        _ = try database.run([.forceReplace(blank)])
        #expect(try parent() == nil)
    }

    @Test func aUserRecordIsNoParent() throws {
        var record = try item()
        expect(.invalidArgument) { try record.setParent(RecordID(ada.userRecordID())) }
        #expect(record.parent == nil && record.changedKeys.isEmpty)
    }

    @Test func aRecordsSizeCountsItsReferencesAndParent() throws {
        var record = try item()
        try record.set("list", to: .reference(Reference(RecordID("abc"), action: .validate)))
        #expect(record.size == 4 + 7)
        try record.set("list", to: .referenceList([Reference(RecordID("abc")), Reference(ada.userRecordID())]))
        #expect(record.size == 4 + 7 + 16)
        try record.setParent(RecordID("parent"))
        #expect(record.size == 4 + 7 + 16 + 10)
        try record.set("rest", to: .bytes([UInt8](repeating: 1, count: Record.maximumSize - record.size - 4)))
        record = try database.save(record)
        try record.setParent(RecordID("parents"))
        expect(.limitExceeded) { try database.save(record) }
    }

    @Test func aListOfReferencesIsLimited() throws {
        let reference = try Reference(RecordID("a"))
        var record = try item()
        try record.set("list", to: .referenceList([Reference](repeating: reference, count: Record.maximumSize / 5)))
        expect(.limitExceeded) {
            try record.set(
                "list",
                to: .referenceList([Reference](repeating: reference, count: Record.maximumSize / 5 + 1))
            )
        }
    }

    @Test func contentOfARecordKeepsItsParent() throws {
        let content = RecordContent(
            name: "milk",
            creator: nil,
            createdAt: Timestamp(microseconds: 1),
            modifier: nil,
            modifiedAt: Timestamp(microseconds: 2),
            parent: try RecordID("groceries"),
            fields: try FieldSamples.fields(5)
        )
        let read = try #require(try RecordContent(content.bytes))
        #expect(read.parent == content.parent && read.fields == content.fields && read.tie == content.tie)
        #expect(try RecordContent(content.bytes, zone: "Family")?.parent?.zone == "Family")
        for length in 1..<42 {
            expect(.storeCorrupt) { try RecordContent(Array(content.bytes.prefix(length))) }
        }
    }
}
