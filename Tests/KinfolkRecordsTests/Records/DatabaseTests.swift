import Kinfolk
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

/// Records of any type: one path saves, fetches and deletes them.
@Suite("Databases") struct DatabaseTests {
    private let store: TestService
    private let ada: Session
    private let bob: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
        try store.container.addField("title", type: .string, to: "Note")
        try store.container.addField("body", type: .string, to: "Note")
    }

    private func note(_ title: String, id: RecordID = RecordID()) throws -> Record {
        var note = try Record(type: "Note", id: id)
        try note.set("title", to: .string(title))
        return note
    }

    @Test(arguments: DatabaseScope.allCases) func aSavedRecordIsFetchedAsItWasSaved(scope: DatabaseScope) throws {
        let database = ada.database(scope)
        let new = try note("Groceries")
        #expect(new.changeTag == nil && new.createdAt == nil && new.createdBy == nil && new.database == nil)
        let saved = try database.save(new)
        #expect(saved.id == new.id && saved.type == "Note" && saved.database == scope)
        #expect(try saved.createdBy == ada.userRecordID() && saved.modifiedBy == ada.userRecordID())
        #expect(saved.createdAt == store.clock.now && saved.modifiedAt == store.clock.now)
        #expect(saved.changedKeys.isEmpty)
        #expect(try database.fetch(new.id) == saved)
    }

    @Test(arguments: Search.some(FieldType.allCases)) func everyTypeOfFieldRoundTrips(type: FieldType) throws {
        var new = try Record(type: "Sample")
        let value = try FieldSamples.stored(of: type, in: ada.publicDatabase)
        try new.set("value", to: value)
        let saved = try ada.publicDatabase.save(new)
        #expect(try bob.publicDatabase.fetch(new.id)["value"] == value)
        #expect(try ada.publicDatabase.fetch(new.id) == saved)
    }

    @Test func equalNamesInDifferentDatabasesAreDifferentRecords() throws {
        let id = try RecordID("settings")
        for (session, title) in [(ada, "Ada's"), (bob, "Bob's")] {
            _ = try session.privateDatabase.save(note(title, id: id))
        }
        _ = try ada.publicDatabase.save(note("shared", id: id))
        #expect(try ada.privateDatabase.fetch(id)["title"] == .string("Ada's"))
        #expect(try bob.privateDatabase.fetch(id)["title"] == .string("Bob's"))
        #expect(try bob.publicDatabase.fetch(id)["title"] == .string("shared"))
    }

    @Test func othersReadAPublicRecordButOnlyItsCreatorChangesIt() throws {
        var record = try ada.publicDatabase.save(note("Ada's"))
        #expect(try bob.publicDatabase.fetch(record.id) == record)
        #expect(try store.container.anonymousSession().publicDatabase.fetch(record.id) == record)
        try record.set("title", to: .string("Bob's"))
        for policy in SavePolicy.allCases {
            #expect(throws: error(.permissionFailure)) { try bob.publicDatabase.save(record, policy: policy) }
        }
        #expect(throws: error(.permissionFailure)) { try bob.publicDatabase.delete(record.id) }
        #expect(try ada.publicDatabase.fetch(record.id)["title"] == .string("Ada's"))
        try ada.publicDatabase.delete(record.id)
        #expect(throws: error(.unknownItem)) { try bob.publicDatabase.fetch(record.id) }
    }

    @Test func nobodyElseReachesAPrivateRecord() throws {
        let record = try ada.privateDatabase.save(note("secret"))
        for database in [bob.privateDatabase, bob.publicDatabase, ada.publicDatabase] {
            #expect(throws: error(.unknownItem)) { try database.fetch(record.id) }
            #expect(throws: error(.unknownItem)) { try database.delete(record.id) }
        }
        #expect(throws: error(.notAuthenticated)) {
            try store.container.anonymousSession().privateDatabase.fetch(record.id)
        }
        #expect(throws: error(.notAuthenticated)) {
            try store.container.anonymousSession().publicDatabase.save(note("nobody's"))
        }
    }

    @Test func aSuspendedAccountOnlyReadsThePublicDatabase() throws {
        let record = try ada.publicDatabase.save(note("public"))
        try store.account(of: ada).suspend()
        #expect(try ada.publicDatabase.fetch(record.id) == record)
        #expect(throws: error(.notAuthenticated)) { try ada.publicDatabase.save(record) }
        #expect(throws: error(.notAuthenticated)) { try ada.publicDatabase.delete(record.id) }
        #expect(throws: error(.notAuthenticated)) { try ada.privateDatabase.fetch(record.id) }
    }

    @Test func aNewRecordDoesNotReplaceOneWithTheSameName() throws {
        let id = try RecordID("settings")
        let first = try ada.privateDatabase.save(note("first", id: id))
        let failure = #expect(throws: KinfolkError.self) { try ada.privateDatabase.save(note("second", id: id)) }
        #expect(failure?.code == .serverRecordChanged && failure?.serverRecord == first)
        let second = try ada.privateDatabase.save(note("second", id: id), policy: .allKeys)
        #expect(second.createdAt == first.createdAt && second.changeTag != first.changeTag)
    }

    @Test func aDeletedRecordCanBeSavedAgainOnlyByForce() throws {
        let record = try ada.privateDatabase.save(note("first"))
        try ada.privateDatabase.delete(record.id)
        #expect(throws: error(.unknownItem)) { try ada.privateDatabase.fetch(record.id) }
        #expect(throws: error(.unknownItem)) { try ada.privateDatabase.delete(record.id) }
        #expect(throws: error(.unknownItem)) { try ada.privateDatabase.save(record) }
        #expect(try ada.privateDatabase.save(record, policy: .allKeys)["title"] == .string("first"))
    }

    @Test func aDeletionWithAStaleTagIsRefused() throws {
        let old = try ada.privateDatabase.save(note("first"))
        let new = try ada.privateDatabase.save(old)
        #expect(throws: error(.serverRecordChanged)) {
            try ada.privateDatabase.delete(old.id, changeTag: old.changeTag)
        }
        try ada.privateDatabase.delete(old.id, changeTag: new.changeTag)
    }

    @Test func severalRecordsAreFetchedInTheOrderOfTheirIDs() throws {
        let saved = try (0..<5).map { try ada.privateDatabase.save(note("\($0)")) }
        let results = try ada.privateDatabase.fetch(saved.reversed().map(\.id) + [RecordID()])
        #expect(results.prefix(5).map { try? $0.get() } == saved.reversed())
        #expect(results.last == .failure(error(.unknownItem)))
        #expect(throws: error(.limitExceeded)) { try ada.privateDatabase.fetch((0..<401).map { _ in RecordID() }) }
        #expect(try ada.privateDatabase.fetch([]).isEmpty)
    }

    @Test func aFetchOfSeveralEndsAfterTwoMegabytes() throws {
        let big = String(repeating: "x", count: 900_000)
        let saved = try (0..<4).map { _ in try ada.privateDatabase.save(note(big)) }
        let results = try ada.privateDatabase.fetch(saved.map(\.id))
        #expect(results.map { (try? $0.get()) != nil } == [true, true, true, false])
        #expect(results.last == .failure(error(.limitExceeded)))
    }

    @Test(arguments: Search.some(["", "_", "_notes", "_defaultZone", "ä", "a\n", String(repeating: "x", count: 256)]))
    func aRecordNameThatIsNotValidIsRefused(name: String) {
        #expect(throws: error(.invalidArgument)) { try RecordID(name) }
    }

    @Test func aUserRecordIsOneRecordAmongOthers() throws {
        let id = RecordID(try ada.userRecordID())
        #expect(try ada.publicDatabase.fetch(id) == ada.fetchUserRecord())
        #expect(try bob.publicDatabase.fetch(id).type == "Users")
        #expect(throws: error(.unknownItem)) { try bob.privateDatabase.fetch(id) }
        #expect(throws: error(.permissionFailure)) { try ada.publicDatabase.delete(id) }
        #expect(throws: error(.invalidArgument)) { try ada.publicDatabase.save(Record(type: "Users")) }
        #expect(throws: error(.invalidArgument)) { try ada.publicDatabase.save(Record(type: "Note", id: id)) }
        let failure = #expect(throws: KinfolkError.self) { try ada.publicDatabase.save(Record(type: "Users", id: id)) }
        #expect(failure?.code == .serverRecordChanged)
        #expect(throws: error(.permissionFailure)) {
            try bob.publicDatabase.save(Record(type: "Users", id: id), policy: .allKeys)
        }
    }

    @Test func aRecordOfAnotherDatabaseIsNotSavedHere() throws {
        let record = try ada.privateDatabase.save(note("private"))
        #expect(throws: error(.unknownItem)) { try ada.publicDatabase.save(record) }
        let other = try store.service.createContainer("com.example.chess").session(for: store.account(of: ada))
        #expect(throws: error(.unknownItem)) { try other.privateDatabase.save(record) }
        for policy in [SavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
            #expect(throws: error(.unknownItem)) { try bob.privateDatabase.save(record, policy: policy) }
        }
        #expect(try Array(bob.privateDatabase.run([.forceReplace(record)])) == [.failure(error(.unknownItem))])
    }

    private func error(_ code: KinfolkError.Code) -> KinfolkError { KinfolkError(code, "") }
}
