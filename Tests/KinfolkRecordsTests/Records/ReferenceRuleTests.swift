import KinfolkCore
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk

/// What the actions of references do when records are saved and deleted.
@Suite("Rules of references") struct ReferenceRuleTests {
    private let store: TestService
    private let ada: Session
    private let items: References
    private var database: Database { items.database }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        try store.container.addField("targets", type: .referenceList, to: "Item")
        try store.container.addField("one", type: .reference, to: "Item")
        items = References(database: ada.privateDatabase)
    }

    private func delete(_ name: String) throws -> [String] {
        try database.delete(items.id(name)).map(\.id.name)
    }

    private func expectSound() throws { #expect(try store.service.check().findings == []) }

    // MARK: Saving

    @Test(arguments: [ReferenceAction.deleteSelf, .validate]) func aTargetMustExist(_ action: ReferenceAction) throws {
        expect(.referenceViolation) { try items.save("b", action, "a") }
        try items.save("a")
        try items.save("b", action, "a")
        try expectSound()
    }

    @Test func aTargetWithoutActionAndAParentMayDangle() throws {
        try items.save("b", .none, "a", parent: "c")
        #expect(try delete("b") == ["b"])
        try items.save("a")
        try items.save("b", .none, "a", parent: "a")
        #expect(try delete("a") == ["a"])
        #expect(try database.fetch(items.id("b")).parent?.target.name == "a")
        try expectSound()
    }

    @Test(arguments: ReferenceAction.allCases) func aRecordMayReferToItself(_ action: ReferenceAction) throws {
        try items.save("a", action, "a", parent: "a")
        #expect(try delete("a") == ["a"])
        try expectSound()
    }

    @Test func aUserRecordIsNotDeletedWithAnother() throws {
        try items.save("a")
        try store.container.addField("list", type: .reference)
        var own = try ada.fetchUserRecord(in: .private)
        try own.set("list", to: .reference(Reference(items.id("a"), action: .deleteSelf)))
        expect(.invalidArgument) { try ada.save(own) }
        try own.set("list", to: .reference(Reference(items.id("a"), action: .validate)))
        _ = try ada.save(own)
        expect(.referenceViolation) { try delete("a") }
    }

    @Test func aRecordRefersToAtMost750() throws {
        let names = (0...ReferenceLimits.count).map { "t\($0)" }
        for start in stride(from: 0, to: names.count, by: 400) {
            let batch = try names[start..<min(start + 400, names.count)].map {
                RecordOperation.create(try items.record($0))
            }
            for result in try database.run(batch) { _ = try result.get() }
        }
        func record(_ count: Int) throws -> Record {
            var record = try items.record("source")
            let targets = try names.prefix(count).map { try Reference(items.id($0), action: .validate) }
            try record.set("targets", to: .referenceList(targets + targets))
            return record
        }
        expect(.limitExceeded) { try database.save(record(ReferenceLimits.count + 1)) }
        _ = try database.save(record(ReferenceLimits.count))
        try expectSound()
    }

    @Test func atMost750RecordsReferToOneThroughDeleteSelf() throws {
        try items.save("list")
        for start in [0, 375] {
            let batch = try (start..<start + 375).map {
                RecordOperation.create(try items.record("\($0)", .deleteSelf, "list"))
            }
            for result in try database.run(batch) { _ = try result.get() }
        }
        expect(.limitExceeded) { try items.save("more", .deleteSelf, "list") }
        try items.save("validates", .validate, "list")
        try items.save("child", parent: "list")
        // One goes and another one comes in the same batch.
        let results = try database.run([
            .forceDelete(items.id("0")), .create(items.record("more", .deleteSelf, "list")),
        ])
        for result in results { _ = try result.get() }
        let last = try database.run([.create(items.record("last", .deleteSelf, "list"))])
        expect(.limitExceeded) { try last[0].get() }
        try database.delete(items.id("validates"))
        #expect(try delete("list").count == ReferenceLimits.count + 1)
        #expect(try items.present("child", "more", "5") == ["child"])
        try expectSound()
    }

    @Test func anUpdateRemovesAndRetargetsAReference() throws {
        try items.save("a")
        try items.save("b")
        var source = try items.save("source", .validate, "a")
        expect(.referenceViolation) { try delete("a") }
        try source.set("targets", to: .referenceList([Reference(items.id("b"), action: .validate)]))
        source = try database.save(source)
        #expect(try delete("a") == ["a"])
        expect(.referenceViolation) { try delete("b") }
        try source.remove("targets")
        source = try database.save(source)
        #expect(try delete("b") == ["b"])
        try source.set("targets", to: .referenceList([Reference(items.id("b"), action: .deleteSelf)]))
        expect(.referenceViolation) { try database.save(source) }
        #expect(try database.fetch(source.id)["targets"] == nil)
        try expectSound()
    }

    @Test func aReferenceMayChangeItsAction() throws {
        try items.save("a")
        try items.save("b", .validate, "a")
        _ = try database.save(items.record("b", .deleteSelf, "a"), policy: .allKeys)
        #expect(try delete("a") == ["a", "b"])
        try expectSound()
    }

    // MARK: Deleting

    @Test func aTreeIsDeletedWithItsRoot() throws {
        try items.save("root")
        for (source, target) in [("a", "root"), ("b", "root"), ("a1", "a"), ("a2", "a"), ("a11", "a1")] {
            try items.save(source, .deleteSelf, target)
        }
        try items.save("other")
        let deleted = try database.delete(items.id("root"))
        #expect(deleted.first?.id == RecordID(valid: "root") && deleted.allSatisfy { $0.type == "Item" })
        #expect(Set(deleted.map(\.id.name)) == ["root", "a", "b", "a1", "a2", "a11"] && deleted.count == 6)
        #expect(try items.present("root", "a", "b", "a1", "a2", "a11", "other") == ["other"])
        try expectSound()
    }

    @Test func aNeededRecordIsDeletedAfterTheOthers() throws {
        try items.save("a")
        try items.save("b", .validate, "a")
        expect(.referenceViolation) { try delete("a") }
        #expect(try items.present("a", "b") == ["a", "b"])
        #expect(try delete("b") == ["b"])
        #expect(try delete("a") == ["a"])
    }

    @Test func aRecordThatIsNeededDeepInATreeKeepsAllOfIt() throws {
        try items.save("root")
        try items.save("a", .deleteSelf, "root")
        try items.save("b", .deleteSelf, "a")
        try items.save("outside", .validate, "b")
        expect(.referenceViolation) { try delete("root") }
        #expect(try items.present("root", "a", "b", "outside").count == 4)
        // One that is deleted with the tree does not keep it.
        _ = try database.save(items.record("inside", .deleteSelf, "root"))
        var outside = try database.fetch(items.id("outside"))
        try outside.set("one", to: .reference(Reference(items.id("inside"), action: .deleteSelf)))
        _ = try database.save(outside)
        #expect(Set(try delete("root")) == ["root", "a", "b", "inside", "outside"])
        try expectSound()
    }

    @Test func cyclesAreDeletedOnce() throws {
        let cycle = try ["a", "b", "c"].map { name in
            RecordOperation.create(try items.record(name, .deleteSelf, ["a": "b", "b": "c", "c": "a"][name] ?? ""))
        }
        for result in try database.run(cycle) { _ = try result.get() }
        #expect(Set(try delete("b")) == ["a", "b", "c"])
        try expectSound()
    }

    @Test func cascadesAndBatchesDeleteAtMost10000Records() throws {
        try items.chain(10_001)
        try items.save("other")
        try items.save("other's", .deleteSelf, "other")
        try items.save("last")
        expect(.limitExceeded) { try delete("0") }
        let forced = try database.run([.forceDelete(items.id("0"))])
        expect(.limitExceeded) { try forced[0].get() }
        // After the first 9,999 there is room for one record, and not for two.
        let batch = try ["2", "other", "last"].map { RecordOperation.forceDelete(try items.id($0)) }
        for isAtomic in [true, false] {
            let results = try database.run(batch, atomically: isAtomic)
            expect(.limitExceeded) { try results[1].get() }
            #expect(results.deleted.count == (isAtomic ? 0 : 10_000))
            #expect(Set(results.deleted).count == results.deleted.count)
            #expect(try items.present("0", "1", "other", "other's").count == 4)
            #expect(try items.present("2", "5000", "10000", "last").count == (isAtomic ? 4 : 0))
        }
        try expectSound()
    }

    /// 320 records that each refer to all of them.
    @Test func aCascadeHasAtMost100000References() throws {
        let names = (0..<320).map { "\($0)" }
        for result in try database.run(names.map { .create(try items.record($0)) }) { _ = try result.get() }
        for start in stride(from: 0, to: names.count, by: 20) {
            let references = try names.map { try Reference(items.id($0), action: .deleteSelf) }
            let updates = try names[start..<start + 20].map { name in
                var record = try items.record(name)
                try record.set("targets", to: .referenceList(references))
                return RecordOperation.forceUpdate(record)
            }
            for result in try database.run(updates) { _ = try result.get() }
        }
        expect(.limitExceeded) { try delete("0") }
        // Fewer references are left, and all can be deleted.
        let replacements = try names[..<20].map { RecordOperation.forceReplace(try items.record($0)) }
        for result in try database.run(replacements) { _ = try result.get() }
        #expect(try delete("0").count == 301)
        try expectSound()
    }

    @Test func aTargetThatIsMadeAgainIsReferredTo() throws {
        try items.save("a")
        try items.save("b", .none, "a", parent: "a")
        #expect(try delete("a") == ["a"])
        #expect(try database.backReferences(to: items.save("a").id).map(\.source.name) == ["b"])
    }

    // MARK: Back references

    @Test func backReferencesAreListedInPages() throws {
        try items.save("target")
        for name in ["p1", "p2"] { try items.save(name, parent: "target") }
        for name in ["d1", "d2", "d3"] { try items.save(name, .deleteSelf, "target") }
        try items.save("v1", .validate, "target", parent: "target")
        try items.save("none", .none, "target")
        let target = try items.id("target")
        let all = try database.backReferences(to: target)
        #expect(all.map(\.source.name) == ["p1", "p2", "v1", "d1", "d2", "d3", "v1"])
        #expect(all.map(\.kind) == [.parent, .parent, .parent, .deleteSelf, .deleteSelf, .deleteSelf, .validate])
        #expect(all.allSatisfy { $0.type == "Item" })
        for limit in 1...8 {
            var (pages, last): ([BackReference], BackReference?) = ([], nil)
            repeat {
                let page = try database.backReferences(to: target, after: last, limit: limit)
                #expect(page.count <= limit)
                pages += page
                last = page.last
            } while last != nil
            #expect(pages == all)
        }
        expect(.invalidArgument) { try database.backReferences(to: target, limit: 0) }
        expect(.invalidArgument) { try database.backReferences(to: target, limit: 401) }
        expect(.unknownItem) { try database.backReferences(to: items.id("nothing")) }
    }

    // MARK: Zones

    @Test func referencesStayInTheirZone() throws {
        try database.save(RecordZone("Family"))
        let family = References(database: database, zone: "Family")
        try items.save("a")
        expect(.referenceViolation) { try family.save("b", .deleteSelf, "a") }
        try family.save("a")
        try family.save("b", .deleteSelf, "a", parent: "a")
        try items.save("b", .deleteSelf, "a")
        let token = try database.changes(inZone: "Family").token
        #expect(try database.backReferences(to: family.id("a")).map(\.source) == [family.id("b"), family.id("b")])
        #expect(try database.delete(family.id("a")).map(\.id) == [family.id("a"), family.id("b")])
        let changes = try database.changes(inZone: "Family", since: token)
        #expect(Set(changes.deleted.map(\.id)) == [try family.id("a"), try family.id("b")] && !changes.moreComing)
        #expect(try items.present("a", "b") == ["a", "b"])
        var record = try items.record("c")
        try record.set("one", to: .reference(Reference(family.id("a"))))
        expect(.invalidArgument) { try database.save(record) }
        try expectSound()
    }

    // MARK: Keys

    @Test func referencesWorkUnderTwoKeys() throws {
        try items.save("old target")
        try items.save("old source", .deleteSelf, "old target")
        try items.save("deep", .deleteSelf, "old source")
        try items.save("old validator", .validate, "deep")
        try items.save("old child", parent: "old target")
        // The rotation has not renewed any record yet.
        _ = try store.service.keychain.begin(to: nil, isLeaked: false, in: store.service.store)
        try items.save("new source", .deleteSelf, "old target")
        try items.save("new child", parent: "old target")
        expect(.referenceViolation) { try delete("old target") }
        #expect(try database.backReferences(to: items.id("old target")).count == 4)
        try database.delete(items.id("old validator"))
        #expect(Set(try delete("old target")) == ["old target", "old source", "deep", "new source"])
        _ = try store.service.rotateKeys()
        try expectSound()
    }

    @Test func referencesAreRotated() throws {
        try items.save("a")
        try items.save("b", .deleteSelf, "a")
        try items.save("c", .validate, "b", parent: "a")
        _ = try store.service.rotateKeys()
        try expectSound()
        expect(.referenceViolation) { try delete("a") }
        try database.delete(items.id("c"))
        #expect(try delete("a") == ["a", "b"])
        try expectSound()
    }
}

/// The limits of the documentation.
enum ReferenceLimits {
    static let count = 750
}
