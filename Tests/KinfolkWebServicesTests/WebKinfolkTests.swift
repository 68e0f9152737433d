import Kinfolk
import KinfolkCrypto
import KinfolkThreads
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// What Kinfolk adds to the protocol of CloudKit Web Services.
@Suite("Web services: additions") struct WebKinfolkTests {
    private let store: TestService
    private let ada: WebClient
    private let ben: WebClient

    init() throws {
        store = try TestService()
        _ = try store.account("Ada", emails: "ada@example.com")
        _ = try store.account("Ben", emails: "ben@example.com")
        ada = try WebClient(store, for: "ada@example.com")
        ben = try WebClient(store, for: "ben@example.com")
        try ada.container.setPermitLimit(.test(capacity: 100, perHour: 10))
    }

    private func id(_ client: WebClient) throws -> String {
        try #require(client.ask("users/current", in: "public", nil)["userRecordName"])
    }

    private func consent(_ client: WebClient, _ decision: String) -> WebReply {
        client.askKinfolk(
            "discoverability",
            #"{"discoverability": "\#(decision)", "wording": {"text": "May friends find you?", "version": "1"}}"#
        )
    }

    @Test func friendsAreFoundByHashes() throws {
        #expect(ben.askKinfolk("discoverability", nil)["discoverability"] == "UNDETERMINED")
        #expect(consent(ben, "GRANTED")["discoverability"] == "GRANTED")
        let hashes = try ["nobody@example.com", "ben@example.com"].map { email in
            Base64.text(try EmailAddress(email).contactHash.withUnsafeBytes { Array($0) })
        }
        let body = #"{"hashes": ["\#(hashes[0])", "\#(hashes[1])"]}"#
        let found = ada.askKinfolk("discovery/hashes", body)
        #expect(try found["users.0.userRecordName"] == id(ben))
        #expect(found["users.0.contacts"] == "[1]" && found["users.1"] == nil && found["permitsLeft"] == "98")
        // Asking again is free.
        let state = try #require(found["syncState"])
        let again = ada.askKinfolk("discovery/hashes", #"{"hashes": ["\#(hashes[1])"], "syncState": "\#(state)"}"#)
        #expect(again["permitsLeft"] == "98" && again["users.0.contacts"] == "[0]")
        // A block hides both.
        #expect(
            try ben.askKinfolk(
                "blocks/modify",
                #"{"operations": [{"operationType": "block", "userRecordName": "\#(id(ada))"}]}"#
            )["users.0.isBlocked"] == "true"
        )
        #expect(try ben.askKinfolk("blocks/list", nil)["users.0.userRecordName"] == id(ada))
        #expect(ada.askKinfolk("discovery/hashes", body)["users"] == "[]")
        for wrong in [#"{}"#, #"{"hashes": ["AA=="]}"#, #"{"hashes": [5]}"#, #"{"hashes": [], "syncState": "?"}"#] {
            #expect(ada.askKinfolk("discovery/hashes", wrong).status == 400, "\(wrong)")
        }
    }

