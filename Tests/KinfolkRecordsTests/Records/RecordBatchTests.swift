import Kinfolk
import KinfolkAccounts
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

/// Several operations in one call, and each operation on a present, a missing and a changed record.
@Suite("Record batches") struct RecordBatchTests {
    private let store: TestService
    private let ada: Session
    private var database: Database { ada.privateDatabase }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        for name in ["a", "b", "c"] { try store.container.addField(name, type: .int64, to: "Note") }
    }

    private func record(_ fields: [String: Int64], id: RecordID = RecordID()) throws -> Record {
        var record = try Record(type: "Note", id: id)
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { try record.set(name, to: .int64(value)) }
        return record
    }

    private func run(_ operation: RecordOperation) throws -> Result<Record?, KinfolkError> {
        try database.run([operation])[0]
    }

    @Test func fourHundredRecordsAreSavedAndDeletedInOneBatch() throws {
        let records = try (0..<400).map { try record(["a": Int64($0)]) }
        let before = store.service.readCount
        let saved = try database.run(records.map(RecordOperation.create)).map { try #require(try $0.get()) }
        #expect(store.service.readCount == before)
        #expect(saved.map(\.id) == records.map(\.id))
        #expect(try database.fetch(records.map(\.id)).map { try $0.get() } == saved)
        let deleted = try database.run(saved.map { .delete($0.id, changeTag: $0.changeTag) })
        #expect(deleted.allSatisfy { (try? $0.get()) == .some(nil) })
        #expect(try database.fetch(records.map(\.id)).allSatisfy { $0 == .failure(error(.unknownItem)) })
    }

    @Test func anItemThatFailsLeavesTheOthersAlone() throws {
        let present = try database.save(record(["a": 1]))
        let outcomes = try database.run([
            .create(record(["a": 2])), .create(record(["a": 3], id: present.id)), .forceUpdate(record(["b": 4])),
        ])
        #expect(outcomes.map { (try? $0.get()) != nil } == [true, false, true])
        #expect(outcomes[1] == .failure(error(.serverRecordChanged)))
        #expect(try database.fetch(present.id) == present)
    }

    @Test func anItemThatWouldAddTooManyFieldsSpendsNothing() throws {
        try store.container.setFieldLimit(2_000)
        var full = try Record(type: "Full")
        for number in 0..<1_000 { try full.set("field\(number)", to: .boolean(true)) }
        _ = try ada.publicDatabase.save(full)
        let left = try ada.left(of: .fields)
        var more = try Record(type: "Full")
        try more.set("more", to: .boolean(true))
        #expect(try Array(ada.publicDatabase.run([.create(more)])) == [.failure(error(.limitExceeded))])
        #expect(try ada.left(of: .fields) == left)
    }

    @Test func anAtomicBatchSavesEverythingOrNothing() throws {
        let present = try database.save(record(["a": 1]))
        let new = try record(["a": 2])
        let bad = RecordOperation.create(try record(["a": 3], id: present.id))
        for operations in [[.create(new), bad], [bad, .create(new)]] {
            let outcomes = try database.run(operations, atomically: true)
            #expect(outcomes.count { $0 == .failure(error(.batchRequestFailed)) } == 1)
            #expect(outcomes.count { $0 == .failure(error(.serverRecordChanged)) } == 1)
            #expect(throws: error(.unknownItem)) { try database.fetch(new.id) }
        }
        let outcomes = try database.run([.create(new), .forceDelete(present.id)], atomically: true)
        #expect(try outcomes[0].get() != nil && outcomes[1].get() == nil)
        #expect(throws: error(.unknownItem)) { try database.fetch(present.id) }
    }

    @Test func aBatchThatIsTooLargeChangesNothing() throws {
        let many = try (0..<401).map { RecordOperation.create(try record(["a": Int64($0)])) }
        #expect(throws: error(.limitExceeded)) { try database.run(many) }
        try store.container.addField("text", type: .string, to: "Note")
        var big = try (0..<3).map { _ in try record([:]) }
        for index in big.indices { try big[index].set("text", to: .string(String(repeating: "x", count: 700_000))) }
        #expect(throws: error(.limitExceeded)) { try database.run(big.map(RecordOperation.create)) }
        let twice = try record(["a": 1])
        #expect(throws: error(.invalidArgument)) { try database.run([.create(twice), .forceDelete(twice.id)]) }
        #expect(try store.number("SELECT count(*) FROM records") == 0)
        #expect(try database.run([]).isEmpty)
    }

    // MARK: The seven operations

    /// A record in the store with a = 1 and b = 1, and the same as it was fetched before b was set.
    private func changed() throws -> (stale: Record, current: Record) {
        let stale = try database.save(record(["a": 1]))
        var record = stale
        try record.set("b", to: .int64(1))
        return (stale, try database.save(record))
    }

    @Test func createNeedsAMissingRecord() throws {
        let (stale, current) = try changed()
        #expect(try run(.create(record(["a": 2]))).get()?["a"] == .int64(2))
        for record in [stale, current] { #expect(try run(.create(record)) == .failure(error(.serverRecordChanged))) }
    }

    @Test func updateWritesTheChangedFieldsOfThePresentRecord() throws {
        var (stale, current) = try changed()
        try stale.set("c", to: .int64(3))
        try current.set("c", to: .int64(4))
        #expect(try run(.update(stale)) == .failure(error(.serverRecordChanged)))
        let updated = try #require(try run(.update(current)).get())
        #expect(updated.keys == ["a", "b", "c"] && updated["c"] == .int64(4))
        #expect(try run(.update(record(["a": 1]))) == .failure(error(.invalidArgument)), "without a tag")
        try database.delete(current.id)
        #expect(try run(.update(updated)) == .failure(error(.unknownItem)))
    }

    @Test func forceUpdateIgnoresTheTagAndMayCreate() throws {
        var (stale, _) = try changed()
        try stale.set("c", to: .int64(3))
        #expect(try run(.forceUpdate(stale)).get()?.keys == ["a", "b", "c"])
        #expect(try run(.forceUpdate(record(["b": 1]))).get()?.keys == ["b"])
    }

    @Test func replaceRemovesFieldsThatAreNotSent() throws {
        let (stale, current) = try changed()
        #expect(try run(.replace(stale)) == .failure(error(.serverRecordChanged)))
        var sent = current
        try sent.remove("b")
        #expect(try run(.replace(sent)).get()?.keys == ["a"])
        #expect(try run(.replace(record(["a": 1]))) == .failure(error(.invalidArgument)), "without a tag")
    }

    @Test func forceReplaceIgnoresTheTagAndMayCreate() throws {
        let (stale, _) = try changed()
        #expect(try run(.forceReplace(stale)).get()?.keys == ["a"])
        #expect(try run(.forceReplace(record(["b": 1]))).get()?.keys == ["b"])
    }

    @Test func deleteNeedsTheCurrentTag() throws {
        let (stale, current) = try changed()
        #expect(try run(.delete(current.id, changeTag: nil)) == .failure(error(.invalidArgument)))
        #expect(try run(.delete(current.id, changeTag: stale.changeTag)) == .failure(error(.serverRecordChanged)))
        #expect(try run(.delete(current.id, changeTag: current.changeTag)).get() == nil)
        #expect(try run(.delete(current.id, changeTag: current.changeTag)) == .failure(error(.unknownItem)))
    }

    @Test func forceDeleteSucceedsInAnyCase() throws {
        let (stale, _) = try changed()
        #expect(try run(.forceDelete(stale.id)).get() == nil)
        #expect(try run(.forceDelete(stale.id)).get() == nil)
        #expect(throws: error(.unknownItem)) { try database.fetch(stale.id) }
    }

    private func error(_ code: KinfolkError.Code) -> KinfolkError { KinfolkError(code, "") }
}
