import Kinfolk
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// Files over the protocol of CloudKit Web Services.
@Suite("Web services: assets") struct WebAssetTests {
    private let store: TestService
    private let ada: WebClient

    init() throws {
        store = try TestService()
        _ = try store.account("Ada", emails: "ada@example.com")
        _ = try store.account("Ben", emails: "ben@example.com")
        ada = try WebClient(store, for: "ada@example.com")
    }

    private func path(_ url: String?) throws -> String {
        String(try #require(url).dropFirst(WebConfiguration().origin.count))
    }

    private func upload(_ bytes: [UInt8], in database: String = "private") throws -> String {
        let tokens = ada.ask(
            "assets/upload",
            in: database,
            #"{"tokens": [{"recordType": "Note", "fieldName": "image"}]}"#
        )
        #expect(tokens["tokens.0.fieldName"] == "image" && tokens["tokens.0.recordName"] != nil)
        let sent = ada.send(WebRequest.Head(method: "POST", path: try path(tokens["tokens.0.url"])), bytes)
        #expect(sent.status == 200 && sent["singleFile.size"] == "\(bytes.count)")
        return try #require(sent["singleFile"])
    }

    private func save(_ file: String, as name: String, in database: String = "private") -> WebReply {
        ada.ask(
            "records/modify",
            in: database,
            """
            {"operations": [{"operationType": "forceUpdate", "record": {"recordType": "Note", "recordName": "\(name)",
                "fields": {"image": {"value": \(file)}}}}]}
            """
        )
    }

    @Test func aFileIsUploadedNamedAndDownloaded() throws {
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let saved = try save(upload(bytes), as: "a")
        #expect(saved["records.0.fields.image.type"] == "ASSETID")
        let found = ada.ask("records/lookup", #"{"records": ["a"]}"#)
        let url = try path(found["records.0.fields.image.value.downloadURL"])
        let got = ada.send(WebRequest.Head(method: "GET", path: url))
        #expect(got.status == 200 && got.body == bytes)
        #expect(
            got.headers["content-disposition"] == "attachment" && got.headers["x-content-type-options"] == "nosniff"
        )
        // What was read can be written back, and to another record.
        let file = try #require(found["records.0.fields.image.value"])
        #expect(save(file, as: "a")["records.0.recordName"] == "a")
        let again = ada.ask(
            "assets/rereference",
            #"{"assets": [{"recordName": "a", "fieldName": "image"}, {"recordName": "x", "fieldName": "image"}]}"#
        )
        #expect(again["assets.1.serverErrorCode"] == "NOT_FOUND")
        #expect(save(try #require(again["assets.0"]), as: "b")["records.0.fields.image.value.size"] == "3000000")
    }

    @Test func aURLIsOnlyGoodForItsPurposeAndItsUser() throws {
        let saved = try save(upload(Array("secret".utf8)), as: "a")
        let url = try path(saved["records.0.fields.image.value.downloadURL"])
        #expect(ada.send(WebRequest.Head(method: "POST", path: url), [1]).status == 404)
        #expect(ada.send(WebRequest.Head(method: "GET", path: url + "A")).status == 404)
        #expect(ada.send(WebRequest.Head(method: "GET", path: "/asset/1/")).status == 404)
        let upload = try path(ada.ask("assets/upload", #"{"tokens": [{"fieldName": "image"}]}"#)["tokens.0.url"])
        #expect(ada.send(WebRequest.Head(method: "GET", path: upload)).status == 404)
        // Somebody else cannot name the file.
        let ben = try WebClient(store, for: "ben@example.com")
        let file = try #require(saved["records.0.fields.image.value"])
        let stolen = ben.ask(
            "records/modify",
            #"{"operations": [{"operationType": "create", "record": {"recordType": "Note", "fields": {"image": {"value": \#(file)}}}}]}"#
        )
        #expect(stolen["records.0.serverErrorCode"] == "NOT_FOUND")
        // The URL ends with the account.
        let account = try store.service.account(email: EmailAddress("ada@example.com"))
        _ = try account.erase()
        #expect(ada.send(WebRequest.Head(method: "GET", path: url)).status == 404)
        #expect(ada.send(WebRequest.Head(method: "POST", path: upload), [1]).status == 404)
    }
}
