import Foundation
import TestSupport
import Testing

@Suite struct RoleCommandTests {
    private let kinfolk: CommandLineTool
    private let name = CommandLineTool.container

    init() throws {
        kinfolk = try CommandLineTool.withPeople()
        let schema =
            "DEFINE SCHEMA CREATE ROLE Editor; RECORD TYPE Note (title STRING, GRANT READ TO Editor, GRANT CREATE TO _icloud);"
        let quoted = schema.replacingOccurrences(of: "_icloud", with: "\"_icloud\"")
        #expect(try kinfolk.shell("printf '%s' '\(quoted)' | $kinfolk schema apply \(name) -").status == 0)
    }

    @Test func aRoleIsGivenListedAndTaken() throws {
        let save = "record save --type Note --name shared --database public --container \(name)"
        #expect(try kinfolk.shell("$kinfolk \(save) --account ada@example.com title=x").status == 0)
        let fetch = "record fetch shared --database public --container \(name) --account ada@example.com"
        #expect(try kinfolk.shell("$kinfolk \(fetch)").status != 0)
        #expect(
            try kinfolk("role", "list", name, "ada@example.com").output
                == "The account has no role in this container.\n"
        )
        #expect(try kinfolk("role", "grant", name, "Editor", "ada@example.com").lines == ["ROLE", "Editor"])
        #expect(try kinfolk.shell("$kinfolk \(fetch)").status == 0)
        let json = try kinfolk("role", "list", name, "ada@example.com", "--json").json()
        #expect(json["roles"] as? [String] == ["Editor"] && json["container"] as? String == name)
        let elsewhere = try kinfolk("role", "list", name, "ada@example.com", "--environment", "development", "--json")
        #expect(try elsewhere.json()["roles"] as? [String] == [])
        #expect(try kinfolk("role", "revoke", name, "Editor", "ada@example.com").status == 0)
        #expect(try kinfolk.shell("$kinfolk \(fetch)").status != 0)
    }

    @Test func aRoleThatIsNotThereIsRefused() throws {
        #expect(try kinfolk("role", "grant", name, "Author", "ada@example.com").errors.contains("no such role"))
        #expect(
            try kinfolk("role", "revoke", name, "Editor", "ada@example.com").errors.contains("does not have this role")
        )
        #expect(try kinfolk("role", "grant", name, "_world", "ada@example.com").status == 11)
    }
}
