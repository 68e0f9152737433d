import Kinfolk
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// Queries over the protocol of CloudKit Web Services.
@Suite("Web services: queries") struct WebQueryTests {
    private let store: TestService
    private let session: Session
    private let ada: WebClient

    init() throws {
        store = try TestService()
        let account = try store.account("Ada", emails: "ada@example.com")
        ada = try WebClient(store, for: "ada@example.com")
        session = try ada.container.session(for: account)
        for (name, type) in [
            ("name", FieldType.string), ("age", .int64), ("due", .date), ("tags", .stringList), ("place", .location),
            ("isDone", .boolean), ("friend", .reference),
        ] {
            try ada.container.addField(
                name,
                type: type,
                indexes: type == .string ? [.queryable, .sortable, .searchable] : nil,
                to: "Person"
            )
        }
        for number in 0..<5 {
            var record = try Record(type: "Person", id: RecordID("p\(number)"))
            try record.set("name", to: .string(["Ada", "Ben", "Cleo", "Dan", "Eve"][number]))
            try record.set("age", to: .int64(Int64(number)))
            try record.set("due", to: .date(Timestamp(microseconds: Int64(number) * 1_000_000 + 500)))
            try record.set("tags", to: .stringList(["t\(number)", number.isMultiple(of: 2) ? "even" : "odd"]))
            try record.set("place", to: .location(Location(latitude: Double(number), longitude: 0)))
            try record.set("isDone", to: .boolean(number > 2))
            if number > 0 { try record.set("friend", to: .reference(Reference(RecordID("p\(number - 1)")))) }
            _ = try session.privateDatabase.save(record)
        }
    }