    @Test func settingsOfSeveralDevices() {
        let set = ada.askKinfolk(
            "keyvalue/modify",
            """
            {"operations": [
                {"operationType": "set", "key": "theme", "value": "dark"},
                {"operationType": "set", "key": "size", "value": 5, "type": "DOUBLE"},
                {"operationType": "set", "key": "list", "value": [1, {"value": "AA==", "type": "BYTES"}, {"a": true}]},
                {"operationType": "set", "key": "", "value": 1}
            ]}
            """
        )
        #expect(set["entries.1"] == #"{"key": "size", "value": 5.0, "type": "DOUBLE"}"#)
        #expect(set["entries.2.value.1"] == #"{"value": "AA==", "type": "BYTES"}"#)
        #expect(set["entries.2.value.2.value.a.type"] == "BOOLEAN" && set["entries.3.serverErrorCode"] == "BAD_REQUEST")
        #expect(ada.askKinfolk("keyvalue/list", nil)["entries.2.key"] == "theme")
        let removed = ada.askKinfolk(
            "keyvalue/modify",
            #"{"operations": [{"operationType": "remove", "key": "theme"}]}"#
        )
        #expect(removed["entries.0.deleted"] == "true" && ada.askKinfolk("keyvalue/list", nil)["entries.2"] == nil)
        let wrong = ada.askKinfolk(
            "keyvalue/modify",
            #"{"operations": [{"operationType": "set", "key": "a", "value": [1, [null]]}]}"#
        )
        #expect(
            wrong["reason"]?.hasPrefix("operations[0].value[1][0] is not a value of its type") == true,
            "\(wrong.text)"
        )
    }

    @Test func aDeviceIsToldWhatOthersHaveSet() throws {
        let tablet = try WebClient(store, for: "ada@example.com")
        func set(_ client: WebClient, _ key: String) {
            let body = #"{"operations": [{"operationType": "set", "key": "\#(key)", "value": 1}]}"#
            #expect(client.askKinfolk("keyvalue/modify", body)["entries.0.serverErrorCode"] == nil)
        }
        func changes(since token: String?) throws -> WebReply {
            ada.askKinfolk("keyvalue/synchronize", #"{"syncToken": "\#(try #require(token))"}"#)
        }
        set(tablet, "first")
        set(ada, "own")
        let first = ada.askKinfolk("keyvalue/synchronize", "{}")
        #expect(first["changes"] == #"[{"reason": "INITIAL_SYNC_CHANGE", "keys": ["first"]}]"#, "\(first.text)")
        #expect(try changes(since: first["syncToken"])["changes"] == "[]")
        set(tablet, "second")
        set(ada, "own")
        let second = try changes(since: first["syncToken"])
        #expect(second["changes"] == #"[{"reason": "SERVER_CHANGE", "keys": ["second"]}]"#, "\(second.text)")
        // If the answer is lost, the client asks again.
        #expect(try changes(since: first["syncToken"])["changes"] == second["changes"])
        #expect(try changes(since: second["syncToken"])["changes"] == "[]")
        // With a token that is not for these keys, all are told.
        let others = ben.askKinfolk("keyvalue/synchronize", "{}")["syncToken"]
        let all = try changes(since: others)
        #expect(all["changes.0.reason"] == "INITIAL_SYNC_CHANGE" && all["changes.0.keys.2"] == "second")
        #expect(try changes(since: "?").status == 400)
    }

    @Test func aKeyWithoutRoomIsReportedAtOnce() throws {
        try ada.container.setQuota(.keyValueStore, to: 65_536)
        let text = String(repeating: "a", count: 70_000)
        let refused = ada.askKinfolk(
            "keyvalue/modify",
            #"{"operations": [{"operationType": "set", "key": "a", "value": "\#(text)"}]}"#
        )
        #expect(refused["entries.0.serverErrorCode"] == "QUOTA_EXCEEDED" && refused["entries.0.key"] == "a")
        let huge = String(repeating: "a", count: 1_000_000)
        let large = ada.askKinfolk(
            "keyvalue/modify",
            #"{"operations": [{"operationType": "set", "key": "a", "value": "\#(huge)"}]}"#
        )
        #expect(large["entries.0.serverErrorCode"] == "QUOTA_EXCEEDED", "\(large.text)")
        #expect(ada.askKinfolk("keyvalue/list", nil)["entries"] == "[]")
        #expect(ada.askKinfolk("keyvalue/synchronize", "{}")["changes"] == "[]")
    }

    @Test func recordsAreCounted() {
        for name in ["a", "b"] {
            _ = ada.ask(
                "records/modify",
                #"{"operations": [{"operationType": "create", "record": {"recordType": "Note", "recordName": "\#(name)"}}]}"#
            )
        }
        #expect(
            ada.askKinfolk("records/count", #"{"database": "private", "query": {"recordType": "Note"}}"#)["count"]
                == "2"
        )
        #expect(ada.askKinfolk("records/count", #"{"query": {"recordType": "Note"}}"#)["count"] == "0")
    }

    private func subscribe(_ client: WebClient) {
        let saved = client.ask(
            "subscriptions/modify",
            in: "public",
            """
            {"operations": [{"operationType": "create", "subscription": {"subscriptionID": "s", "subscriptionType": "query",
                "firesOn": ["create"], "query": {"recordType": "Note"},
                "notificationInfo": {"alertBody": "New", "additionalFields": ["title"]}}}]}
            """
        )
        #expect(saved["subscriptions.0.serverErrorCode"] == nil, "\(saved.text)")
    }

    private func note(_ name: String) {
        _ = ben.ask(
            "records/modify",
            in: "public",
            """
            {"operations": [{"operationType": "create", "record":
                {"recordType": "Note", "recordName": "\(name)", "fields": {"title": {"value": "T"}}}}]}
            """
        )
    }

    @Test func aLongPollDeliversWhatComes() throws {
        note("first")
        subscribe(ada)
        let token = ada.ask("tokens/create", in: "public", #"{"apnsEnvironment": "development"}"#)
        let url = String(try #require(token["webcourierURL"]).dropFirst(WebConfiguration().origin.count))
        func poll() -> WebReply { ada.send(WebRequest.Head(method: "GET", path: url)) }
        note("a")
        let first = poll()
        #expect(first["ck.qry.rid"] == "a" && first["ck.qry.fo"] == "1" && first["ck.qry.sid"] == "s")
        #expect(first["ck.qry.af.title.value"] == "T" && first["aps.alert.body"] == "New")
        // The next poll waits until something comes.
        let ben = Lock(false)
        _ = Thread.start { [self] in
            note("b")
            ben.withLock { $0 = true }
        }
        #expect(poll()["ck.qry.rid"] == "b")
        _ = ben.withLock(when: { $0 }, until: .never) { _ in }
        // What another process sent and did not hear of again comes again.
        note("c")
        #expect(poll()["ck.qry.rid"] == "c")
        let other = try WebClient(store, for: "ada@example.com")
        #expect(other.send(WebRequest.Head(method: "GET", path: url))["ck.qry.rid"] == "c")
        // A service that stops answers at once.
        other.services.endWaits()
        #expect(other.send(WebRequest.Head(method: "GET", path: url)).status == 204)
        #expect(ada.send(WebRequest.Head(method: "GET", path: "/courier/1/x")).status == 404)
    }

    @Test func aStreamOfEventsGoesOnAfterTheLastOne() throws {
        note("first")
        subscribe(ada)
        let first = try #require(ada.events(after: nil))
        note("a")
        note("b")
        let (a, b) = (first.next(), first.next())
        #expect(a.contains(#""rid": "a""#) && b.contains(#""rid": "b""#))
        first.cancel()
        #expect(first.next() == "")
        // The client has received the first one only.
        let id = try #require(a.split(separator: "\n").first { $0.hasPrefix("id: ") }).dropFirst(4)
        let second = try #require(ada.events(after: String(id)))
        #expect(second.next().contains(#""rid": "b""#))
        note("c")
        #expect(second.next().contains(#""rid": "c""#))
        ada.services.endWaits()
        #expect(second.next() == "")
        #expect(ada.askKinfolk("notifications?lastEventID=x", nil).status == 404)
    }
}
