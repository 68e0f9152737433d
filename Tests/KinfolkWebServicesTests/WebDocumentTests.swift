import Kinfolk
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// The documents of a person over HTTP.
@Suite("Web services: documents") struct WebDocumentTests {
    private let store: TestService
    private let phone: WebClient
    private let tablet: WebClient

    init() throws {
        store = try TestService()
        _ = try store.account("Ada", emails: "ada@example.com")
        _ = try store.account("Ben", emails: "ben@example.com")
        phone = try WebClient(store, for: "ada@example.com")
        tablet = try WebClient(store, for: "ada@example.com")
    }

    // MARK: Steps

    private func path(_ url: String?) throws -> String {
        String(try #require(url).dropFirst(WebConfiguration().origin.count))
    }

    /// Sends contents, and returns what names them.
    private func upload(_ text: String, _ client: WebClient? = nil) throws -> String {
        let client = client ?? phone
        let url = try path(client.askKinfolk("documents/upload", "{}")["url"])
        return try #require(client.send(WebRequest.Head(method: "POST", path: url), Array(text.utf8))["singleFile"])
    }

    /// Runs one operation, and returns the whole answer.
    private func modify(_ client: WebClient, _ kind: String, _ members: String, device: String? = nil) -> WebReply {
        let device = device.map { #""device": "\#($0)", "# } ?? ""
        return client.askKinfolk(
            "documents/modify",
            #"{\#(device)"operations": [{"operationType": "\#(kind)", \#(members)}]}"#
        )
    }

    private func create(_ path: String, _ text: String, device: String? = nil) throws -> String {
        let created = try modify(
            phone,
            "create",
            #""path": "\#(path)", "contents": \#(upload(text))"#,
            device: device
        )
        #expect(created["documents.0.path"] == path, "\(created.text)")
        return try #require(created["documents.0"])
    }

    /// The document, after a save that began with `document`.
    private func save(_ document: String, _ text: String, _ client: WebClient? = nil, device: String? = nil) throws
        -> String
    {
        let client = client ?? phone
        let saved = try modify(
            client,
            "save",
            #""document": \#(document), "contents": \#(upload(text, client))"#,
            device: device
        )
        return try #require(saved["documents.0"])
    }

    private func lookup(_ name: String, _ client: WebClient? = nil) -> WebReply {
        (client ?? phone).askKinfolk("documents/lookup", #"{"documents": [\#(name)]}"#)
    }

    private func content(_ url: String?, _ client: WebClient? = nil) throws -> String {
        (client ?? phone).send(WebRequest.Head(method: "GET", path: try path(url))).text
    }

    private func member(_ document: String, _ name: String) -> String? {
        WebReply(WebResponse(body: .bytes(Array(document.utf8))))[name]
    }

    // MARK: Tests

    @Test func aDocumentIsCreatedFoundSavedMovedAndDeleted() throws {
        let created = try create("notes/test.txt", "Hello", device: "phone")
        #expect(member(created, "currentVersion.size") == "5" && member(created, "currentVersion.device") == "phone")
        #expect(member(created, "baseVersionID") == member(created, "currentVersion.versionID"))
        #expect(member(created, "conflicts") == "[]" && member(created, "isExcludedFromBackup") == "false")
        let found = lookup(#"{"path": "notes/test.txt"}"#, tablet)
        #expect(found["documents.0.documentID"] == member(created, "documentID"))
        #expect(try content(found["documents.0.currentVersion.downloadURL"]) == "Hello")
        // What was received is sent back.
        let saved = try save(#require(found["documents.0"]), "Hello again", tablet)
        #expect(member(saved, "currentVersion.size") == "11" && member(saved, "conflicts") == "[]")
        #expect(member(saved, "currentVersion.device") == nil && member(saved, "olderVersions") == nil)
        let moved = modify(tablet, "move", #""document": \#(saved), "path": "letters/test.txt""#)
        #expect(moved["documents.0.path"] == "letters/test.txt")
        let excluded = modify(phone, "exclude", #""document": \#(saved)"#)
        #expect(excluded["documents.0.isExcludedFromBackup"] == "true")
        #expect(modify(phone, "include", #""document": \#(saved)"#)["documents.0.isExcludedFromBackup"] == "false")
        let whole = lookup(#"{"documentID": "\#(member(saved, "documentID") ?? "")"}"#)
        #expect(whole["documents.0.olderVersions.1"] == nil)
        #expect(try content(whole["documents.0.olderVersions.0.downloadURL"]) == "Hello")
        // The first version is not the current one any more.
        #expect(modify(phone, "delete", #""document": \#(created)"#)["documents.0.serverErrorCode"] == "CONFLICT")
        let deleted = modify(phone, "delete", #""document": \#(saved)"#)
        #expect(deleted["documents.0.deleted"] == "true")
        #expect(deleted["documents.0.documentID"] == member(created, "documentID"))
        #expect(lookup(#"{"path": "letters/test.txt"}"#)["documents.0.serverErrorCode"] == "NOT_FOUND")
        #expect(try store.number("SELECT count(*) FROM assets") == 0)
        #expect(try store.service.check().isSound)
    }

    @Test func twoDevicesSaveAtOnce() throws {
        let base = try create("list.txt", "base")
        _ = try save(base, "phone", device: "phone")
        var both = try save(base, "tablet", tablet, device: "tablet")
        #expect(member(both, "currentVersion.device") == "phone" && member(both, "conflicts.0.device") == "tablet")
        #expect(member(both, "baseVersionID") == member(both, "conflicts.0.versionID"))
        // Further saves go on with the tablet's own version.
        both = try save(both, "tablet 2", tablet, device: "tablet")
        #expect(member(both, "conflicts.0.size") == "8" && member(both, "conflicts.1") == nil)
        #expect(tablet.askKinfolk("documents/list", #"{"hasConflicts": true}"#)["documents.0.path"] == "list.txt")
        // A device that has not seen the conflict neither resolves nor deletes it.
        let first = member(both, "currentVersion.versionID") ?? ""
        let known =
            #""document": {"documentID": "\#(member(both, "documentID") ?? "")", "currentVersion": {"versionID": "\#(first)"}}"#
        #expect(modify(phone, "delete", known)["documents.0.serverErrorCode"] == "CONFLICT")
        let kept = modify(phone, "resolve", known + #", "versionID": "\#(first)""#)
        #expect(kept["documents.0.conflicts.0.device"] == "tablet")
        let joined = try modify(tablet, "resolve", #""document": \#(both), "contents": \#(upload("both", tablet))"#)
        #expect(joined["documents.0.conflicts"] == "[]" && joined["documents.0.currentVersion.size"] == "4")
        let late = modify(phone, "resolve", #""document": \#(both), "versionID": "\#(first)""#)
        #expect(late["documents.0.serverErrorCode"] == "CONFLICT")
        let older = lookup(#"{"path": "list.txt"}"#)["documents.0.olderVersions.3.versionID"]
        let restored = try modify(
            phone,
            "restore",
            #""document": \#(#require(joined["documents.0"])), "versionID": "\#(#require(older))""#
        )
        #expect(restored["documents.0.currentVersion.size"] == "4" && restored["documents.0.serverErrorCode"] == nil)
        #expect(
            try content(lookup(#"{"path": "list.txt"}"#)["documents.0.currentVersion.downloadURL"]) == "base"
        )
    }

    /// A client whose connection breaks does not know if its request was run.
    @Test func aRequestThatIsRepeatedSavesNothingTwice() throws {
        let file = try upload("one")
        let create = #""path": "a", "contents": \#(file)"#
        let first = modify(phone, "create", create)
        #expect(modify(phone, "create", create)["documents.0"] == first["documents.0"])
        let document = try #require(first["documents.0"])
        let save = try #""document": \#(document), "contents": \#(upload("two"))"#
        let saved = modify(phone, "save", save)
        #expect(modify(phone, "save", save)["documents.0"] == saved["documents.0"])
        let conflict = try #""document": \#(document), "contents": \#(upload("three", tablet))"#
        let both = modify(tablet, "save", conflict)
        #expect(modify(tablet, "save", conflict)["documents.0"] == both["documents.0"])
        #expect(both["documents.0.conflicts.0.size"] == "5" && both["documents.0.conflicts.1"] == nil)
        let resolve = try #""document": \#(#require(both["documents.0"])), "contents": \#(upload("four"))"#
        let resolved = modify(phone, "resolve", resolve)
        #expect(modify(phone, "resolve", resolve)["documents.0"] == resolved["documents.0"])
        #expect(resolved["documents.0.conflicts"] == "[]")
        // Other contents for the same path are a fault.
        let other = try modify(phone, "create", #""path": "a", "contents": \#(upload("five"))"#)
        #expect(other["documents.0.serverErrorCode"] == "EXISTS" && other["documents.0.path"] == "a")
    }

    @Test func documentsAreListedInPages() throws {
        for path in ["b", "a/1", "a/2.txt", "a/c/3"] { _ = try create(path, path) }
        var (found, marker): ([String], String?) = ([], nil)
        repeat {
            let next = marker.map { #", "continuationMarker": "\#($0)""# } ?? ""
            let page = tablet.askKinfolk("documents/list", #"{"resultsLimit": 3\#(next)}"#)
            found += (0..<3).compactMap { page["documents.\($0).path"] }
            marker = page["continuationMarker"]
        } while marker != nil && found.count < 10
        #expect(found == ["a/1", "a/2.txt", "a/c/3", "b"])
        #expect(tablet.askKinfolk("documents/list", nil)["documents.3.path"] == "b")
        func paths(_ conditions: String) -> [String?] {
            let answer = tablet.askKinfolk("documents/list", conditions)
            return (0..<4).map { answer["documents.\($0).path"] }
        }
        #expect(paths(#"{"folder": "a", "isShallow": true}"#) == ["a/1", "a/2.txt", nil, nil])
        #expect(paths(#"{"isShallow": 1}"#) == ["b", nil, nil, nil])
        #expect(paths(#"{"name": "*.txt"}"#) == ["a/2.txt", nil, nil, nil])
        #expect(paths(#"{"namePrefix": "3"}"#) == ["a/c/3", nil, nil, nil])
        #expect(paths(#"{"modifiedBefore": 0}"#)[0] == nil && paths(#"{"modifiedSince": 0}"#)[3] == "b")
        for wrong in [
            #"{"folder": "../a"}"#, #"{"name": 5}"#, #"{"continuationMarker": "?"}"#, #"{"modifiedSince": 1e30}"#,
            #"{"modifiedSince": 9223372036854775807}"#, #"{"resultsLimit": 0}"#,
        ] {
            #expect(tablet.askKinfolk("documents/list", wrong)["serverErrorCode"] == "BAD_REQUEST", "\(wrong)")
        }
    }

    @Test func changesFollowAToken() throws {
        let empty = tablet.askKinfolk("documents/changes", "{}")
        #expect(empty["documents"] == "[]" && empty["moreComing"] == "false")
        let (a, b) = (try create("a", "a"), try create("b", "b"))
        func changes(since token: String?) throws -> WebReply {
            tablet.askKinfolk("documents/changes", #"{"syncToken": "\#(try #require(token))"}"#)
        }
        let both = try changes(since: empty["syncToken"])
        #expect(both["documents.0.path"] == "a" && both["documents.1.path"] == "b" && both["documents.2"] == nil)
        _ = modify(phone, "delete", #""document": \#(a)"#)
        _ = modify(phone, "move", #""document": \#(b), "path": "c""#)
        let next = try changes(since: both["syncToken"])
        #expect(next["documents.0.path"] == "c" && next["documents.1.deleted"] == "true")
        #expect(next["documents.1.documentID"] == member(a, "documentID"))
        #expect(try changes(since: next["syncToken"])["documents"] == "[]")
        // The token of somebody else, and of something else.
        let ben = try WebClient(store, for: "ben@example.com")
        let others = try #require(ben.askKinfolk("documents/changes", "{}")["syncToken"])
        #expect(try changes(since: others)["serverErrorCode"] == "BAD_REQUEST")
        #expect(try changes(since: "AAAA")["serverErrorCode"] == "BAD_REQUEST")
        #expect(try changes(since: "")["documents.0.path"] == "c")
    }

    @Test func contentsBelongToTheirOwner() throws {
        let document = try create("diary.txt", "secret")
        let ben = try WebClient(store, for: "ben@example.com")
        let id = try #require(member(document, "documentID"))
        #expect(lookup(#"{"documentID": "\#(id)"}"#, ben)["documents.0.serverErrorCode"] == "NOT_FOUND")
        #expect(modify(ben, "delete", #""document": \#(document)"#)["documents.0.serverErrorCode"] == "NOT_FOUND")
        let file = try upload("more")
        let stolen = modify(ben, "create", #""path": "a", "contents": \#(file)"#)
        #expect(stolen["documents.0.serverErrorCode"] == "NOT_FOUND", "\(stolen.text)")
        // Files of records are not contents of documents, and the other way round.
        let url = try path(phone.ask("assets/upload", #"{"tokens": [{"fieldName": "image"}]}"#)["tokens.0.url"])
        let image = try #require(phone.send(WebRequest.Head(method: "POST", path: url), [1])["singleFile"])
        let mixed = modify(phone, "create", #""path": "a", "contents": \#(image)"#)
        #expect(mixed["documents.0.serverErrorCode"] == "NOT_FOUND")
        let record = phone.ask(
            "records/modify",
            #"{"operations": [{"operationType": "create", "record": {"recordType": "Note", "fields": {"image": {"value": \#(file)}}}}]}"#
        )
        #expect(record["records.0.serverErrorCode"] == "NOT_FOUND")
        // Nobody reaches the zone in which they are by its name.
        let zone = #"{"zoneID": {"zoneName": "_documents"}, "records": [{"recordName": "\#(id)"}]}"#
        #expect(!phone.ask("records/lookup", zone).text.contains("currentVersion"))
        #expect(phone.ask("assets/upload", #"{"zoneID": {"zoneName": "_documents"}, "tokens": []}"#).status != 200)
        // A URL ends after a quarter of an hour.
        let found = lookup(#"{"documentID": "\#(id)"}"#)["documents.0.currentVersion.downloadURL"]
        #expect(try content(found) == "secret")
        let upload = try path(phone.askKinfolk("documents/upload", "{}")["url"])
        store.clock.advance(seconds: 901)
        #expect(phone.send(WebRequest.Head(method: "GET", path: try path(found))).status == 404)
        #expect(phone.send(WebRequest.Head(method: "POST", path: upload), [1]).status == 404)
        // A person must be signed in.
        let nobody = try WebClient(store)
        for operation in ["list", "lookup", "modify", "changes", "upload"] {
            #expect(nobody.askKinfolk("documents/\(operation)", "{}").status == 421, "\(operation)")
        }
    }

    @Test func aMalformedRequestNamesThePlace() throws {
        let file = try upload("a")
        for (operation, reason) in [
            (#"{"operationType": "copy"}"#, "operations[0].operationType is not create"),
            (#"{"operationType": "create", "path": "a"}"#, "operations[0].contents is missing."),
            (#"{"operationType": "create", "contents": \#(file)}"#, "operations[0].path is missing."),
            (
                #"{"operationType": "create", "path": "a", "contents": {"receipt": "AA=="}}"#,
                "operations[0].contents.receipt is not a receipt"
            ),
            (
                #"{"operationType": "save", "contents": \#(file), "document": {"documentID": "a"}}"#,
                "operations[0].document.baseVersionID is missing."
            ),
            (
                #"{"operationType": "delete", "document": {"documentID": "a", "currentVersion": {}}}"#,
                "operations[0].document.currentVersion.versionID is missing."
            ),
            (
                #"{"operationType": "delete", "document": {"documentID": "a", "currentVersion": {"versionID": "a"}, "conflicts": [5]}}"#,
                "operations[0].document.conflicts[0] is not an object."
            ),
        ] {
            let answer = phone.askKinfolk("documents/modify", #"{"operations": [\#(operation)]}"#)
            #expect(answer.status == 400 && answer["reason"]?.hasPrefix(reason) == true, "\(answer.text)")
        }
        #expect(phone.askKinfolk("documents/modify", #"{"device": "", "operations": []}"#).status == 400)
        #expect(phone.askKinfolk("documents/modify", "{}")["reason"] == "operations is missing.")
        #expect(lookup("{}")["reason"] == "documents[0].path is missing.")
        // What is wrong with one document is its own error.
        let answer = modify(phone, "create", #""path": "/a", "contents": \#(file)"#)
        #expect(answer.status == 200 && answer["documents.0.serverErrorCode"] == "BAD_REQUEST")
        #expect(lookup(#"{"path": ""}, {"documentID": "x"}"#)["documents.1.serverErrorCode"] == "NOT_FOUND")
    }
}
