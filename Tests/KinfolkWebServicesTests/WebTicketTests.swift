import Kinfolk
import KinfolkCrypto
import KinfolkThreads
import KinfolkWebServices
import ServiceSupport
import TestSupport
import Testing

/// URLs of files and of long polls end with what their caller had proved: a session, a server's key or an API token.
@Suite("Web services: tickets") struct WebTicketTests {
    private let store: TestService
    private let app: WebClient
    private let signatures = Lock<UInt8>(0)

    init() throws {
        store = try TestService()
        var configuration = WebConfiguration()
        configuration.verifySignature = { _, _, _ in true }
        app = try WebClient(store, for: nil, configuration)
    }

    /// Asks for a caller.
    private typealias Ask = (_ operation: String, _ body: String) -> WebReply

    private func person(_ email: String) throws -> WebClient {
        let account = try store.service.account(email: EmailAddress(email))
        var client = app
        client.query +=
            try "&ckWebAuthToken="
            + app.container.beginWebSession(for: account, apiToken: app.apiToken, isLasting: false)
        return client
    }

    private func asking(_ client: WebClient) -> Ask { { client.ask($0, in: "public", $1) } }

    private func asking(_ key: ServerKey) -> Ask {
        { operation, body in
            // Another signature for each request.
            let number = signatures.withLock { number in
                number += 1
                return number
            }
            let headers = [
                ("keyid", key.id), ("iso8601date", "\(store.clock.now)"),
                ("signaturev1", Base64.text([0x30, 6, 2, 1, number, 2, 1, 1])),
            ]
            let head = WebRequest.Head(
                method: "POST",
                path: "/database/1/\(app.container.name)/development/public/\(operation)",
                query: "",
                headers: headers.map { ("x-apple-cloudkit-request-" + $0.0, $0.1) }
            )
            return app.send(head, Array(body.utf8))
        }
    }

    private func path(_ url: String?) throws -> String {
        String(try #require(url).dropFirst(WebConfiguration().origin.count))
    }

    /// The URLs that a caller has: to upload a file, to read one, and to wait for notifications.
    private func urls(_ ask: Ask) throws -> (upload: String, download: String, poll: String) {
        let tokens = ask("assets/upload", #"{"tokens": [{"recordType": "Note", "fieldName": "image"}]}"#)
        let upload = try path(tokens["tokens.0.url"])
        let file = try #require(app.send(WebRequest.Head(method: "POST", path: upload), [1, 2, 3])["singleFile"])
        let saved = ask(
            "records/modify",
            """
            {"operations": [{"operationType": "create", "record": {"recordType": "Note", "fields": {"image": {"value": \(file)}}}}]}
            """
        )
        let poll = try path(ask("tokens/create", #"{"apnsEnvironment": "development"}"#)["webcourierURL"])
        return (upload, try path(saved["records.0.fields.image.value.downloadURL"]), poll)
    }

    private func statuses(_ urls: (upload: String, download: String, poll: String)) -> [Int] {
        // A service that stops answers a valid poll at once.
        app.services.endWaits()
        return [
            app.send(WebRequest.Head(method: "POST", path: urls.upload), [1]).status,
            app.send(WebRequest.Head(method: "GET", path: urls.download)).status,
            app.send(WebRequest.Head(method: "GET", path: urls.poll)).status,
        ]
    }

    @Test func theyEndWithTheSessionOfAPerson() throws {
        let account = try store.account("Ada", emails: "ada@example.com")
        let (first, second) = (try person("ada@example.com"), try person("ada@example.com"))
        let (mine, other) = (try urls(asking(first)), try urls(asking(second)))
        #expect(statuses(mine) == [200, 200, 204])
        try app.container.endWebSession(
            webAuthToken: String(first.query.split(separator: "ckWebAuthToken=").last ?? "")
        )
        #expect(statuses(mine) == [404, 404, 404])
        #expect(statuses(other) == [200, 200, 204], "another session of the same person")
        try account.endWebSessions()
        #expect(statuses(other) == [404, 404, 404])
    }

    @Test func theyOutliveTheRenewalOfAToken() throws {
        _ = try store.account("Ada", emails: "ada@example.com")
        let client = try person("ada@example.com")
        let mine = try urls(asking(client))
        store.clock.advance(seconds: 301)
        #expect(asking(client)("users/current", "{}").headers["x-apple-cloudkit-web-auth-token"] != nil)
        #expect(statuses(mine) == [200, 200, 204])
    }

    @Test func theyEndWithTheKeyOfAServer() throws {
        let key = try app.container.addServerKey([4] + [UInt8](repeating: 7, count: 64), named: "server")
        let mine = try urls(asking(key))
        #expect(statuses(mine) == [200, 200, 204])
        try app.container.removeServerKey(key.id)
        #expect(statuses(mine) == [404, 404, 404])
        // The same key, added again, is another one, with another account.
        _ = try app.container.addServerKey([4] + [UInt8](repeating: 7, count: 64), named: "server")
        #expect(statuses(mine) == [404, 404, 404])
    }

    @Test func theyEndWithTheAPIToken() throws {
        _ = try store.account("Ada", emails: "ada@example.com")
        _ = try urls(asking(person("ada@example.com")))
        let found = app.ask("records/query", in: "public", #"{"query": {"recordType": "Note"}}"#)
        let url = try path(found["records.0.fields.image.value.downloadURL"])
        func status() -> Int { app.send(WebRequest.Head(method: "GET", path: url)).status }
        #expect(status() == 200)
        try app.container.deleteAPIToken(named: app.apiToken.name)
        #expect(status() == 404)
    }

    @Test func aDownloadEndsThatBeganBeforeTheSignOut() throws {
        let account = try store.account("Ada", emails: "ada@example.com")
        let url = try urls(asking(person("ada@example.com"))).download
        let body = Lock<WebResponse.Body?>(nil)
        app.services.answer(WebRequest(WebRequest.Head(method: "GET", path: url))) { response in
            body.withLock { $0 = response.body }
        }
        guard case .file(let file)?? = body.withLock(when: { $0 != nil }, until: .never, { $0 }) else {
            Issue.record("no file")
            return
        }
        try account.endWebSessions()
        let pieces = Lock<[[UInt8]?]>([])
        file.read { piece in pieces.withLock { $0.append(piece) } }
        #expect(pieces.withLock(when: { $0.count == 1 }, until: .never) { $0 } == [nil])
    }

    @Test func anUploadEndsThatBeganBeforeTheKeyWasRemoved() throws {
        let key = try app.container.addServerKey([4] + [UInt8](repeating: 7, count: 64), named: "server")
        let url = try urls(asking(key)).upload
        guard case .upload(let upload) = app.services.intake(for: WebRequest.Head(method: "POST", path: url)) else {
            Issue.record("no upload")
            return
        }
        let refusal = Lock<[Int]>([])
        upload.write([1, 2, 3]) { _ in refusal.withLock { $0.append(0) } }
        _ = refusal.withLock(when: { $0.count == 1 }, until: .never) { _ in }
        try app.container.removeServerKey(key.id)
        upload.finish { response in refusal.withLock { $0.append(response.status) } }
        #expect(refusal.withLock(when: { $0.count == 2 }, until: .never) { $0.last } == 421)
        upload.cancel()
    }
}
