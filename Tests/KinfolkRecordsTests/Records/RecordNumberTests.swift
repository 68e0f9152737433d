import Kinfolk
import KinfolkAccounts
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

@testable import KinfolkRecords

/// What a service keeps in memory of the numbers of records and types belongs to one state of one store.
@Suite("Record numbers") struct RecordNumberTests {
    private let store: TestService
    private let ada: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        _ = try ada.publicDatabase.save(Record(type: "Note"))
    }

    @Test func leasedNumbersAreUsedOnce() throws {
        let service = store.service
        let first = try service.recordNumbers.take(3, of: service)
        let second = try service.recordNumbers.take(3, of: service)
        #expect(first.numbers.count == 3 && second.numbers.lowerBound == first.numbers.upperBound)
        #expect(try service.write { db in try service.recordNumbers.numbers(first, of: service, db) } == first.numbers)
        let other = try store.reopened()
        #expect(try other.recordNumbers.take(3, of: other).numbers.lowerBound > second.numbers.upperBound)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aRestoredStoreDoesNotUseNumbersLeasedBefore() throws {
        let service = store.service
        let (backup, path) = (store.folder.file("backup.db"), store.folder.file("restored.db"))
        try service.backUp(to: backup)
        let leased = try service.recordNumbers.take(3, of: service)
        let key = KeySource.file(TemporaryFolder.keyPath(of: store.path))
        try Service.restore(path, from: backup, key: key)
        let restored = try Service.open(path, key: key)
        let used = try restored.write { db in try restored.recordNumbers.numbers(leased, of: restored, db) }
        #expect(used.count == 3 && !used.overlaps(leased.numbers))
    }

    private struct Undone: Error {}

    /// Writes that share a transaction see what the others add to the schema, and all of it may be undone.
    @Test func theNameOfATypeThatWasNotCommittedIsForgotten() throws {
        let (service, container) = (store.service, store.container)
        _ = try? service.write { db in
            var schema = try SchemaGrowth(container, db)
            _ = try schema.type("Lost", with: [], savedBy: ada, in: .public, db)
            #expect(try service.schemas.schema(of: container.number, service, db).types["Lost"] != nil)
            throw Undone()
        }
        let other = try store.reopened()
        let account = try other.account(store.account(of: ada).id)
        let record = try other.container(container.name).session(for: account).publicDatabase.save(Record(type: "Task"))
        #expect(try ada.publicDatabase.fetch(record.id).type == "Task")
    }
}
