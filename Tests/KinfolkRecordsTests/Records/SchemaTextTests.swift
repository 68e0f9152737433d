import Kinfolk
import KinfolkRecords
import ServiceSupport
import TestSupport
import Testing

/// Apple's schema language: what is read, how it is written, and where the errors are.
@Suite("Schema texts") struct SchemaTextTests {
    private let store: TestService
    private var container: Container { store.container }

    init() throws { store = try TestService() }

    /// As CloudKit's console exports a schema.
    private static let exported = """
        DEFINE SCHEMA

            CREATE ROLE DeptManager;

            RECORD TYPE Department (
                "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE QUERYABLE,
                address         STRING QUERYABLE SEARCHABLE SORTABLE,
                employees       LIST<REFERENCE>,
                headcount       NUMBER PREFERRED AS INT64,
                logo            ASSET,
                name            STRING,
                phone           LIST<STRING> QUERYABLE,
                plans           LIST<ASSET>,
                place           LOCATION QUERYABLE SORTABLE,
                secret          ENCRYPTED BYTES,
                secrets         LIST<ENCRYPTED STRING>,
                GRANT WRITE TO "_creator",
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world",
                GRANT WRITE, CREATE, READ TO DeptManager
            );

            RECORD TYPE Users (
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE,
                roles           LIST<INT64>,
                GRANT WRITE TO "_creator",
                GRANT READ TO "_world"
            );

        """

