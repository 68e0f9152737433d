import Kinfolk
import KinfolkAccess
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@Suite struct APITokenTests {
    private let store: TestService
    private var container: Container { store.container }

    init() throws { store = try TestService() }

    @Test func aTokenIsFoundByItsTextAlone() throws {
        let origins = ["https://app.example.com", "http://localhost:8000"]
        let urls = ["https://app.example.com/signed-in?from=kinfolk", "com.example.notes:/callback"]
        let (text, token) = try container.createAPIToken(
            named: "web",
            origins: origins,
            returnURLs: urls,
            allowsDiscovery: true
        )
        #expect(text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        #expect(token.name == "web" && token.origins == origins && token.returnURLs == urls && token.allowsDiscovery)
        #expect(token.createdAt == store.clock.now)
        let other = try store.reopened().container(container.name)
        #expect(try other.apiToken(text) == token)
        #expect(try other.apiTokens() == [token])
        for wrong in [
            "", "web", String(text.dropLast()), text + "0", text.uppercased(), String(repeating: "0", count: 64),
            "\0" + text.dropFirst(),
        ] where wrong != text {
            #expect(try container.apiToken(wrong) == nil)
        }
    }

    @Test func aTokenIsUnknownInOtherEnvironmentsAndContainers() throws {
        let (text, _) = try container.createAPIToken(named: "web")
        let development = try store.service.container(container.name, environment: .development)
        let chess = try store.service.createContainer("com.example.chess")
        #expect(try development.apiToken(text) == nil)
        #expect(try chess.apiToken(text) == nil)
        _ = try development.createAPIToken(named: "web")
        #expect(try development.apiTokens().count == 1)
    }

    @Test func aNameIsUniqueAndAContainerHasFewTokens() throws {
        let (first, _) = try container.createAPIToken(named: "caf\u{e9}")
        expect(.conflict) { try container.createAPIToken(named: "caf\u{e9}") }
        // The same to a reader, and other bytes.
        _ = try container.createAPIToken(named: "cafe\u{301}")
        for number in 3...100 { _ = try container.createAPIToken(named: "token \(number)") }
        expect(.limitExceeded) { try container.createAPIToken(named: "one more") }
        try container.deleteAPIToken(named: "caf\u{e9}")
        let (second, _) = try container.createAPIToken(named: "caf\u{e9}")
        #expect(try container.apiToken(first) == nil)
        #expect(try container.apiToken(second)?.name == "caf\u{e9}")
        expect(.unknownItem) { try container.deleteAPIToken(named: "unknown") }
    }

    @Test(arguments: Search.some(["", "a\0b", String(repeating: "a", count: 256)]))
    func aMalformedNameIsRefused(name: String) throws {
        expect(.invalidArgument) { try container.createAPIToken(named: name) }
    }

    @Test(
        arguments: Search.some([
            "https://app.example.com", "http://localhost:8000", "https://localhost", "http://127.0.0.1:1",
            "https://[::1]:8443", "https://xn--bcher-kva.example", "https://a_b.example.com:65535",
        ])
    ) func anOriginAsABrowserSendsItIsAccepted(origin: String) throws {
        #expect(try container.createAPIToken(named: "web", origins: [origin]).description.origins == [origin])
    }

    @Test(
        arguments: Search.some([
            "", "null", "*", "https://", "https://*", "https://*.example.com", "app.example.com", "ftp://example.com",
            "HTTPS://example.com", "https://Example.com", "https://example.com/", "https://example.com:443",
            "http://example.com:80", "https://example.com:0", "https://example.com:08", "https://example.com:65536",
            "https://example.com:", "https://example.com:+1", "https://a@example.com", "https://example..com",
            "https://-a.example", "https://example.com?", "https://example.com#", "https://b\u{fc}cher.example",
            "https://[::1", "https://::1", "https://[]", "https://exa mple.com", "https://example.com\n",
            "https://\(String(repeating: "a", count: 64)).example", "file://", "https:/\u{338}/a",
        ])
    ) func anythingElseIsNoOrigin(origin: String) throws {
        expect(.invalidArgument) { try container.createAPIToken(named: "web", origins: [origin]) }
    }

    @Test(
        arguments: Search.some([
            "", "/signed-in", "https:", "https:///x", "https://", "https://:80/", "https://a@example.com/",
            "https://example.com/#top", "https://example.com/\\evil", "https://example.com/a b", "HTTPS://example.com/",
            "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "blob:x", "vbscript:x", "about:blank",
            "1a:x", ":x", "app:", "https://example.com/\u{e9}", "https://example.com/\r\nx", "https:example.com",
            "https://example.com/" + String(repeating: "a", count: 2_029),
        ])
    ) func anotherURLIsRefused(url: String) throws {
        expect(.invalidArgument) { try container.createAPIToken(named: "web", returnURLs: [url]) }
    }

    @Test func atMost20OriginsAndURLsAreAccepted() throws {
        let origins = (1...21).map { "https://app\($0).example.com" }
        expect(.limitExceeded) { try container.createAPIToken(named: "web", origins: origins) }
        expect(.limitExceeded) { try container.createAPIToken(named: "web", returnURLs: origins) }
        let long = "https://example.com/" + String(repeating: "a", count: 2_028)
        let (text, _) = try container.createAPIToken(
            named: "web",
            origins: Array(origins.dropLast()),
            returnURLs: [String](repeating: long, count: 20)
        )
        #expect(try container.apiToken(text)?.returnURLs.last == long)
    }

    @Test func theStoreDoesNotHoldTheToken() throws {
        let (text, token) = try container.createAPIToken(named: "web")
        let secret = try #require(Hexadecimal.bytes(text.utf8))
        let row = try store.service.read { db in
            try db.first("SELECT token_tag, sealed_token FROM api_tokens") { $0.bytes(0) + $0.bytes(1) }
        }
        let stored = try #require(row)
        let beginnings = (0...stored.count - 8).map { Array(stored[$0..<$0 + 8]) }
        #expect(!beginnings.contains(Array(secret.prefix(8))))
        #expect(stored.prefix(16).elementsEqual(token.tag.bytes))
        // A digest with a label, so that the same bytes are not valid as another kind of token.
        #expect(!stored.prefix(16).elementsEqual(SHA256.hash(of: secret).prefix(16)))
    }

    @Test(arguments: [false, true]) func aRotationKeepsTokens(isLeaked: Bool) throws {
        let (text, token) = try container.createAPIToken(named: "web")
        _ = try store.service.rotateKeys(isLeaked: isLeaked)
        #expect(try container.apiToken(text) == token)
        #expect(try store.reopened().container(container.name).apiToken(text) == token)
    }

    @Test func deletingTheContainerDeletesItsTokens() throws {
        let (text, _) = try container.createAPIToken(named: "web")
        try store.service.deleteContainer(container.name)
        expect(.unknownItem) { try container.apiToken(text) }
        expect(.unknownItem) { try container.createAPIToken(named: "web") }
        let again = try store.service.createContainer(container.name)
        #expect(try again.apiToken(text) == nil)
        #expect(try again.apiTokens() == [])
        #expect(try store.number("SELECT count(*) FROM api_tokens") == 0)
    }
}
