import Kinfolk
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// Zones and changes over the protocol of CloudKit Web Services.
@Suite("Web services: zones and changes") struct WebZoneTests {
    private let store: TestService
    private let ada: WebClient

    init() throws {
        store = try TestService()
        _ = try store.account("Ada", emails: "ada@example.com")
        ada = try WebClient(store, for: "ada@example.com")
    }

    private func zone(_ kind: String, _ name: String) -> WebReply {
        ada.ask(
            "zones/modify",
            #"{"operations": [{"operationType": "\#(kind)", "zone": {"zoneID": {"zoneName": "\#(name)"}}}]}"#
        )
    }

    private func save(_ name: String, _ kind: String = "forceUpdate") {
        _ = ada.ask(
            "records/modify",
            """
            {"zoneID": {"zoneName": "Notes"}, "operations": [{"operationType": "\(kind)", "record":
                {"recordType": "Note", "recordName": "\(name)", "fields": {"n": {"value": 1}}}}]}
            """
        )
    }

    @Test func zonesAreMadeListedAndDeleted() {
        #expect(zone("create", "Notes")["zones.0.zoneID.zoneName"] == "Notes")
        #expect(zone("create", "_defaultZone")["zones.0.serverErrorCode"] == "BAD_REQUEST")
        let listed = ada.ask("zones/list", nil)
        #expect(listed["zones.0.zoneID.zoneName"] == "_defaultZone" && listed["zones.0.atomic"] == "false")
        #expect(listed["zones.1.zoneID.zoneName"] == "Notes" && listed["zones.1.atomic"] == "true")
        #expect(listed["zones.2"] == nil)
        let found = ada.ask("zones/lookup", #"{"zones": [{"zoneName": "Notes"}, {"zoneName": "x"}]}"#)
        #expect(found["zones.0.zoneID.zoneName"] == "Notes" && found["zones.1.serverErrorCode"] == "ZONE_NOT_FOUND")
        #expect(zone("delete", "Notes")["zones.0.deleted"] == "true")
        #expect(zone("delete", "Notes")["zones.0.serverErrorCode"] == "ZONE_NOT_FOUND")
    }

    @Test func changesOfZonesAndDatabasesAreFollowed() throws {
        _ = zone("create", "Notes")
        let first = ada.ask("changes/database", "{}")
        #expect(first["zones.0.zoneID.zoneName"] == "Notes" && first["moreComing"] == "false")
        for name in ["a", "b", "c"] { save(name) }
        func changes(_ members: String) -> WebReply {
            ada.ask("changes/zone", #"{"zones": [{"zoneID": {"zoneName": "Notes"}\#(members)}]}"#)
        }
        let page = changes(#", "resultsLimit": 2"#)
        #expect(page["zones.0.records.1.recordName"] == "b" && page["zones.0.records.2"] == nil)
        #expect(page["zones.0.moreComing"] == "true")
        let token = try #require(page["zones.0.syncToken"])
        let rest = changes(#", "syncToken": "\#(token)", "desiredKeys": []"#)
        #expect(rest["zones.0.records.0.recordName"] == "c" && rest["zones.0.records.0.fields"] == "{}")
        #expect(rest["zones.0.moreComing"] == "false")
        save("a", "forceDelete")
        let end = try #require(rest["zones.0.syncToken"])
        let deleted = changes(#", "syncToken": "\#(end)""#)
        #expect(deleted["zones.0.records.0.recordName"] == "a" && deleted["zones.0.records.0.deleted"] == "true")
        #expect(changes(#", "syncToken": "\#(end)", "desiredRecordTypes": ["Other"]"#)["zones.0.records"] == "[]")
        // The older form.
        let older = ada.ask("records/changes", #"{"zoneID": {"zoneName": "Notes"}, "syncToken": "\#(end)"}"#)
        #expect(older["records.0.recordName"] == "a" && older["moreComing"] == "false")
        let since = try #require(first["syncToken"])
        #expect(ada.ask("changes/database", #"{"syncToken": "\#(since)"}"#)["zones.0.zoneID.zoneName"] == "Notes")
        #expect(ada.ask("zones/changes", #"{"metaSyncToken": "\#(since)"}"#)["zones.0.zoneID.zoneName"] == "Notes")
        // Errors of one zone are items.
        #expect(changes(#", "syncToken": "AAAA""#)["zones.0.serverErrorCode"] == "BAD_REQUEST")
        #expect(changes(#", "syncToken": "\#(since)""#)["zones.0.serverErrorCode"] == "BAD_REQUEST")
        let missing = ada.ask("changes/zone", #"{"zones": [{"zoneID": {"zoneName": "x"}}]}"#)
        #expect(missing.status == 200 && missing["zones.0.serverErrorCode"] == "ZONE_NOT_FOUND")
    }
}
