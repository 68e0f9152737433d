import Kinfolk
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

/// References within batches, whose conditions are checked when all operations are done.
@Suite("References in batches") struct ReferenceBatchTests {
    private let store: TestService
    private let ada: Session
    private let items: References
    private var database: Database { items.database }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        try store.container.addField("targets", type: .referenceList, to: "Item")
        items = References(database: ada.privateDatabase)
    }

    private func codes(_ results: BatchResults) -> [KinfolkError.Code?] {
        results.map { if case .failure(let error) = $0 { error.code } else { nil } }
    }

    private func expectSound() throws { #expect(try store.service.check().findings == []) }

    @Test(arguments: [false, true]) func aTargetMayComeLater(isAtomic: Bool) throws {
        for order in permutations(["a", "b", "c"]) {
            let operations = try order.map { name in
                RecordOperation.create(
                    name == "a" ? try items.record("a") : try items.record(name, .validate, name == "b" ? "a" : "b")
                )
            }
            #expect(try codes(database.run(operations, atomically: isAtomic)) == [nil, nil, nil], "\(order)")
            try expectSound()
            for deletions in [order] {
                let results = try database.run(deletions.map { .forceDelete(try items.id($0)) }, atomically: isAtomic)
                #expect(codes(results) == [nil, nil, nil] && results.deleted.count == 3, "\(order)")
            }
        }
        try expectSound()
    }

    /// "source" needs both "target" and "other". It is not saved, because "other" is not, so nothing needs "target".
    @Test func aReferenceThatIsNotSavedKeepsNothing() throws {
        try items.save("target")
        let results = try database.run([
            .create(try items.record("source", .validate, "target", "other")), .update(try items.record("other")),
            .forceDelete(try items.id("target")),
        ])
        #expect(codes(results) == [.referenceViolation, .invalidArgument, nil])
        #expect(try items.present("source", "target", "other") == [])
        try expectSound()
    }

    @Test func tooManyReferencesAreRefusedBeforeTheStoreWorks() throws {
        let targets = try (0..<751).map { try Reference(items.id("\($0)"), action: .validate) }
        var record = try items.record("one")
        try record.set("targets", to: .referenceList(targets))
        expect(.limitExceeded) { try database.save(record) }
        // 13 records with 750 references each, and one more reference than a batch may have.
        let operations: [RecordOperation] = try (0..<14).map { number in
            var record = try items.record("r\(number)")
            try record.set("targets", to: .referenceList(Array(targets[..<(number < 13 ? 750 : 251)])))
            return .create(record)
        }
        let results = try database.run(operations)
        #expect(codes(results) == Array(repeating: .referenceViolation, count: 13) + [.limitExceeded])
        try expectSound()
    }

    @Test func aSourceFailsWithItsTarget() throws {
        try items.save("b")
        // "b" is taken, so "a" would refer to the present "b"; "d" is not made, and so "c", "e" and "f" are not either.
        let operations: [RecordOperation] = [
            .create(try items.record("a", .deleteSelf, "b")), .create(try items.record("f", .validate, "e")),
            .create(try items.record("e", .validate, "c")), .create(try items.record("c", .validate, "d")),
            .create(try items.record("b")), .update(try items.record("d")), .create(try items.record("g")),
        ]
        let results = try database.run(operations)
        #expect(
            codes(results) == [
                nil, .referenceViolation, .referenceViolation, .referenceViolation, .serverRecordChanged,
                .invalidArgument,
                nil,
            ]
        )
        #expect(try items.present("a", "b", "c", "d", "e", "f", "g") == ["a", "b", "g"])
        let atomic = try database.run(
            [.create(items.record("x", .validate, "y")), .create(items.record("z"))],
            atomically: true
        )
        #expect(codes(atomic) == [.referenceViolation, .batchRequestFailed])
        #expect(try items.present("x", "z") == [])
        try expectSound()
    }

    @Test func aTargetThatCannotBeSavedLaterFailsItsSources() throws {
        // The second one seems possible until it is done: its type has no such field.
        var other = try Record(type: "Item", id: items.id("b"))
        try other.set("unknown", to: .int64(1))
        let results = try database.run([
            .create(items.record("a", .validate, "b")), .create(other), .create(items.record("c", .validate, "a")),
        ])
        #expect(codes(results) == [.referenceViolation, .invalidArgument, .referenceViolation])
        #expect(try items.present("a", "b", "c") == [])
    }

    @Test func aChainOfNeededRecordsIsKeptFromItsEnd() throws {
        // Each is needed by the next, and the last one by a record that stays.
        try items.save("0")
        for number in 1...12 { try items.save("\(number)", .validate, "\(number - 1)") }
        let deletions = try (0..<12).map { RecordOperation.forceDelete(try items.id("\($0)")) }
        for operations in [deletions, deletions.reversed()] {
            let results = try database.run(operations)
            #expect(codes(results).allSatisfy { $0 == .referenceViolation } && results.deleted.isEmpty)
        }
        #expect(try items.present("0", "11", "12").count == 3)
        let atomic = try database.run(deletions, atomically: true)
        #expect(codes(atomic).contains(.referenceViolation) && atomic.deleted.isEmpty)
        let all = try database.run(deletions + [.forceDelete(items.id("12"))])
        #expect(codes(all).allSatisfy { $0 == nil } && all.deleted.count == 13)
        try expectSound()
    }

    @Test func anUpdateInTheBatchMayFreeARecord() throws {
        try items.save("a")
        try items.save("b", .validate, "a")
        let freed = try items.record("b")
        #expect(try codes(database.run([.forceDelete(items.id("a")), .forceReplace(freed)])) == [nil, nil])
        #expect(try items.present("a", "b") == ["b"])
        try expectSound()
    }

    @Test func aCascadeReachesOperationsBeforeAndAfterIt() throws {
        try items.save("root")
        let (early, late) = (try items.save("early", .deleteSelf, "root"), try items.save("late", .deleteSelf, "root"))
        let results = try database.run(
            [
                .update(early), .create(items.record("new", .deleteSelf, "early")),
                .forceDelete(items.id("root")), .update(late), .delete(late.id, changeTag: late.changeTag),
            ].dropLast()
        )
        #expect(codes(results) == [nil, nil, nil, .unknownItem])
        #expect(Set(results.deleted.map(\.id.name)) == ["root", "early", "late", "new"])
        #expect(try items.present("root", "early", "late", "new") == [])
        try expectSound()
    }

    @Test func aRecordMayBeDeletedAfterItWasDeletedWithAnother() throws {
        try items.save("root")
        let leaf = try items.save("leaf", .deleteSelf, "root")
        let results = try database.run([
            .forceDelete(items.id("root")), .delete(leaf.id, changeTag: leaf.changeTag),
        ])
        #expect(codes(results) == [nil, nil])
        #expect(results.deleted.map(\.id.name) == ["root", "leaf"])
    }

    @Test func aForcedSaveMakesADeletedRecordAgain() throws {
        try items.save("root")
        try items.save("leaf", .deleteSelf, "root")
        let again = try database.run([.forceDelete(items.id("root")), .forceReplace(items.record("leaf"))])
        #expect(codes(again) == [nil, nil])
        #expect(try items.present("root", "leaf") == ["leaf"])
        let dangling = try database.run([.forceReplace(items.record("leaf", .deleteSelf, "root"))])
        #expect(codes(dangling) == [.referenceViolation])
        try expectSound()
    }

    @Test func aTargetThatIsDeletedFirstIsMissing() throws {
        try items.save("a")
        let results = try database.run([.forceDelete(items.id("a")), .create(items.record("b", .validate, "a"))])
        #expect(codes(results) == [nil, .referenceViolation])
        try items.save("a")
        let other = try database.run([.create(items.record("b", .validate, "a")), .forceDelete(items.id("a"))])
        #expect(codes(other) == [nil, .referenceViolation])
        let cascade = try database.run([
            .forceReplace(items.record("b", .deleteSelf, "a")), .forceDelete(items.id("a")),
        ])
        #expect(codes(cascade) == [nil, nil] && Set(cascade.deleted.map(\.id.name)) == ["a", "b"])
        try expectSound()
    }

    private func permutations(_ elements: [String]) -> [[String]] {
        guard elements.count > 1 else { return [elements] }
        return elements.flatMap { first in permutations(elements.filter { $0 != first }).map { [first] + $0 } }
    }
}
