import Kinfolk
import ServiceSupport
import TestSupport
import Testing

@Suite struct SchemaTests {
    @Test func aContainerHasAtMostAThousandFields() throws {
        let store = try TestService()
        try store.container.setFieldLimit(1_001)
        let ada = try store.session("Ada")
        var record = try ada.fetchUserRecord()
        for number in 0..<1_000 { try record.set("field\(number)", to: .boolean(true)) }
        _ = try ada.save(record)
        // The record of another person, because one record has at most this many fields.
        let bob = try store.session("Bob")
        var bobs = try bob.fetchUserRecord()
        try bobs.set("field1000", to: .boolean(true))
        expect(.limitExceeded) { try bob.save(bobs) }
        try store.container.removeField("field7")
        _ = try bob.save(bobs)
    }

    private let store: TestService
    private let ada: Session
    private let bob: Session

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        bob = try store.session("Bob")
    }

    private func save(_ name: String, _ value: FieldValue, by session: Session, in database: DatabaseScope = .public)
        throws
    {
        var record = try session.fetchUserRecord(in: database)
        try record.set(name, to: value)
        _ = try session.save(record)
    }

    @Test func aFieldsTypeIsFixedForAllByItsFirstUse() throws {
        try save("size", .int64(1), by: ada)
        for database in DatabaseScope.allCases {
            let error = expect(.invalidArgument) { try save("size", .string("large"), by: bob, in: database) }
            #expect(error?.reason.contains("size") == true)
            expect(.invalidArgument) { try save("size", .int64List([1]), by: bob, in: database) }
            try save("size", .int64(2), by: bob, in: database)
        }
    }

    @Test func eachContainerHasItsOwnSchema() throws {
        try save("size", .int64(1), by: ada)
        let chat = try store.service.createContainer("com.example.chat")
        try save("size", .string("large"), by: store.session("Cleo", in: chat))
    }

    @Test(arguments: Search.some(["createdAt", "modified_by", "creationDate", "createdTimestamp", "recordName"]))
    func noFieldIsAddedWithTheNameOfASystemField(_ name: String) throws {
        let database = ada.publicDatabase
        var note = try Record(type: "Note")
        try note.set("title", to: .string("Groceries"))
        note = try database.save(note)
        try note.set(name, to: .string("a"))
        let error = expect(.invalidArgument) { try database.save(note) }
        #expect(error?.reason.contains("system field") == true)
        expect(.invalidArgument) { try store.container.addField(name, type: .date, to: "Note") }
        let text = "DEFINE SCHEMA RECORD TYPE Note (\n  \(name) TIMESTAMP);"
        let position = expect(.invalidArgument) { try store.container.applySchema(text) }
        #expect(position?.reason.hasPrefix("Line 2, column 3 ") == true)
        #expect(try !store.container.exportSchema().contains(name))
        try note.remove(name)
        _ = try database.save(note)
    }

    @Test func aRefusedSaveFixesNoType() throws {
        try save("size", .int64(1), by: ada)
        var record = try bob.fetchUserRecord()
        try record.set("aaa", to: .int64(1))
        try record.set("size", to: .string("large"))
        expect(.invalidArgument) { try bob.save(record) }
        try save("aaa", .string("free"), by: ada)
    }

    @Test func theTypeIsKeptWhenNoRecordHasTheField() throws {
        try save("size", .int64(1), by: ada)
        var record = try ada.fetchUserRecord()
        try record.remove("size")
        _ = try ada.save(record)
        expect(.invalidArgument) { try save("size", .string("large"), by: ada) }
    }

    @Test func theOperatorRemovesAFieldFromTheSchemaAndFromEveryRecord() throws {
        for session in [ada, bob] {
            for database in DatabaseScope.allCases {
                try save("size", .int64(1), by: session, in: database)
                try save("color", .string("green"), by: session, in: database)
            }
        }
        let stale = try ada.fetchUserRecord()
        try store.container.removeField("size")
        for session in [ada, bob] {
            for database in DatabaseScope.allCases {
                #expect(try session.fetchUserRecord(in: database).keys == ["color"])
            }
        }
        expect(.serverRecordChanged) { try ada.save(stale) }
        try save("size", .string("large"), by: ada)
        #expect(try ada.fetchUserRecord()["size"] == .string("large"))
    }

    @Test func aFieldIsRemovedFromMoreRecordsThanAPageHas() throws {
        let container = store.container
        let ids = try store.service.write { db in
            try (0..<1_100).map { _ in
                try container.join(store.service.createAccount(name: PersonName(), db).id, db)
            }
        }
        for account in try store.service.accounts(limit: 2_000) {
            try save("size", .int64(1), by: container.session(for: account))
        }
        try container.removeField("size")
        for id in ids { #expect(try ada.fetchUserRecord(id).keys.isEmpty) }
    }

    @Test func onlyAnExistingFieldCanBeRemoved() throws {
        expect(.unknownItem) { try store.container.removeField("size") }
        expect(.unknownItem) { try store.container.removeField("not a name") }
        try save("size", .int64(1), by: ada)
        let chat = try store.service.createContainer("com.example.chat")
        expect(.unknownItem) { try chat.removeField("size") }
        #expect(try ada.fetchUserRecord()["size"] == .int64(1))
    }
}
