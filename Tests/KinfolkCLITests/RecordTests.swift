import Foundation
import Testing

@Suite struct RecordTests {
    private let kinfolk: CommandLineTool

    init() throws { kinfolk = try CommandLineTool.withPeople() }

    @discardableResult
    private func ada(_ command: String) throws -> Run {
        try kinfolk.session("ada@example.com", "session record \(command)")
    }

    private func value(of field: String, in run: Run) throws -> (type: String?, value: Any?) {
        let fields = try run.json()["fields"] as? [String: [String: Any]]
        return (fields?[field]?["type"] as? String, fields?[field]?["value"])
    }

    @Test func eachTypeIsSetAndShown() throws {
        let cases: [(text: String, type: String, json: String)] = [
            ("=x:y=z", "string", "\"x:y=z\""), (":string=", "string", "\"\""),
            (":int64=-9223372036854775808", "int64", "-9223372036854775808"), (":double=0.1", "double", "0.1"),
            (":double=-inf", "double", "\"-inf\""), (":boolean=true", "boolean", "true"),
            (":bytes=00FFee", "bytes", "\"00ffee\""), (":bytes=@avatar", "bytes", "\"0102\""),
            (":date=2026-01-31T12:00:00+01:00", "date", "\"2026-01-31T11:00:00.000000Z\""),
            (":date=2000-02-29T23:59:60.1234569Z", "date", "\"2000-03-01T00:00:00.123456Z\""),
            (":date=0000-03-01T00:00:00Z", "date", "\"0000-03-01T00:00:00.000000Z\""),
            (":date=1969-12-31T23:59:59.999999Z", "date", "\"1969-12-31T23:59:59.999999Z\""),
            (":location=47.5,-8.5", "location", "{\"latitude\":47.5,\"longitude\":-8.5}"),
            (":string[]=x,y\\,z,\\\\", "string[]", "[\"x\",\"y,z\",\"\\\\\"]"), (":string[]=", "string[]", "[]"),
            (":int64[]=1,2,1", "int64[]", "[1,2,1]"), (":double[]=0.5,2", "double[]", "[0.5,2]"),
            (":boolean[]=true,false", "boolean[]", "[true,false]"), (":bytes[]=00,ff", "bytes[]", "[\"00\",\"ff\"]"),
            (":date[]=1970-01-01T00:00:00Z", "date[]", "[\"1970-01-01T00:00:00.000000Z\"]"),
            (
                ":location[]=1,2;3,4", "location[]",
                "[{\"latitude\":1,\"longitude\":2},{\"latitude\":3,\"longitude\":4}]"
            ),
        ]
        _ = try kinfolk.file("avatar", "\u{1}\u{2}")
        let assignments = cases.enumerated().map { "'f\($0)\($1.text)'" }
        let set = try ada("set \(assignments.joined(separator: " "))")
        #expect(set.status == 0, "\(set.errors)")
        let record = try ada("get --json")
        for (number, (text, type, json)) in cases.enumerated() {
            let found = try value(of: "f\(number)", in: record)
            #expect(found.type == type, "\(text)")
            let expected = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
            #expect((found.value as? NSObject) == (expected as? NSObject), "\(text)")
        }
    }

    @Test func aMalformedValueSetsNothing() throws {
        for assignment in [
            "a:int64=9223372036854775808", "a:int64=1.0", "a:double=x", "a:boolean=yes", "a:bytes=0",
            "a:bytes=@missing", "a:date=2026-02-29T00:00:00Z", "a:date=2026-01-01", "a:date=2026-01-01T00:00:00",
            "a:date=2026-01-01T24:00:00Z", "a:location=91,0", "a:location=1", "a:reference=_00", "a:int64[]=1,,2",
            "1a=x", "=x",
        ] {
            #expect([11, 12].contains(try ada("set b=1 '\(assignment)'").status), "\(assignment)")
        }
        #expect(try ada("get").output.contains("No field is set."))
    }

    @Test func anUnknownTypeIsAUsageError() throws {
        for assignment in ["a:float=1", "a:string[=x", "a", "a:=x"] {
            #expect(try ada("set '\(assignment)'").status == 64, "\(assignment)")
        }
    }

    @Test func aFieldKeepsItsTypeIfNoneIsGiven() throws {
        try ada("set score:int64=5")
        try ada("set score=6")
        let found = try value(of: "score", in: ada("get --json"))
        #expect(found.type == "int64")
        #expect(found.value as? Int == 6)
        #expect(try ada("set score=x").status == 11)
        #expect(try ada("set score:string=x").status == 11)
    }

    @Test func aReferenceToARecordHasAnAction() throws {
        let grace = try kinfolk.userRecordID("grace@example.org")
        try ada("set friend:reference=\(grace) 'friends:reference[]=\(grace),\(grace)'")
        try ada("set list:reference=groceries odd:reference=none:validate:x 'lists:reference[]=a\\,b,none:c'")
        let record = try ada("get --json")
        #expect(try value(of: "friend", in: record).value as? String == grace)
        #expect(try value(of: "friends", in: record).value as? [String] == [grace, grace])
        let list = try #require(try value(of: "list", in: record).value as? [String: String])
        #expect(list == ["name": "groceries", "zone": "_defaultZone", "action": "none"])
        #expect(try (value(of: "odd", in: record).value as? [String: String])?["name"] == "validate:x")
        let names = try (value(of: "lists", in: record).value as? [[String: String]])?.map { $0["name"] }
        #expect(names == ["a,b", "c"])
        let shown = try ada("get")
        #expect(shown.lines.contains { $0.hasPrefix("odd ") && $0.hasSuffix(" none:validate:x") })
        #expect(shown.lines.contains { $0.hasPrefix("lists ") && $0.hasSuffix(" a\\,b,c") })
        #expect(try ada("set friend:reference=validate:").status == 11)
    }

    @Test func thePrivateRecordAndThoseOfOthersAreNamed() throws {
        #expect(try ada("set --private diary=secret").status == 11)
        try kinfolk("container", "add-field", CommandLineTool.container, "diary", "string")
        try ada("set --private diary=secret")
        #expect(try ada("get --private").output.contains("secret"))
        try ada("set motto='Per aspera'")
        let id = try kinfolk.userRecordID("ada@example.com")
        let read = try kinfolk.session("grace@example.org", "session record get --record-id \(id)")
        #expect(read.output.contains("Per aspera") && !read.output.contains("secret"))
        #expect(try ada("get --record-id _\(String(repeating: "0", count: 32))").status == 12)
    }

    @Test func aStaleChangeTagIsRefusedAndTheServersRecordIsShown() throws {
        let tag = try #require(try ada("get --json").json()["change_tag"] as? String)
        try ada("set a=1")
        let refused = try ada("set a=2 --change-tag \(tag) --json")
        #expect(refused.status == 15)
        #expect(refused.output.isEmpty)
        let server = try #require(try refused.errorJSON()["server_record"] as? [String: Any])
        let current = try #require(server["change_tag"] as? String)
        #expect(try ada("set a=2 --change-tag \(current)").status == 0)
        #expect(try ada("set a=3 --change-tag \(tag) --policy changed-keys").status == 0)
        #expect(try value(of: "a", in: ada("get --json")).value as? String == "3")
    }

    @Test func aFieldIsRemoved() throws {
        try ada("set a=1 b=2")
        #expect(try ada("remove a").status == 0)
        #expect(try ada("remove a").status == 12)
        #expect(try value(of: "a", in: ada("get --json")).value == nil)
        #expect(try value(of: "b", in: ada("get --json")).value as? String == "2")
    }
}
