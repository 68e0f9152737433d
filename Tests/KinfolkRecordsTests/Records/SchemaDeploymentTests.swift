import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// The deployment of a schema from development to production.
@Suite("Schema deployment") struct SchemaDeploymentTests {
    private let store: TestService
    private let development: Container
    private var production: Container { store.container }

    init() throws {
        store = try TestService()
        development = try store.service.container(store.container.name, environment: .development)
    }

    private func note(_ fields: [String: FieldValue]) throws -> Record {
        var note = try Record(type: "Note")
        for (name, value) in fields { try note.set(name, to: value) }
        return note
    }

    @Test func aDeployedSchemaIsFixed() throws {
        let ada = try store.session("Ada", in: production)
        _ = try ada.publicDatabase.save(note(["size": .int64(1)]))
        try development.applySchema(
            "DEFINE SCHEMA RECORD TYPE Note (title STRING QUERYABLE); RECORD TYPE Users (score INT64);"
        )
        let expected = try production.deploymentDifference()
        #expect(
            expected.changes.map(\.description) == [
                "Add the field title to Note: STRING QUERYABLE", "Add the field score to Users: INT64",
            ]
        )
        #expect(try development.deploymentDifference() == expected)
        #expect(try development.deploySchema() == expected)
        #expect(try production.deploymentDifference().isEmpty)
        _ = try ada.publicDatabase.save(note(["title": .string("a"), "size": .int64(2)]))
        for database in [ada.publicDatabase, ada.privateDatabase] {
            let failure = expect(.invalidArgument) { try database.save(note(["color": .string("red")])) }
            #expect(failure?.reason.contains("color") == true && failure?.reason.contains("deployed") == true)
            expect(.invalidArgument) { try database.save(Record(type: "Other")) }
        }
        var user = try ada.fetchUserRecord()
        try user.set("score", to: .int64(1))
        user = try ada.save(user)
        try user.set("level", to: .int64(1))
        expect(.invalidArgument) { try ada.save(user) }
        let grace = try store.session("Grace", in: development)
        _ = try grace.privateDatabase.save(note(["color": .string("red")]))
        // The operator still changes it.
        try production.addField("level", type: .int64)
        _ = try ada.save(user)
    }

    /// Otherwise an error about a type would tell what the private databases of others hold.
    @Test func aPrivateDatabaseAddsNothingInProduction() throws {
        let ada = try store.session("Ada", in: production)
        expect(.invalidArgument) { try ada.privateDatabase.save(note(["diagnosis": .string("x")])) }
        #expect(try production.exportSchema() == TestService.emptySchema)
        let grace = try store.session("Grace", in: production)
        _ = try grace.publicDatabase.save(note(["diagnosis": .int64(1)]))
    }

    @Test func aDeploymentWithoutDifferencesFixesTheSchema() throws {
        #expect(try production.deploySchema().isEmpty)
        let ada = try store.session("Ada", in: production)
        expect(.invalidArgument) { try ada.publicDatabase.save(note(["title": .string("a")])) }
        #expect(try production.deploySchema().isEmpty)
    }

    @Test func aDeploymentRemovesNothing() throws {
        try production.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Note ("___modTime" TIMESTAMP SORTABLE, title STRING SORTABLE, old INT64, GRANT READ TO Editor);
            RECORD TYPE Old (f INT64);
            """
        )
        try development.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Author;
            RECORD TYPE Note ("___modTime" TIMESTAMP QUERYABLE, title STRING QUERYABLE, GRANT WRITE TO Author);
            """
        )
        try development.deploySchema()
        #expect(
            try production.exportSchema() == """
                DEFINE SCHEMA

                    CREATE ROLE Author;
                    CREATE ROLE Editor;

                    RECORD TYPE Note (
                        "___modTime" TIMESTAMP QUERYABLE SORTABLE,
                        old          INT64,
                        title        STRING QUERYABLE SORTABLE,
                        GRANT WRITE TO Author,
                        GRANT READ TO Editor
                    );

                    RECORD TYPE Old (
                        f INT64,
                        GRANT WRITE TO "_creator",
                        GRANT CREATE TO "_icloud",
                        GRANT READ TO "_world"
                    );

                    RECORD TYPE Users (
                        GRANT WRITE TO "_creator",
                        GRANT READ TO "_world"
                    );

                """
        )
        #expect(try !development.exportSchema().contains("Old"))
    }

    @Test(arguments: ["size INT64", "flag INT64", "size STRING, secret STRING", "secret ENCRYPTED BYTES"])
    func aFieldWithAnotherTypeStopsTheDeployment(fields: String) throws {
        try production.applySchema(
            "DEFINE SCHEMA RECORD TYPE Note (size STRING, flag INT64 /* kinfolk: boolean */, secret ENCRYPTED STRING);"
        )
        try development.applySchema("DEFINE SCHEMA RECORD TYPE Fresh (f INT64); RECORD TYPE Note (\(fields));")
        let before = try production.exportSchema()
        for deploy in [development.deploySchema, production.deploySchema, production.deploymentDifference] {
            let failure = expect(.invalidArgument) { try deploy() }
            #expect(
                failure?.reason.contains(fields.contains("secret") ? "secret" : "size") == true
                    || fields.contains("flag")
            )
        }
        #expect(try production.exportSchema() == before)
        _ = try store.session("Ada", in: production).publicDatabase.save(note(["new": .int64(1)]))
    }

    @Test func aContainerWithoutDevelopmentDeploysNothing() throws {
        let container = try store.service.createContainer("com.example.chess")
        expect(.unknownItem) { try container.deploySchema() }
        expect(.unknownItem) { try container.deploymentDifference() }
        _ = try store.session("Ada", in: container).publicDatabase.save(note(["new": .int64(1)]))
    }

    @Test func aContainerThatIsMadeAgainHasANewSchema() throws {
        try development.applySchema("DEFINE SCHEMA RECORD TYPE Note (title STRING QUERYABLE);")
        try development.deploySchema()
        let name = production.name
        _ = try store.service.deleteContainer(name)
        for call in [development.exportSchema, production.exportSchema] { expect(.unknownItem) { try call() } }
        expect(.unknownItem) { try production.deploySchema() }
        let again = try store.service.createContainer(name)
        #expect(try again.exportSchema() == TestService.emptySchema)
        _ = try store.session("Ada", in: again).publicDatabase.save(note(["new": .int64(1)]))
    }
}
