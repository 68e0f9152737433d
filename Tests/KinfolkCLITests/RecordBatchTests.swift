import Foundation
import Testing

/// `record batch`.
@Suite struct RecordBatchTests {
    private let kinfolk: CommandLineTool

    init() throws { kinfolk = try CommandLineTool.withPeople() }

    /// Runs the lines as a batch of Ada's.
    private func batch(_ lines: [String], _ options: String = "") throws -> Run {
        _ = try kinfolk.file("batch.jsonl", lines.joined(separator: "\n"))
        return try kinfolk.session("ada@example.com", "record batch batch.jsonl --database public \(options)")
    }

    private func fetch(_ name: String) throws -> Run {
        try kinfolk.session("ada@example.com", "record fetch \(name) --database public --json")
    }

    private func results(_ run: Run) throws -> [[String: Any]] {
        try #require(try run.json()["results"] as? [[String: Any]])
    }

    private func create(_ name: String, _ fields: String = "{}") -> String {
        #"{"operation": "create", "type": "Note", "name": "\#(name)", "fields": \#(fields)}"#
    }

    @Test func eachLineHasAResult() throws {
        let made = try batch([create("a"), "", create("b"), #"{"operation":"create","type":"Note"}"#], "--json")
        #expect(made.status == 0, "\(made.errors)")
        #expect(try made.json()["done"] as? Int == 3)
        #expect(try results(made).map { $0["line"] as? Int } == [1, 3, 4])
        let tag = try #require(try fetch("a").json()["change_tag"] as? String)
        let run = try batch(
            [
                #"{"operation":"update","type":"Note","name":"a","change_tag":"\#(tag)","fields":{"x":1}}"#,
                #"{"operation":"delete","name":"missing too"}"#, create("b"),
                #"{"operation":"forceDelete","name":"missing"}"#,
            ],
            "--json"
        )
        #expect(run.status == 11)
        #expect(try run.json()["done"] as? Int == 2)
        #expect(try run.json()["failed"] as? Int == 2)
        let found = try results(run)
        #expect(found.map { $0["operation"] as? String } == ["update", "delete", "create", "forceDelete"])
        #expect(found.map { $0["error"] as? String } == [nil, "invalidArgument", "serverRecordChanged", nil])
        #expect((found[2]["server_record"] as? [String: Any])?["name"] as? String == "b")
        #expect(found[3]["record"] is NSNull)
        #expect((try run.errorJSON()["reason"] as? String)?.hasPrefix("2 of 4 failed: line 2, missing too: ") == true)
        let removal = try batch([#"{"operation":"forceDelete","name":"b"}"#])
        #expect(removal.status == 0 && removal.output.contains("deleted"))
        #expect(try fetch("b").status == 12)
    }

    @Test func theTableFitsATerminal() throws {
        _ = try kinfolk.file(
            "batch.jsonl",
            [create(String(repeating: "n", count: 255)), create("b"), create("b2")].joined(separator: "\n")
        )
        let options = "--database public --container \(CommandLineTool.container) --account ada@example.com"
        let run = try kinfolk.terminal("$kinfolk record batch batch.jsonl \(options)")
        #expect(run.status == 0)
        #expect(run.output.contains("LINE") && run.output.contains("3 lines done, 0 failed."))
        #expect(run.output.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 90 }, "\(run.output)")
    }

    @Test func anAtomicBatchIsStoppedByOneLine() throws {
        #expect(try batch([create("present")]).status == 0)
        let run = try batch([create("a"), create("present"), create("c")], "--atomic --json")
        #expect(run.status == 15)
        let errors = try results(run).map { $0["error"] as? String }
        #expect(errors == ["batchRequestFailed", "serverRecordChanged", "batchRequestFailed"])
        #expect((try run.errorJSON()["reason"] as? String)?.hasPrefix("Nothing was changed: line 2, present: ") == true)
        #expect(try fetch("a").status == 12 && fetch("c").status == 12)
        #expect(try batch([create("a"), create("c")], "--atomic").status == 0)
        #expect(try fetch("a").status == 0)
    }

    @Test func fieldsOfEveryTypeComeBackAsTheyWere() throws {
        let id = try kinfolk.userRecordID("ada@example.com")
        let values = [
            ("string", "\"a\\u00e9\\ud83d\\ude00\\n\""), ("int64", "-9223372036854775808"), ("double", "0.1"),
            ("boolean", "true"),
            ("bytes", "\"00ff\""), ("date", "\"2026-01-31T12:00:00.000000Z\""),
            ("location", "{\"latitude\":1.5,\"longitude\":-2}"),
            ("reference", "\"\(id)\""),
        ]
        let fields = values.flatMap { type, value in
            [
                "\"f_\(type)\": {\"type\": \"\(type)\", \"value\": \(value)}",
                "\"l_\(type)\": {\"value\": [\(value), \(value)], \"type\": \"\(type)[]\"}",
                "\"e_\(type)\": {\"type\": \"\(type)List\", \"value\": []}",
            ]
        }
        let run = try batch([create("a", "{\(fields.joined(separator: ", "))}")])
        #expect(run.status == 0, "\(run.errors)")
        let record = try fetch("a").json()
        let saved = try #require(record["fields"] as? [String: [String: Any]])
        #expect(saved.count == 24)
        for (type, value) in values {
            let parsed = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
            let expected = try #require(parsed as? NSObject)
            #expect(saved["f_\(type)"]?["value"] as? NSObject == expected)
            #expect(saved["f_\(type)"]?["type"] as? String == type)
            #expect(saved["l_\(type)"]?["value"] as? [NSObject] == [expected, expected])
            #expect((saved["e_\(type)"]?["value"] as? [Any])?.isEmpty == true)
        }
        // A record as it was printed is a line, once it has an operation.
        let copy = record.merging(["operation": "create", "name": "copy"]) { $1 }
        let line = String(decoding: try JSONSerialization.data(withJSONObject: copy), as: UTF8.self)
        #expect(try batch([line]).status == 0)
        #expect(try fetch("copy").json()["fields"] as? NSObject == saved as NSObject)
    }

    @Test func valuesWithoutATypeAreGuessedFromTheJSON() throws {
        #expect(try batch([create("a", #"{"s": "x", "i": 1, "d": 1.0, "e": 1e3, "b": false}"#)]).status == 0)
        let fields = try #require(try fetch("a").json()["fields"] as? [String: [String: Any]])
        let types = fields.mapValues { $0["type"] as? String }
        #expect(types == ["s": "string", "i": "int64", "d": "double", "e": "double", "b": "boolean"])
    }

    @Test func nullRemovesAField() throws {
        #expect(try batch([create("a", #"{"x": 1, "y": 2}"#)]).status == 0)
        #expect(try batch([#"{"operation":"forceUpdate","type":"Note","name":"a","fields":{"x":null}}"#]).status == 0)
        #expect(
            try fetch("a").json()["fields"] as? [String: [String: NSObject]] == [
                "y": ["type": "int64" as NSString, "value": 2 as NSNumber]
            ]
        )
        #expect(
            try batch([#"{"operation":"replace","type":"Note","name":"a","change_tag":"00","fields":{"x":null}}"#])
                .status == 11
        )
    }

    @Test func aReferenceIsAnObjectOrANameAndARecordHasAParent() throws {
        let fields = #"{"l": {"type": "reference", "value": {"name": "x"}}, "m": {"type": "reference", "value": "y"}}"#
        let line = #"{"operation":"create","type":"Note","name":"a","parent":"p","fields":\#(fields)}"#
        #expect(try batch([line]).status == 0)
        let record = try fetch("a").json()
        #expect(record["parent"] as? String == "p")
        let read = try #require(record["fields"] as? [String: [String: Any]])
        #expect(read["l"]?["value"] as? [String: String] == ["name": "x", "zone": "_defaultZone", "action": "none"])
        #expect((read["m"]?["value"] as? [String: String])?["name"] == "y")
        #expect(try batch([#"{"operation":"forceUpdate","type":"Note","name":"a","parent":null}"#]).status == 0)
        #expect(try fetch("a").json()["parent"] == nil)
    }

    @Test func aMalformedLineIsNamedAndNothingIsChanged() throws {
        let values = [
            "01", "18446744073709551616", "1e999", "[]", "{}", #"{"type":"float","value":1}"#,
            #"{"type":"int64","value":1.5}"#, #"{"type":"int64[]","value":1}"#,
            #"{"type":"location","value":{"latitude":91,"longitude":0}}"#, #"{"type":"reference","value":{"name":1}}"#,
            #"{"type":"reference","value":{"zone":"x"}}"#, #"{"type":"reference","value":{"name":"x","action":"y"}}"#,
            #"{"type":"reference","value":{"name":"x","a":"b"}}"#,
        ]
        let lines = [
            "{", "[]", "1", "\"a\"", "{} {}", "{'a':1}", "{\"operation\":}", "{\"operation\":\"create\",}",
            "{\"a\":1,\"a\":2}", "{\"operation\":\"create\",\"x\":1}", "nul", "{\"a\" 1}", "\"\\ud800\"", "\"\\u12\"",
            "\"a", "{\"operation\":\"create\",\"type\":\"Note\",\"fields\":[]}",
            "{\"operation\":\"create\",\"type\":\"Note\",\"fields\":{\"1x\":1}}", "{\"operation\":\"create\"}",
            "{\"operation\":\"save\",\"type\":\"Note\",\"name\":\"x\"}", "{\"operation\":\"delete\"}",
            "{\"operation\":\"create\",\"type\":\"Note\",\"name\":5}", "{\"type\":\"Note\",\"name\":\"x\"}",
            String(repeating: "[", count: 100_000),
        ]
        for line in lines + values.map({ create("b", "{\"x\":\($0)}") }) {
            let run = try batch([create("a"), line, create("c")])
            #expect(run.status == 11, "\(line.prefix(100))")
            #expect(run.output.isEmpty)
            #expect(run.errors.hasPrefix("Error (invalidArgument): Line 2: "), "\(run.errors)")
            #expect(run.errors.hasSuffix(" Nothing was changed.\n"))
            #expect(run.errors.utf8.count < 300)
        }
        #expect(try fetch("a").status == 12)
    }

    @Test func theColumnOfAFaultIsNamed() throws {
        #expect(try batch([#"{"operation": x}"#]).errors.contains("this is no value (column 15)"))
    }

    @Test func textThatIsNotUTF8IsRefused() throws {
        let run = try kinfolk.shell(
            "printf '{\"operation\":\"create\",\"type\":\"Note\",\"fields\":{\"a\":\"\\377\"}}' | $kinfolk record batch - --database public "
                + "--container \(CommandLineTool.container) --account ada@example.com"
        )
        #expect(run.status == 11)
        #expect(run.errors.contains("not UTF-8"))
    }

    @Test func moreThanFourHundredLinesAreRefused() throws {
        let refused = try batch((0...400).map { create("r\($0)", "{\"n\": \($0)}") })
        #expect(refused.status == 16)
        #expect(
            refused.errors.contains("at most 400 records") && refused.errors.contains("has 401 lines"),
            "\(refused.errors)"
        )
    }

    @Test func anEmptyOrMissingFileIsAnError() throws {
        #expect(try batch(["", " "]).status == 11)
        let missing = try kinfolk.session("ada@example.com", "record batch missing --database public")
        #expect(missing.status == 12)
    }
}