    private func names(_ members: String, _ reply: WebReply? = nil) -> [String] {
        let reply = ada.ask("records/query", #"{"query": {"recordType": "Person", \#(members)}}"#)
        guard reply.status == 200 else { return [reply["reason"] ?? ""] }
        return (0..<10).compactMap { reply["records.\($0).recordName"] }
    }

    @Test(
        arguments: Search.some([
            (#"{"fieldName": "age", "comparator": "EQUALS", "fieldValue": {"value": 3}}"#, "3"),
            (#"{"fieldName": "age", "comparator": "NOT_EQUALS", "fieldValue": {"value": 3}}"#, "0124"),
            (#"{"fieldName": "age", "comparator": "LESS_THAN", "fieldValue": {"value": 2}}"#, "01"),
            (
                #"{"fieldName": "age", "comparator": "LESS_THAN_OR_EQUALS", "fieldValue": {"value": 2, "type": "INT64"}}"#,
                "012"
            ),
            (#"{"fieldName": "age", "comparator": "GREATER_THAN", "fieldValue": {"value": 2}}"#, "34"),
            (#"{"fieldName": "age", "comparator": "GREATER_THAN_OR_EQUALS", "fieldValue": {"value": 2}}"#, "234"),
            (#"{"fieldName": "age", "comparator": "IN", "fieldValue": {"value": [1, 4], "type": "INT64_LIST"}}"#, "14"),
            (#"{"fieldName": "age", "comparator": "NOT_IN", "fieldValue": {"value": [1, 4]}}"#, "023"),
            (#"{"fieldName": "name", "comparator": "EQUALS", "fieldValue": {"value": "cleo"}}"#, "2"),
            (#"{"fieldName": "name", "comparator": "BEGINS_WITH", "fieldValue": {"value": "B"}}"#, "1"),
            (#"{"fieldName": "name", "comparator": "NOT_BEGINS_WITH", "fieldValue": {"value": "B"}}"#, "0234"),
            (#"{"fieldName": "tags", "comparator": "LIST_CONTAINS", "fieldValue": {"value": "even"}}"#, "024"),
            (
                #"{"fieldName": "tags", "comparator": "NOT_LIST_CONTAINS", "fieldValue": {"value": "even", "type": "STRING"}}"#,
                "13"
            ),
            (#"{"fieldName": "tags", "comparator": "LIST_CONTAINS_ANY", "fieldValue": {"value": ["t1", "t2"]}}"#, "12"),
            (
                #"{"fieldName": "tags", "comparator": "NOT_LIST_CONTAINS_ANY", "fieldValue": {"value": ["t1", "t2"]}}"#,
                "034"
            ),
            (
                #"{"fieldName": "tags", "comparator": "LIST_CONTAINS_ALL", "fieldValue": {"value": ["t2", "even"]}}"#,
                "2"
            ),
            (
                #"{"fieldName": "tags", "comparator": "NOT_LIST_CONTAINS_ALL", "fieldValue": {"value": ["t2", "even"]}}"#,
                "0134"
            ),
            (#"{"fieldName": "tags", "comparator": "LIST_MEMBER_BEGINS_WITH", "fieldValue": {"value": "e"}}"#, "024"),
            (
                #"{"fieldName": "tags", "comparator": "NOT_LIST_MEMBER_BEGINS_WITH", "fieldValue": {"value": "e"}}"#,
                "13"
            ),
            // The stored dates are half a millisecond later.
            (#"{"fieldName": "due", "comparator": "EQUALS", "fieldValue": {"value": 2000, "type": "TIMESTAMP"}}"#, "2"),
            (#"{"fieldName": "due", "comparator": "NOT_EQUALS", "fieldValue": {"value": 2000}}"#, "0134"),
            (#"{"fieldName": "due", "comparator": "LESS_THAN", "fieldValue": {"value": 2000}}"#, "01"),
            (#"{"fieldName": "due", "comparator": "LESS_THAN_OR_EQUALS", "fieldValue": {"value": 2000}}"#, "012"),
            (#"{"fieldName": "due", "comparator": "GREATER_THAN", "fieldValue": {"value": 2000}}"#, "34"),
            (
                #"{"fieldName": "due", "comparator": "IN", "fieldValue": {"value": [1000, 3000], "type": "TIMESTAMP_LIST"}}"#,
                "13"
            ),
            (#"{"fieldName": "isDone", "comparator": "EQUALS", "fieldValue": {"value": 1, "type": "INT64"}}"#, "34"),
            (
                #"{"fieldName": "friend", "comparator": "EQUALS", "fieldValue": {"value": {"recordName": "p1"}, "type": "REFERENCE"}}"#,
                "2"
            ),
            (
                """
                {"fieldName": "place", "comparator": "NEAR", "distance": 120000,
                    "fieldValue": {"value": {"latitude": 1, "longitude": 0}, "type": "LOCATION"}}
                """, "012"
            ),
            (#"{"comparator": "CONTAINS_ALL_TOKENS", "fieldName": "name", "fieldValue": {"value": "dan"}}"#, "3"),
            (#"{"comparator": "CONTAINS_ANY_TOKENS", "fieldName": "name", "fieldValue": {"value": "dan Eve"}}"#, "34"),
            (
                #"{"systemFieldName": "recordName", "comparator": "EQUALS", "fieldValue": {"value": {"recordName": "p2"}, "type": "REFERENCE"}}"#,
                "2"
            ),
            (
                #"{"fieldName": "___recordId", "comparator": "IN", "fieldValue": {"value": [{"recordName": "p2"}], "type": "REFERENCE_LIST"}}"#,
                "2"
            ),
            (#"{"systemFieldName": "createdTimestamp", "comparator": "LESS_THAN", "fieldValue": {"value": 5}}"#, ""),
        ])
    )
    func aFilterFindsItsRecords(filter: String, numbers: String) {
        let found = names(#""filterBy": [\#(filter)]"#)
        #expect(found.sorted() == numbers.map { "p\($0)" })
        // Some clients send one filter without the array.
        #expect(names(#""filterBy": \#(filter)"#).sorted() == found.sorted())
        // A subscription with the filter is listed with the same one.
        let saved = ada.ask(
            "subscriptions/modify",
            """
            {"operations": [{"operationType": "create", "subscription": {"subscriptionID": "s", "subscriptionType": "query",
                "firesOn": ["create", "delete"], "query": {"recordType": "Person", "filterBy": [\(filter)]}}}]}
            """
        )
        guard saved["subscriptions.0.serverErrorCode"] == nil else { return }
        let listed = ada.ask("subscriptions/list", nil)["subscriptions.0.query.filterBy"]
        #expect(names(#""filterBy": \#(listed ?? "0")"#).sorted() == found.sorted(), "\(listed ?? saved.text)")
    }

    @Test func recordsAreSorted() {
        #expect(names(#""sortBy": [{"fieldName": "age", "ascending": false}]"#) == ["p4", "p3", "p2", "p1", "p0"])
        #expect(names(#""sortBy": [{"systemFieldName": "createdTimestamp"}]"#) == ["p0", "p1", "p2", "p3", "p4"])
        let near = #"{"fieldName": "place", "relativeLocation": {"value": {"latitude": 4, "longitude": 0}}}"#
        #expect(names(#""sortBy": [\#(near)]"#) == ["p4", "p3", "p2", "p1", "p0"])
    }

    @Test func pagesFollowEachOther() throws {
        var (marker, found): (String?, [String]) = (nil, [])
        repeat {
            let reply = ada.ask(
                "records/query",
                """
                {"query": {"recordType": "Person", "sortBy": [{"fieldName": "age"}]}, "resultsLimit": 2, "desiredKeys": [],
                    "continuationMarker": \(marker.map { "\"\($0)\"" } ?? "null")}
                """
            )
            #expect(reply["records.0.fields"] == "{}")
            found += (0..<3).compactMap { reply["records.\($0).recordName"] }
            marker = reply["continuationMarker"]
        } while marker != nil
        #expect(found == ["p0", "p1", "p2", "p3", "p4"])
        #expect(
            ada.ask("records/query", #"{"query": {"recordType": "Person"}, "continuationMarker": "AAAA"}"#).status
                == 400
        )
        #expect(ada.ask("records/query", #"{"query": {"recordType": "Person"}, "resultsLimit": 0}"#).status == 400)
        #expect(ada.ask("records/query", #"{"query": {"recordType": "Person"}, "resultsLimit": 400}"#).status == 200)
    }

    @Test func aQueryOfAllZonesFindsRecordsOfAll() throws {
        try session.privateDatabase.save(RecordZone("Work"))
        _ = try session.privateDatabase.save(Record(type: "Person", id: RecordID("w", zone: "Work")))
        func count(_ members: String) -> Int {
            let reply = ada.ask("records/query", #"{"query": {"recordType": "Person"}\#(members)}"#)
            return (0..<9).filter { reply["records.\($0)"] != nil }.count
        }
        #expect(count("") == 5)
        #expect(count(#", "zoneWide": true"#) == 6)
        #expect(count(#", "zoneID": {"zoneName": "Work"}, "zoneWide": true"#) == 1)
        let other = #", "zoneID": {"zoneName": "Work", "ownerRecordName": "_00000000000000000000000000000000"}"#
        #expect(
            ada.ask("records/query", #"{"query": {"recordType": "Person"}\#(other)}"#)["serverErrorCode"]
                == "ZONE_NOT_FOUND"
        )
    }
}
