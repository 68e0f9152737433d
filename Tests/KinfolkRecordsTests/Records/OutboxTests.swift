import Kinfolk
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// A save writes its change to the outbox in its own transaction, if the database has a reader.
@Suite("Outbox") struct OutboxTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session

    init() throws {
        store = try TestService(hasFanOut: false)
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        try store.container.addField("title", type: .string, to: "Note")
    }

    private func note(_ title: String, id: RecordID = RecordID()) throws -> Record {
        var note = try Record(type: "Note", id: id)
        try note.set("title", to: .string(title))
        return note
    }

    /// The rows of all lanes, the oldest first: one service writes to one lane.
    private func rows() throws -> [OutboxRow] {
        try store.service.read { db in
            let container = store.container.number
            let keys = try store.service.keys(ofContainer: container, in: db)
            return try OutboxTable.rows(ofLane: Int64(store.service.lane), in: container, limit: 1_000, keys, db).rows
        }
    }

    private func delete(through sequence: Int64) throws {
        let read = try rows().filter { $0.sequence <= sequence }.map { (sequence: $0.sequence, stamp: $0.stamp) }
        let lane = Int64(store.service.lane)
        let count = try store.service.write { db in
            try OutboxTable.delete(read, ofLane: lane, in: store.container.number, db)
        }
        #expect(count == read.count)
    }

    private func removeReaders(of user: UserRecordID?) throws {
        try store.service.write { db in
            let keys = try store.service.keys(ofContainer: store.container.number, in: db)
            try OutboxTable.removeReaders(of: RecordPlace(ofPrivate: user, in: store.container.number, keys), db)
        }
    }

    @Test func aDatabaseWithoutAReaderWritesNothing() throws {
        try store.addOutboxReader(of: ada.userRecordID())
        for database in [ada.publicDatabase, bob.publicDatabase, bob.privateDatabase] {
            let saved = try database.save(note("Groceries"))
            try database.delete(saved.id)
        }
        #expect(try rows().isEmpty)
    }

    @Test(arguments: DatabaseScope.allCases) func aReaderFindsEachChangeInItsOrder(scope: DatabaseScope) throws {
        let user = try scope == .private ? ada.userRecordID() : nil
        try store.addOutboxReader(of: user)
        let database = ada.database(scope)
        var saved = try database.save(note("Groceries"))
        try saved.set("title", to: .string("Shopping"))
        saved = try database.save(saved)
        try database.delete(saved.id)
        let found = try rows()
        #expect(found.map(\.kind) == [.created, .changed, .deleted])
        #expect(found.map(\.sequence) == [1, 2, 3])
        #expect(
            found.allSatisfy { $0.place.home.owner == user && $0.number == found[0].number && $0.type == found[0].type }
        )
        #expect(found.map { $0.before?.fields["title"] } == [nil, nil, .string("Shopping")])
        #expect(found[2].before?.name == saved.id.name)
    }

    @Test func aBatchIsThereWithItsRowsOrNeitherIs() throws {
        try store.addOutboxReader(of: nil)
        let present = try ada.publicDatabase.save(note("Groceries"))
        try delete(through: 1)
        let operations: [RecordOperation] = try [
            .create(note("A")), .delete(present.id, changeTag: present.changeTag),
            .create(note("B", id: present.id)), .create(note("C")),
        ]
        let atomic: [RecordOperation] = try [.create(note("A")), .create(note("B", id: present.id))]
        for outcome in try ada.publicDatabase.run(atomic, atomically: true) {
            #expect(throws: KinfolkError.self) { try outcome.get() }
        }
        #expect(try rows().isEmpty)
        let separate = operations.enumerated().filter { $0.offset != 2 }.map(\.element)
        for outcome in try ada.publicDatabase.run(separate, atomically: true) { _ = try outcome.get() }
        #expect(try rows().map(\.kind) == [.created, .deleted, .created])
    }

    @Test func whatWasReadIsDeletedAndWhatNobodyReadsIsNotKept() throws {
        try store.addOutboxReader(of: nil)
        for title in ["A", "B", "C"] { _ = try ada.publicDatabase.save(note(title)) }
        try delete(through: 2)
        #expect(try rows().map(\.sequence) == [3])
        try removeReaders(of: nil)
        #expect(try rows().isEmpty)
        _ = try ada.publicDatabase.save(note("D"))
        #expect(try rows().isEmpty)
    }

    @Test(arguments: [false, true]) func theLastContentSurvivesARotation(isLeaked: Bool) throws {
        try store.addOutboxReader(of: nil)
        let saved = try ada.publicDatabase.save(note("Groceries"))
        try ada.publicDatabase.delete(saved.id)
        _ = try store.service.rotateKeys(isLeaked: isLeaked)
        #expect(try rows().last?.before?.fields["title"] == .string("Groceries"))
        #expect(try store.service.check().isSound)
    }

    @Test func anErasureLeavesNoContentOfThePersonInTheOutbox() throws {
        try store.addOutboxReader(of: nil)
        try store.addOutboxReader(of: ada.userRecordID())
        for database in [ada.publicDatabase, ada.privateDatabase, bob.publicDatabase] {
            try database.delete(database.save(note("Deleted before")).id)
        }
        _ = try ada.publicDatabase.save(note("Deleted by the erasure"))
        _ = try store.account(of: ada).erase()
        let found = try rows()
        #expect(found.allSatisfy { $0.place.home.owner == nil })
        #expect(found.map(\.kind) == [.created, .deleted, .created, .deleted, .created, .deleted])
        #expect(try found.compactMap(\.before?.creator) == [bob.userRecordID()])
        #expect(try store.service.check().isSound)
    }

    @Test func aDeletedContainerHasNoRows() throws {
        try store.addOutboxReader(of: nil)
        let saved = try ada.publicDatabase.save(note("Groceries"))
        try ada.publicDatabase.delete(saved.id)
        try store.service.deleteContainer("com.example.notes")
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
        #expect(try store.number("SELECT count(*) FROM outbox_readers") == 0)
    }

    @Test func aRecordWhoseLastContentWasChangedByHandIsReported() throws {
        try store.addOutboxReader(of: nil)
        try ada.publicDatabase.delete(ada.publicDatabase.save(note("Groceries")).id)
        try store.service.write { db in
            try db.execute("UPDATE outbox SET number = number + 1 WHERE kind = 2")
        }
        #expect(try rows().map { $0.before == nil } == [true, true])
        #expect(try !store.service.check().isSound)
    }

    @Test(arguments: [
        "UPDATE outbox SET owner = $1 WHERE kind = 2",
        "UPDATE outbox SET type = type + 1, owner = substr($1, 1, 0) WHERE kind = 2",
    ])
    func theLastContentBelongsToItsOwnerAndType(_ edit: String) throws {
        let scope: DatabaseScope = edit.contains("SET owner") ? .private : .public
        let database = ada.database(scope)
        try store.addOutboxReader(of: scope == .private ? ada.userRecordID() : nil)
        try database.delete(database.save(note("Groceries")).id)
        #expect(try rows().last?.before != nil)
        let bob = try bob.userRecordID()
        try store.service.write { db in try db.execute(composed: edit, [.id(bob.value)]) }
        #expect(try rows().allSatisfy { $0.before == nil })
    }
}
