import Kinfolk
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// Records over the protocol of CloudKit Web Services.
@Suite("Web services: records") struct WebRecordTests {
    private let store: TestService
    private let ada: WebClient

    init() throws {
        store = try TestService()
        _ = try store.account("Ada", emails: "ada@example.com")
        ada = try WebClient(store, for: "ada@example.com")
    }

    private func create(_ name: String, _ fields: String, in database: String = "private") -> WebReply {
        ada.ask(
            "records/modify",
            in: database,
            """
            {"operations": [{"operationType": "create", "record":
                {"recordType": "Note", "recordName": "\(name)", "fields": \(fields)}}]}
            """
        )
    }

    @Test func aRecordIsCreatedAndLookedUp() {
        let saved = create("a", #"{"title": {"value": "Milk"}, "count": {"value": 3}}"#)
        #expect(saved.status == 200)
        #expect(saved["records.0.recordName"] == "a" && saved["records.0.recordType"] == "Note")
        #expect(saved["records.0.fields.title"] == #"{"value": "Milk", "type": "STRING"}"#)
        #expect(saved["records.0.fields.count"] == #"{"value": 3, "type": "INT64"}"#)
        #expect(saved["records.0.zoneID.zoneName"] == "_defaultZone")
        let found = ada.ask("records/lookup", #"{"records": [{"recordName": "a"}, {"recordName": "b"}]}"#)
        #expect(found.status == 200)
        #expect(found["records.0"] == saved["records.0"])
        #expect(found["records.1.recordName"] == "b" && found["records.1.serverErrorCode"] == "NOT_FOUND")
        // The same from a client that sends names, and wants one field.
        let short = ada.ask("records/lookup", #"{"records": ["a"], "desiredKeys": ["count"]}"#)
        #expect(short["records.0.fields"] == #"{"count": {"value": 3, "type": "INT64"}}"#)
    }

    @Test(
        arguments: Search.some([
            (#"{"value": "text"}"#, #"{"value": "text", "type": "STRING"}"#),
            (#"{"value": 5}"#, #"{"value": 5, "type": "INT64"}"#),
            (#"{"value": 9223372036854775807}"#, #"{"value": 9223372036854775807, "type": "INT64"}"#),
            (#"{"value": 0.5}"#, #"{"value": 0.5, "type": "DOUBLE"}"#),
            (#"{"value": 5, "type": "DOUBLE"}"#, #"{"value": 5.0, "type": "DOUBLE"}"#),
            (#"{"value": true}"#, #"{"value": 1, "type": "INT64"}"#),
            (#"{"value": "AAEC", "type": "BYTES"}"#, #"{"value": "AAEC", "type": "BYTES"}"#),
            (#"{"value": 1422312944104, "type": "TIMESTAMP"}"#, #"{"value": 1422312944104, "type": "TIMESTAMP"}"#),
            (#"{"value": -1, "type": "TIMESTAMP"}"#, #"{"value": -1, "type": "TIMESTAMP"}"#),
            (
                #"{"value": {"latitude": 48.5, "longitude": 2}}"#,
                #"{"value": {"latitude": 48.5, "longitude": 2.0}, "type": "LOCATION"}"#
            ),
            (
                #"{"value": {"recordName": "x", "action": "NONE"}}"#,
                """
                {"value": {"recordName": "x", "action": "NONE", "zoneID": {"zoneName": "_defaultZone", "ownerRecordName": "OWNER", \
                "zoneType": "DEFAULT_ZONE"}}, "type": "REFERENCE"}
                """
            ),
            (#"{"value": ["a", "b"]}"#, #"{"value": ["a", "b"], "type": "STRING_LIST"}"#),
            (#"{"value": [], "type": "INT64_LIST"}"#, #"{"value": [], "type": "INT64_LIST"}"#),
            (#"{"value": ["AA=="], "type": "BYTES_LIST"}"#, #"{"value": ["AA=="], "type": "BYTES_LIST"}"#),
        ])
    )
    func aValueRoundTrips(sent: String, answered: String) throws {
        let owner = try #require(ada.ask("users/current", in: "public", nil)["userRecordName"])
        let saved = create("a", #"{"x": \#(sent)}"#)
        #expect(saved["records.0.fields.x"] == answered.replacing("OWNER", with: owner))
        // What was read can be written back.
        let tag = try #require(saved["records.0.recordChangeTag"])
        let again = ada.ask(
            "records/modify",
            """
            {"operations": [{"operationType": "update", "record":
                {"recordName": "a", "recordChangeTag": "\(tag)", "fields": \(saved["records.0.fields"] ?? "")}}]}
            """
        )
        #expect(again["records.0.fields"] == saved["records.0.fields"])
    }

    @Test func anUpdateNeedsTheTagAndKeepsOtherFields() throws {
        let saved = create("a", #"{"title": {"value": "Milk"}, "count": {"value": 3}}"#)
        let tag = try #require(saved["records.0.recordChangeTag"])
        func modify(_ kind: String, _ members: String) -> WebReply {
            ada.ask(
                "records/modify",
                #"{"operations": [{"operationType": "\#(kind)", "record": {"recordName": "a", \#(members)}}]}"#
            )
        }
        #expect(modify("update", #""fields": {}"#)["reason"] == "operations[0].record.recordChangeTag is missing.")
        let updated = modify(
            "update",
            #""recordChangeTag": "\#(tag)", "fields": {"count": {"value": 4}, "title": null}"#
        )
        #expect(updated["records.0.fields"] == #"{"count": {"value": 4, "type": "INT64"}}"#)
        #expect(
            modify("update", #""recordChangeTag": "\#(tag)", "fields": {}"#)["records.0.serverErrorCode"] == "CONFLICT"
        )
        #expect(modify("update", #""recordChangeTag": "1e", "fields": {}"#)["records.0.serverErrorCode"] == "CONFLICT")
        let forced = modify("forceUpdate", #""fields": {"title": {"value": "Oil"}}"#)
        #expect(forced["records.0.fields.count.value"] == "4" && forced["records.0.fields.title.value"] == "Oil")
        let replaced = modify("forceReplace", #""fields": {"title": {"value": "Salt"}}"#)
        #expect(replaced["records.0.fields"] == #"{"title": {"value": "Salt", "type": "STRING"}}"#)
        #expect(modify("create", #""recordType": "Note", "fields": {}"#)["records.0.serverErrorCode"] == "EXISTS")
        #expect(modify("delete", #""recordChangeTag": "\#(tag)""#)["records.0.serverErrorCode"] == "CONFLICT")
        let deleted = modify("forceDelete", #""recordType": "Note""#)
        #expect(deleted["records.0.deleted"] == "true" && deleted["records.0.recordName"] == "a")
        #expect(modify("delete", #""recordChangeTag": "\#(tag)""#)["records.0.serverErrorCode"] == "NOT_FOUND")
        #expect(modify("forceDelete", #""fields": {}"#)["records.0.deleted"] == "true")
    }

    @Test func anAtomicRequestChangesNothingIfOneOperationFails() throws {
        _ = ada.ask(
            "zones/modify",
            #"{"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Notes"}}}]}"#
        )
        func create(_ names: [String], _ members: String) -> WebReply {
            let operations = names.map {
                #"{"operationType": "create", "record": {"recordType": "Note", "recordName": "\#($0)"}}"#
            }
            return ada.ask("records/modify", #"{"operations": [\#(operations.joined(separator: ","))]\#(members)}"#)
        }
        let zone = #", "zoneID": {"zoneName": "Notes"}"#
        #expect(create(["a"], zone).status == 200)
        // Custom zones are atomic unless the client says otherwise.
        let failed = create(["b", "a"], zone)
        #expect(failed.status == 400 && failed["serverErrorCode"] == "ATOMIC_ERROR")
        #expect(
            failed["records.0.serverErrorCode"] == "ATOMIC_ERROR" && failed["records.1.serverErrorCode"] == "EXISTS"
        )
        let partly = create(["b", "a"], zone + #", "atomic": false"#)
        #expect(partly.status == 200)
        #expect(partly["records.0.recordName"] == "b" && partly["records.1.serverErrorCode"] == "EXISTS")
        // A name that cannot be is an error like others.
        let malformed = create(["c", "_x"], zone)
        #expect(malformed.status == 400 && malformed["records.1.serverErrorCode"] == "BAD_REQUEST")
        #expect(create(["c"], zone).status == 200)
        // The default zone is not, unless the client wants it.
        #expect(create(["d", "d2", "_x"], "").status == 200)
        #expect(create(["e", "d"], #", "atomic": 1"#).status == 400)
        #expect(ada.ask("records/lookup", #"{"records": ["d", "e"]}"#)["records.1.serverErrorCode"] == "NOT_FOUND")
    }

    @Test func microsecondsOfADateSurviveAClientThatKnowsMilliseconds() throws {
        let session = try ada.container.session(for: store.service.account(email: EmailAddress("ada@example.com")))
        var record = try Record(type: "Note", id: RecordID("a"))
        let date = Timestamp(microseconds: 1_422_312_944_104_567)
        try record.set("due", to: .date(date))
        try record.set("all", to: .dateList([date, date]))
        _ = try session.privateDatabase.save(record)
        let read = ada.ask("records/lookup", #"{"records": ["a"]}"#)
        #expect(read["records.0.fields.due.value"] == "1422312944104")
        func save(_ fields: String) -> WebReply {
            ada.ask(
                "records/modify",
                #"{"operations": [{"operationType": "forceUpdate", "record": {"recordName": "a", "fields": \#(fields)}}]}"#
            )
        }
        #expect(save(try #require(read["records.0.fields"])).status == 200)
        #expect(try session.privateDatabase.fetch(RecordID("a"))["due"] == .date(date))
        #expect(try session.privateDatabase.fetch(RecordID("a"))["all"] == .dateList([date, date]))
        #expect(save(#"{"due": {"value": 1422312944105}}"#).status == 200)
        let later = FieldValue.date(Timestamp(microseconds: 1_422_312_944_105_000))
        #expect(try session.privateDatabase.fetch(RecordID("a"))["due"] == later)
    }

    @Test(
        arguments: Search.some(
            [
                ("", "operations is missing."), ("[]", "The body is not a JSON object."),
                ("{", "The body is not JSON: the name of a member is expected (byte 2)."),
                (#"{"operations": {}}"#, "operations is not an array."),
                (#"{"operations": [5]}"#, "operations[0] is not an object."),
                (#"{"operations": [{"operationType": "save", "record": {}}]}"#, nil),
                (#"{"operations": [{"operationType": "create"}]}"#, "operations[0].record is missing."),
                (
                    #"{"operations": [{"operationType": "create", "record": {"recordName": 5}}]}"#,
                    "operations[0].record.recordName is not a text."
                ),
                (
                    #"{"operations": [{"operationType": "create", "record": {"fields": []}}]}"#,
                    "operations[0].record.fields is not an object."
                ),
                (
                    #"{"operations": [{"operationType": "update", "record": {}}]}"#,
                    "operations[0].record.recordName is missing."
                ),
                (#"{"operations": [], "zoneID": "x"}"#, "zoneID is not an object."),
                (#"{"operations": [], "atomic": 2}"#, "atomic is not true or false."),
                (#"{"a": 1, "a": 2}"#, "The body is not JSON: two members have the same name (byte 13)."),
                (
                    String(repeating: "[", count: 100),
                    "The body is not JSON: the brackets are nested too deeply (byte 81)."
                ),
            ] as [(String, String?)]
        )
    )
    func aWrongBodyIsRefusedAndTheFaultNamed(body: String, reason: String?) {
        let reply = ada.ask("records/modify", body)
        #expect(reply.status == 400 && reply["serverErrorCode"] == "BAD_REQUEST")
        #expect(reply["uuid"]?.count == 36)
        if let reason { #expect(reply["reason"] == reason) }
    }
}
