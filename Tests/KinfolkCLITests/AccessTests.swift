import Foundation
import TestSupport
import Testing

@Suite struct AccessCommandTests {
    private let kinfolk: CommandLineTool
    private let name = CommandLineTool.container

    /// RFC 6979, appendix A.2.5, as OpenSSL writes it.
    private let pem = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
        Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
        -----END PUBLIC KEY-----

        """

    init() throws { kinfolk = try CommandLineTool.withPeople() }

    @Test func aTokenIsPrintedOnceListedAndDeleted() throws {
        #expect(try kinfolk("token", "list", name).output == "No API token.\n")
        let created = try kinfolk(
            "token",
            "create",
            name,
            "web",
            "--origin",
            "https://app.example.com",
            "--origin",
            "http://localhost:8000",
            "--return-url",
            "https://app.example.com/signed-in",
            "--allow-discovery"
        )
        #expect(created.status == 0 && created.errors.isEmpty)
        let token = try String(#require(created.lines.first))
        #expect(created.lines.count == 1 && token.count == 64)
        #expect(token.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        let list = try kinfolk("token", "list", name, "--json")
        #expect(!list.output.contains(token))
        let tokens = try #require(JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
        #expect(tokens.count == 1 && tokens[0]["name"] as? String == "web")
        #expect(tokens[0]["origins"] as? [String] == ["https://app.example.com", "http://localhost:8000"])
        #expect(tokens[0]["return_urls"] as? [String] == ["https://app.example.com/signed-in"])
        #expect(tokens[0]["allows_discovery"] as? Bool == true)
        #expect(try kinfolk("token", "list", name, "--environment", "development").output == "No API token.\n")
        #expect(try kinfolk("token", "delete", name, "web").output == "Deleted the token web.\n")
        #expect(try kinfolk("token", "list", name).output == "No API token.\n")
        let json = try kinfolk("token", "create", name, "web", "--json").json()
        #expect((json["token"] as? String)?.count == 64 && json["token"] as? String != token)
    }

    @Test func aTokenThatCannotBeMadeOrFoundIsRefused() throws {
        #expect(try kinfolk("token", "create", name, "web").status == 0)
        #expect(try kinfolk("token", "create", name, "web").errors.contains("an API token with this name"))
        let origin = try kinfolk("token", "create", name, "other", "--origin", "https://app.example.com/")
        #expect(origin.status != 0 && origin.errors.contains("An origin is"))
        #expect(try kinfolk("token", "create", name, "other", "--return-url", "javascript:x").status != 0)
        #expect(try kinfolk("token", "delete", name, "other").errors.contains("kinfolk token list \(name)"))
        #expect(try kinfolk("token", "list", "com.example.nothing").errors.contains("kinfolk container list"))
    }

    @Test func aServersKeyIsAddedListedAndRemoved() throws {
        #expect(try kinfolk("server-key", "list", name).output == "No server key.\n")
        try Data(pem.utf8).write(to: URL(fileURLWithPath: kinfolk.folder.file("public.pem")))
        let added = try kinfolk("server-key", "add", name, "public.pem", "--name", "backend")
        let id = try String(#require(added.lines.first))
        #expect(added.status == 0 && added.lines.count == 1 && id.count == 64)
        let list = try kinfolk("server-key", "list", name, "--json")
        let keys = try #require(JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
        #expect(keys.count == 1 && keys[0]["id"] as? String == id && keys[0]["name"] as? String == "backend")
        #expect((keys[0]["public_key"] as? String)?.hasPrefix("0460fed4") == true)
        let account = try #require(keys[0]["account_id"] as? String)
        #expect(try kinfolk("account", "show", account).status == 0)
        #expect(try kinfolk("server-key", "add", name, "public.pem").status != 0)
        #expect(try kinfolk("server-key", "remove", name, id).output == "Removed the key \(id).\n")
        #expect(try kinfolk("server-key", "remove", name, id).errors.contains("kinfolk server-key list \(name)"))
        #expect(try kinfolk("server-key", "remove", name, "x").status != 0)
        let fromInput = try kinfolk("server-key", "add", name, "-", input: pem)
        #expect(fromInput.output == id + "\n")
    }

    @Test func anotherFileIsNoKey() throws {
        #expect(try kinfolk("server-key", "add", name, "-", input: "no key").errors.contains("BEGIN PUBLIC KEY"))
        #expect(try kinfolk("server-key", "add", name, "missing.pem").status != 0)
        #expect(try kinfolk("server-key", "list", name).output == "No server key.\n")
    }
}
