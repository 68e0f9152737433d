import Kinfolk
import KinfolkModel
import KinfolkRecords
import ServiceSupport
import TestSupport
import Testing

/// What a schema text changes in a container that is in use.
@Suite("Schema changes") struct SchemaChangeTests {
    private let store: TestService
    private let ada: Session
    private var container: Container { store.container }

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        try apply("title STRING, size INT64 QUERYABLE")
    }

    @discardableResult
    private func apply(_ fields: String, removesMissing: Bool = false) throws -> [String] {
        let text = "DEFINE SCHEMA RECORD TYPE Note (\(fields));"
        let expected = try container.schemaDifference(text, removesMissing: removesMissing)
        let difference = try container.applySchema(text, removesMissing: removesMissing)
        try container.buildIndexes()
        #expect(difference == expected)
        #expect(try container.schemaDifference(text, removesMissing: removesMissing).isEmpty)
        return difference.changes.map(\.description)
    }

    private func save(_ title: String, in database: DatabaseScope = .public) throws -> Record {
        var note = try Record(type: "Note")
        try note.set("title", to: .string(title))
        try note.set("size", to: .int64(7))
        return try ada.database(database).save(note)
    }

    /// Whether the index of a field finds a record by its value.
    private func isIndexed(_ record: Record, by field: String) throws -> Bool {
        let value = try #require(record[field])
        return try store.service.read { db in
            let keys = try store.service.keys(ofContainer: container.number, in: db)
            let owner = try record.database == .private ? ada.userRecordID() : nil
            let place = RecordPlace(ofPrivate: owner, in: container.number, keys)
            let schema = try store.service.schemas.schema(of: container.number, store.service, db)
            let row = try #require(try RecordTable.row(record.id, in: place, db))
            let definition = try #require(schema.types["Note"]?.fields[field])
            let number = try #require(row.number)
            return try IndexValue.all(of: value).allSatisfy {
                let tag = place.tags[row.epoch].value($0, ofField: definition.number)
                let entry = IndexEntry(scope: IndexScope(of: place).key, tag: tag)
                return try IndexTable.has(entry, of: number, in: container.number, db)
            }
        }
    }

    @Test(arguments: DatabaseScope.allCases)
    func anIndexThatIsAddedHasTheRecordsThatExist(scope: DatabaseScope) throws {
        let record = try save("Groceries", in: scope)
        #expect(try !isIndexed(record, by: "title") && isIndexed(record, by: "size"))
        #expect(try apply("title STRING QUERYABLE") == ["Index the field title of Note: QUERYABLE"])
        #expect(try isIndexed(record, by: "title") && isIndexed(record, by: "size"))
        #expect(try ada.database(scope).fetch(record.id) == record)
        #expect(try isIndexed(save("later", in: scope), by: "title"))
    }

    @Test(arguments: DatabaseScope.allCases)
    func anIndexThatIsRemovedLosesItsEntries(scope: DatabaseScope) throws {
        let record = try save("Groceries", in: scope)
        #expect(try apply("size INT64") == ["Remove an index of the field size of Note: QUERYABLE"])
        #expect(try !isIndexed(record, by: "size"))
        #expect(try ada.database(scope).fetch(record.id) == record)
        try ada.database(scope).delete(record.id)
        #expect(try store.service.check().isSound)
    }

    @Test func indexesChangeDuringARotation() throws {
        let records = try (0..<250).map { try save("\($0)") }
        var count = 0
        _ = try store.service.rotateKeys { _ in
            count += 1
            do { try apply(count % 2 == 1 ? "title STRING QUERYABLE" : "title STRING") } catch { Issue.record(error) }
        }
        #expect(count > 0)
        try apply("title STRING QUERYABLE")
        for record in records { #expect(try isIndexed(record, by: "title")) }
        #expect(try store.service.check().isSound)
    }

    @Test func aFieldOfATextIsAddedAndNothingIsRemoved() throws {
        let record = try save("Groceries")
        #expect(try apply("due TIMESTAMP SORTABLE") == ["Add the field due to Note: TIMESTAMP SORTABLE"])
        #expect(try ada.publicDatabase.fetch(record.id) == record)
        #expect(try container.exportSchema().contains("title STRING"))
    }

    @Test func whatIsMissingIsRemovedOnRequest() throws {
        let record = try save("Groceries")
        try container.addField("nickname", type: .string)
        try container.applySchema("DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Other (f INT64);")
        var other = try Record(type: "Other")
        try other.set("f", to: .int64(1))
        other = try ada.privateDatabase.save(other)
        let changes = try apply("title STRING", removesMissing: true)
        #expect(
            changes == [
                "Remove the role Editor", "Remove the field size from Note, with its values",
                "Remove the record type Other, with all its records",
            ]
        )
        #expect(try ada.publicDatabase.fetch(record.id).keys == ["title"])
        expect(.unknownItem) { try ada.privateDatabase.fetch(other.id) }
        // The record type of users stays as it is if the text does not name it.
        #expect(try container.exportSchema().contains("nickname STRING"))
        let users = "DEFINE SCHEMA RECORD TYPE Note (title STRING); RECORD TYPE Users (score INT64);"
        try container.applySchema(users, removesMissing: true)
        #expect(try !container.exportSchema().contains("nickname"))
        #expect(try store.service.check().isSound)
    }

    @Test func aFieldThatWasRemovedMayHaveAnotherType() throws {
        let record = try save("Groceries")
        try apply("title STRING", removesMissing: true)
        try apply("size STRING QUERYABLE")
        var changed = try ada.publicDatabase.fetch(record.id)
        try changed.set("size", to: .string("large"))
        #expect(try isIndexed(ada.publicDatabase.save(changed), by: "size"))
    }

    @Test(arguments: ["STRING", "LIST<INT64>", "ENCRYPTED INT64", "ASSET", "INT64 /* kinfolk: boolean */", "DOUBLE"])
    func aFieldKeepsItsType(type: String) throws {
        let before = try container.exportSchema()
        let text =
            "DEFINE SCHEMA CREATE ROLE Editor;\nRECORD TYPE Note (due TIMESTAMP, title STRING QUERYABLE,\n  size \(type));"
        let failure = expect(.invalidArgument) { try container.applySchema(text) }
        #expect(
            failure?.reason
                == "Line 3, column 3 of the schema text: the field size of the record type Note has the type INT64, "
                + "which cannot become \(type)."
        )
        #expect(try container.exportSchema() == before)
    }

    @Test func anAssetIsDeclaredButNotSavedYet() throws {
        try apply("picture ASSET, pictures LIST<ASSET>")
        #expect(try store.service.check().isSound)
        var note = try Record(type: "Note")
        try note.set("picture", to: .bytes([1]))
        let failure = expect(.invalidArgument) { try ada.publicDatabase.save(note) }
        #expect(failure?.reason.contains("asset") == true)
        #expect(try apply("title STRING, size INT64 QUERYABLE", removesMissing: true).count == 2)
        _ = try ada.publicDatabase.save(note)
    }

    @Test func theOperatorDeclaresTheIndexesOfAField() throws {
        try container.addField("plain", type: .string, indexes: [], to: "Note")
        try container.addField("order", type: .int64, indexes: [.queryable, .sortable], to: "Note")
        try container.addField("usual", type: .string, to: "Note")
        let exported = try container.exportSchema()
        for line in ["plain STRING,", "order INT64 QUERYABLE SORTABLE,", "usual STRING QUERYABLE,"] {
            #expect(exported.contains(line))
        }
        expect(.invalidArgument) { try container.addField("list", type: .int64List, indexes: .sortable, to: "Note") }
        expect(.invalidArgument) { try container.addField("number", type: .int64, indexes: .searchable, to: "Note") }
        expect(.conflict) { try container.addField("plain", type: .string, indexes: .queryable, to: "Note") }
    }

    @Test func grantsAreKeptAndWrittenBack() throws {
        let before = try container.exportSchema()
        let text =
            "DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Note (GRANT READ, WRITE TO Editor, GRANT READ TO \"_icloud\");"
        let changes = try container.applySchema(text).changes.map(\.description)
        #expect(
            changes == [
                "Create the role Editor", "Revoke from _creator on Note: WRITE", "Grant to _icloud on Note: READ",
                "Revoke from _icloud on Note: CREATE", "Revoke from _world on Note: READ",
                "Grant to Editor on Note: WRITE, READ",
            ]
        )
        let exported = try container.exportSchema()
        #expect(exported.contains("GRANT READ TO \"_icloud\",\n        GRANT WRITE, READ TO Editor\n"))
        // A type without a grant keeps those that it has.
        #expect(try container.schemaDifference("DEFINE SCHEMA RECORD TYPE Note ();").isEmpty)
        try container.applySchema(before, removesMissing: true)
        #expect(try container.exportSchema() == before)
    }

    @Test func aRoleStaysWhileATypeThatIsNotNamedHasAGrantToIt() throws {
        try container.applySchema("DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Users (GRANT READ TO Editor);")
        expect(.invalidArgument) { try apply("title STRING", removesMissing: true) }
        #expect(try container.exportSchema().contains("GRANT READ TO Editor"))
    }

}