    @Test func anExportOfCloudKitAppliesAndIsWrittenBack() throws {
        let difference = try container.applySchema(SchemaTextTests.exported)
        #expect(difference.changes.contains { $0.kind == .addRole && $0.name == "DeptManager" })
        #expect(
            try container.exportSchema() == """
                DEFINE SCHEMA

                    CREATE ROLE DeptManager;

                    RECORD TYPE Department (
                        "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                        "___recordID"   REFERENCE QUERYABLE,
                        address         STRING QUERYABLE SORTABLE SEARCHABLE,
                        employees       LIST<REFERENCE>,
                        headcount       INT64,
                        logo            ASSET,
                        name            STRING,
                        phone           LIST<STRING> QUERYABLE,
                        place           LOCATION QUERYABLE SORTABLE,
                        plans           LIST<ASSET>,
                        secret          ENCRYPTED BYTES,
                        secrets         LIST<ENCRYPTED STRING>,
                        GRANT WRITE TO "_creator",
                        GRANT CREATE TO "_icloud",
                        GRANT READ TO "_world",
                        GRANT WRITE, CREATE, READ TO DeptManager
                    );

                    RECORD TYPE Users (
                        roles LIST<INT64>,
                        GRANT WRITE TO "_creator",
                        GRANT READ TO "_world"
                    );

                """
        )
        #expect(try container.schemaDifference(SchemaTextTests.exported, removesMissing: true).isEmpty)
    }

    @Test(
        arguments: Search.some([
            ("", 1, 1, "DEFINE"),
            ("DEFINE TABLE", 1, 8, "SCHEMA"),
            ("DEFINE SCHEMA\n  DROP ROLE x;", 2, 3, "CREATE ROLE or RECORD TYPE"),
            ("DEFINE SCHEMA RECORD TYPE Note ()", 1, 34, "\";\""),
            ("DEFINE SCHEMA\nRECORD TYPE Note (\n\ttitle\n);", 4, 1, "the type of a field"),
            ("DEFINE SCHEMA RECORD TYPE Note (title TEXT);", 1, 39, "\"TEXT\""),
            ("DEFINE SCHEMA RECORD TYPE Note (title STRING", 1, 45, "the end of the text"),
            ("DEFINE SCHEMA RECORD TYPE Note (title STRING, title INT64);", 1, 47, "twice"),
            ("DEFINE SCHEMA RECORD TYPE Note (title STRING,);", 1, 46, "a field"),
            ("DEFINE SCHEMA RECORD TYPE A (); RECORD TYPE A ();", 1, 45, "twice"),
            ("DEFINE SCHEMA CREATE ROLE A; CREATE ROLE A;", 1, 42, "twice"),
            ("DEFINE SCHEMA RECORD TYPE A (f LIST<LIST<INT64>>);", 1, 37, "no lists"),
            ("DEFINE SCHEMA RECORD TYPE A (f LIST INT64);", 1, 37, "\"<\""),
            ("DEFINE SCHEMA RECORD TYPE A (f ENCRYPTED REFERENCE);", 1, 42, "ENCRYPTED"),
            ("DEFINE SCHEMA RECORD TYPE A (f ENCRYPTED ASSET);", 1, 42, "ENCRYPTED"),
            ("DEFINE SCHEMA RECORD TYPE A (f ENCRYPTED STRING QUERYABLE);", 1, 49, "no index"),
            ("DEFINE SCHEMA RECORD TYPE A (f ASSET QUERYABLE);", 1, 38, "no index"),
            ("DEFINE SCHEMA RECORD TYPE A (f LIST<INT64> SORTABLE);", 1, 44, "cannot be SORTABLE"),
            ("DEFINE SCHEMA RECORD TYPE A (f INT64 SEARCHABLE);", 1, 38, "SEARCHABLE"),
            ("DEFINE SCHEMA RECORD TYPE A (f NUMBER);", 1, 32, "PREFERRED AS"),
            ("DEFINE SCHEMA RECORD TYPE A (queryable STRING);", 1, 30, "reserved"),
            ("DEFINE SCHEMA RECORD TYPE A (\"___etag\" INT64);", 1, 40, "STRING"),
            ("DEFINE SCHEMA RECORD TYPE A (\"___other\" INT64);", 1, 30, "reserved"),
            ("DEFINE SCHEMA RECORD TYPE _A (f INT64);", 1, 27, "starts with a letter"),
            ("DEFINE SCHEMA RECORD TYPE \"\" (f INT64);", 1, 27, "starts with a letter"),
            ("DEFINE SCHEMA RECORD TYPE A (GRANT DELETE TO x);", 1, 36, "READ, CREATE or WRITE"),
            ("DEFINE SCHEMA RECORD TYPE A (GRANT READ TO Editor);", 1, 44, "CREATE ROLE"),
            ("DEFINE SCHEMA RECORD TYPE A (GRANT READ TO \"_all\");", 1, 44, "no such role"),
            ("DEFINE SCHEMA /* ä\n */ RECORD TYPE \"A\nB\"", 2, 17, "not closed"),
            ("DEFINE SCHEMA RECORD TYPE \"A B\"", 1, 29, "letters"),
            ("DEFINE SCHEMA\r\n/* ää */ /* open", 2, 10, "not closed"),
            ("DEFINE SCHEMA RECORD TYPE ä", 1, 27, "ASCII"),
            ("DEFINE SCHEMA {", 1, 15, "\"{\""),
            ("DEFINE SCHEMA \u{0}", 1, 15, "ASCII"),
            // A boolean is marked, and its column counts each character once.
            ("DEFINE SCHEMA RECORD TYPE A (f INT64 /* ü */ SEARCHABLE);", 1, 46, "SEARCHABLE"),
        ])
    )
    func anErrorHasItsLineAndColumn(text: String, line: Int, column: Int, problem: String) throws {
        for removesMissing in [false, true] {
            let error = #expect(throws: KinfolkError.self) {
                try container.applySchema(text, removesMissing: removesMissing)
            }
            #expect(error?.code == .invalidArgument)
            #expect(
                error?.reason.hasPrefix("Line \(line), column \(column) of the schema text: ") == true,
                "\(error?.reason ?? "")"
            )
            #expect(error?.reason.contains(problem) == true, "\(error?.reason ?? "")")
        }
        #expect(try container.exportSchema() == TestService.emptySchema)
    }

    @Test func commentsAndSpaceMayStandAnywhere() throws {
        try container.applySchema(
            "\u{feff}-- one\ndefine/* two */schema // three\r\n\t record type Note(a string,-- four\nb/**/List</* x */double>queryable);"
        )
        #expect(try container.exportSchema().contains("a STRING,\n        b LIST<DOUBLE> QUERYABLE,"))
    }

    @Test func aNameThatIsAReservedWordIsInQuotes() throws {
        let text = "DEFINE SCHEMA RECORD TYPE \"grant\" (\"Queryable\" STRING SORTABLE, type INT64, \"list\" INT64);"
        try container.applySchema(text)
        let exported = try container.exportSchema()
        #expect(exported.contains("RECORD TYPE \"grant\" (") && exported.contains("\"Queryable\" STRING SORTABLE,"))
        #expect(try container.schemaDifference(exported, removesMissing: true).isEmpty)
    }

    @Test func aBooleanIsMarkedByACommentThatMayGetLost() throws {
        let text =
            "DEFINE SCHEMA RECORD TYPE A (f INT64 /* kinfolk: boolean */ QUERYABLE, g LIST<INT64 /* kinfolk: boolean */>);"
        try container.applySchema(text)
        let exported = try container.exportSchema()
        #expect(exported.contains("f INT64 /* kinfolk: boolean */ QUERYABLE,"))
        #expect(exported.contains("g LIST<INT64 /* kinfolk: boolean */>,"))
        // CloudKit drops comments.
        let plain = "DEFINE SCHEMA RECORD TYPE A (f INT64 QUERYABLE, g LIST<INT64>);"
        #expect(try container.schemaDifference(plain).isEmpty)
        // But a number does not become a boolean.
        try container.applySchema("DEFINE SCHEMA RECORD TYPE A (h INT64);")
        let error = expect(.invalidArgument) {
            try container.applySchema("DEFINE SCHEMA RECORD TYPE A (h INT64 /* kinfolk: boolean */);")
        }
        #expect(error?.reason.hasPrefix("Line 1, column 30 ") == true)
    }

    @Test func aTextThatIsTooLongIsRefused() throws {
        let text = "DEFINE SCHEMA" + String(repeating: " ", count: 8_000_000 - 13)
        #expect(try container.schemaDifference(text).isEmpty)
        expect(.limitExceeded) { try container.schemaDifference(text + " ") }
    }

    @Test(arguments: [
        ("RECORD TYPE A (", 1_001, "f", " INT64", ");"), ("", 1_001, "RECORD TYPE T", " ();", ""),
        ("", 101, "CREATE ROLE R", ";", ""),
    ])
    func moreThanTheLimitsIsRefused(start: String, count: Int, before: String, after: String, end: String) throws {
        func text(_ count: Int) -> String {
            let parts = (0..<count).map { "\(before)\($0)\(after)" }
            return "DEFINE SCHEMA \(start)\(parts.joined(separator: start.isEmpty ? "\n" : ","))\(end)"
        }
        expect(.limitExceeded) { try container.applySchema(text(count)) }
        #expect(try container.exportSchema() == TestService.emptySchema)
        // Users is a type too.
        try container.applySchema(text(count - 2))
        expect(.limitExceeded) { try container.applySchema(text(count)) }
    }
}

extension TestService {
    /// The schema of a new container.
    static let emptySchema = """
        DEFINE SCHEMA

            RECORD TYPE Users (
                GRANT WRITE TO "_creator",
                GRANT READ TO "_world"
            );

        """
}
