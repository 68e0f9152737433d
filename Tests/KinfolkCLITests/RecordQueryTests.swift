import Foundation
import Testing

/// `record query`.
@Suite struct RecordQueryTests {
    private let kinfolk: CommandLineTool

    /// Five notes of Ada: n1 to n5, in the default zone and, the last one, in another.
    init() throws {
        kinfolk = try CommandLineTool.withPeople()
        let schema = """
            DEFINE SCHEMA
            RECORD TYPE Note (
                title STRING QUERYABLE, count INT64 QUERYABLE SORTABLE, due TIMESTAMP, place LOCATION, tags LIST<STRING>
            );
            """
        _ = try kinfolk.file("schema.ckdb", schema)
        _ = try kinfolk.shell("$kinfolk schema apply \(CommandLineTool.container) schema.ckdb")
        _ = try kinfolk.session("ada@example.com", "zone save Lists")
        let lines = [
            line("n1", #""title":"Groceries","count":1,"due":{"type":"date","value":"2026-01-01T00:00:00Z"}"#),
            line("n2", #""title":"groceries","count":2,"tags":{"type":"string[]","value":["home","red"]}"#),
            line(
                "n3",
                #""title":"Garden","count":3,"place":{"type":"location","value":{"latitude":47,"longitude":8}}"#
            ),
            line("n4", #""title":"Roses","place":{"type":"location","value":{"latitude":48,"longitude":8}}"#),
            line("n5", #""title":"Rome","count":-5"#, zone: "Lists"),
        ]
        _ = try kinfolk.file("batch.jsonl", lines.joined(separator: "\n"))
        let saved = try kinfolk.session("ada@example.com", "record batch batch.jsonl --database private")
        try #require(saved.status == 0, "\(saved.errors)")
    }

    private func line(_ name: String, _ fields: String, zone: String = "_defaultZone") -> String {
        #"{"operation":"create","type":"Note","name":"\#(name)","zone":"\#(zone)","fields":{\#(fields)}}"#
    }

    private func query(_ rest: String) throws -> Run {
        try kinfolk.session("ada@example.com", "record query \(rest) --database private")
    }

    private func names(_ rest: String) throws -> [String] {
        let run = try query("\(rest) --json")
        #expect(run.status == 0, "\(run.errors)")
        let records = try #require(try run.json()["records"] as? [[String: Any]])
        return records.compactMap { $0["name"] as? String }
    }

    @Test func aPredicateTakesArgumentsOfAllTypes() throws {
        let cases: [(rest: String, found: [String])] = [
            ("Note 'title = %@' GROCERIES", ["n1", "n2"]),
            ("Note 'count > %@ AND NOT count = %@' :int64=0 :int64=2", ["n1", "n3"]),
            ("Note 'count IN %@' :int64[]=-5,3", ["n5", "n3"]), ("Note '%K = %@' title Roses", ["n4"]),
            ("Note 'due <= %@' :date=2026-01-01T00:00:00Z", ["n1"]),
            ("Note 'distanceToLocation:fromLocation:(place, %@) < 1000' :location=47,8", ["n3"]),
            ("Note 'title = %@' :string=:string=", []),
            ("Note 'title = %@' \"x' OR TRUEPREDICATE OR title = 'x\"", []), ("Note --zone Lists", ["n5"]),
        ]
        for (rest, found) in cases { #expect(try names("\(rest) --sort count") == found, "\(rest)") }
    }

    @Test func recordsAreSortedByFieldsAndByDistance() throws {
        #expect(try names("Note --sort title --sort -count") == ["n3", "n2", "n1", "n5", "n4"])
        #expect(try names("Note 'place != NULL' --sort place:48,8") == ["n4", "n3"])
        for sort in ["--sort=--count", "--sort place:91,0", "--sort place:x", "--sort ''"] {
            #expect(try query("Note \(sort)").status == 11, "\(sort)")
        }
    }

    @Test func oneAnswerIsAPageAndItsCursorContinues() throws {
        let first = try query("Note 'count != NULL' --sort count --limit 3 --json")
        #expect((try first.json()["records"] as? [Any])?.count == 3)
        let cursor = try #require(try first.json()["cursor"] as? String)
        let second = try query("Note 'count != NULL' --sort count --limit 3 --cursor \(cursor) --json")
        #expect((try second.json()["records"] as? [[String: Any]])?.first?["name"] as? String == "n3")
        #expect(try second.json()["cursor"] is NSNull)
        #expect(try names("Note 'count != NULL' --sort count --limit 1 --all") == ["n5", "n1", "n2", "n3"])
        #expect(try query("Note --sort count --cursor \(cursor)").status == 11)
        for cursor in ["''", "xyz", "00", "0"] {
            #expect(try query("Note --cursor \(cursor)").status == 11, "\(cursor)")
        }
        let shown = try query("Note --sort -count --limit 2 --keys count")
        #expect(shown.lines.first?.hasPrefix("NAME  MODIFIED") == true, "\(shown.output)")
        #expect(shown.output.contains("count=3\n") && shown.output.contains("\n2 records.\nThere are more records."))
        #expect(try query("Note FALSEPREDICATE").output == "No record was found.\n")
    }

    @Test func recordsAreShownWithTheAskedFieldsAndTheirZones() throws {
        let shown = try query("Note 'count = 1' --keys title,count,missing")
        #expect(shown.output.contains("count=1  title=Groceries\n\n1 record.\n"), "\(shown.output)")
        #expect(!shown.output.contains("ZONE"))
        let zones = try query("Note --sort count --all")
        #expect(zones.lines.first?.hasSuffix("ZONE") == true)
        #expect(zones.output.contains("  Lists\n") && zones.output.contains("  _defaultZone\n"))
        let records = try query("Note 'count = 1' --keys '' --json").json()["records"] as? [[String: Any]]
        #expect((records?.first?["fields"] as? [String: Any])?.isEmpty == true)
    }

    @Test func recordsAreCountedAndQueriesExplained() throws {
        #expect(try query("Note 'count >= 1' --count").output == "3\n")
        #expect(try query("Note --count --json").json()["count"] as? Int == 5)
        let plain = try query("Note \"title = 'rome'\" --explain --zone Lists")
        #expect(plain.output.contains("indexes used        QUERYABLE title\n"), "\(plain.output)")
        #expect(plain.output.contains("indexes missing     none\n") && plain.output.contains("records opened      1\n"))
        let slow = try query("Note \"title BEGINSWITH 'G'\" --sort title --explain --json").json()
        #expect(slow["missing_indexes"] as? [String] == ["SORTABLE title"])
        #expect(slow["evaluates_records"] as? Bool == true && slow["sorts_records"] as? Bool == true)
        #expect(slow["records_discarded"] as? Int == 3)
    }

    @Test func whatIsWrongHasAnExitStatusAndAPosition() throws {
        let wrong = try query("Note 'title = %@ AND count @ 3' x")
        #expect(wrong.status == 11 && wrong.errors.contains("character 22"), "\(wrong.errors)")
        #expect(try query("Note 'count = %@' :int64=x").errors.contains("an argument of the predicate"))
        #expect(try query("Unknown").status == 12)
        #expect(try query("Note --zone Nowhere").status == 27)
        for usage in [
            "", "Note 'title = %@' :other=1", "Note 'title = %@' :int64", "Note --limit 0", "Note --limit 401",
            "Note --all --count", "Note --count --explain", "Note --count --keys a", "Note --explain --cursor 00",
        ] {
            #expect(try query(usage).status == 64, "\(usage)")
        }
    }
}
