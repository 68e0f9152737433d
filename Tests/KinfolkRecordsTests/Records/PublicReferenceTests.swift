import Kinfolk
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

/// References in the public database: between the records of several users, and after one of them is erased.
@Suite("References in the public database") struct PublicReferenceTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session
    private let adas: References
    private let bobs: References

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        adas = References(database: ada.publicDatabase)
        bobs = References(database: bob.publicDatabase)
    }

    private func expectSound() throws { #expect(try store.service.check().findings == []) }

    @Test(arguments: [ReferenceAction.deleteSelf, .validate])
    func onlyWhoMayWriteATargetRefersToItWithAnAction(_ action: ReferenceAction) throws {
        try adas.save("a")
        expect(.permissionFailure) { try bobs.save("b", action, "a") }
        expect(.referenceViolation) { try bobs.save("b", action, "nothing") }
        try bobs.save("b", .none, "a", parent: "a")
        #expect(try adas.database.delete(adas.id("a")).map(\.id.name) == ["a"])
        try expectSound()
    }

    @Test func theFirstFieldWhoseReferenceIsRefusedGivesTheError() throws {
        try adas.save("a")
        for number in 0..<20 {
            let missing = try FieldValue.reference(Reference(bobs.id("missing \(number)"), action: .validate))
            let taken = try FieldValue.reference(Reference(bobs.id("a"), action: .validate))
            for (first, second, code) in [
                (missing, taken, KinfolkError.Code.referenceViolation), (taken, missing, .permissionFailure),
            ] {
                var record = try bobs.record("b")
                try record.set("first", to: first)
                try record.set("second", to: second)
                expect(code) { try bobs.database.save(record) }
            }
        }
    }

    @Test func everybodySeesWhatRefersToARecord() throws {
        try adas.save("a")
        try adas.save("own", .deleteSelf, "a")
        try bobs.save("b", parent: "a")
        for database in [adas.database, bobs.database, store.container.anonymousSession().publicDatabase] {
            #expect(try database.backReferences(to: adas.id("a")).map(\.source.name) == ["b", "own"])
        }
    }

    /// Ada's "a", to which her "b" refers, which needs "c"; and a record of Bob's in place of one that he could once refer with.
    private func furnish() throws {
        try adas.save("a")
        try adas.save("b", .deleteSelf, "a")
        try adas.save("needs", .validate, "b")
        try bobs.save("bobs", parent: "b")
    }

    @Test func anErasureDeletesWhatRefersToThePersonsRecords() throws {
        try furnish()
        _ = try store.account(of: ada).erase()
        #expect(try bobs.present("a", "b", "needs", "bobs") == ["bobs"])
        #expect(try bobs.database.fetch(bobs.id("bobs")).parent?.target.name == "b")
        try expectSound()
    }

    @Test func anErasureThatKeepsPublicRecordsCascadesNothing() throws {
        try furnish()
        _ = try store.account(of: ada).erase(keepsPublicRecords: true)
        #expect(try bobs.present("a", "b", "needs", "bobs").count == 4)
        try expectSound()
    }

    @Test func anErasureDeletesMoreThanTheLimits() throws {
        try adas.chain(10_050)
        _ = try store.account(of: ada).erase()
        #expect(try bobs.present("0", "10049") == [])
        try expectSound()
    }

    // MARK: The schema

    @Test func aRemovedRecordTypeTakesWhatRefersToItsRecords() throws {
        var list = try Record(type: "List", id: adas.id("list"))
        try list.set("title", to: .string("a"))
        _ = try adas.database.save(list)
        try adas.save("item", .deleteSelf, "list")
        try adas.save("part", .deleteSelf, "item")
        try adas.save("needs", .validate, "list")
        try adas.save("child", parent: "list")
        try store.container.applySchema(
            store.container.exportSchema().replacing("RECORD TYPE List", with: "RECORD TYPE Lists"),
            removesMissing: true
        )
        #expect(try adas.present("list", "item", "part", "needs", "child") == ["needs", "child"])
        try expectSound()
        // The reference dangles, and is not checked again until it changes.
        var needs = try adas.database.fetch(adas.id("needs"))
        try needs.setParent(adas.id("child"))
        _ = try adas.database.save(needs)
        try expectSound()
    }
}
