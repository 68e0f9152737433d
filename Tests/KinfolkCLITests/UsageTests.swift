import Testing

@Suite struct UsageTests {
    private static let commands = [
        "", "init", "container", "container create", "container list", "container directory", "container permits",
        "container remove-field",
        "container block", "container unblock", "account", "account create", "account list", "account show",
        "account import", "account add-email", "account remove-email", "account verify", "account email-discoverable",
        "account rename", "account suspend", "account resume", "account lookup", "account export", "account erase",
        "session", "session user-record-id", "session record", "session record get", "session record set",
        "session record remove", "session discoverable", "session status", "session block", "session unblock",
        "session blocked", "discover", "discover contacts", "discover email", "discover record-id", "key",
        "key rotate", "backup", "audit",
    ]

    @Test(arguments: commands) func everyCommandExplainsItself(_ command: String) throws {
        let kinfolk = try CommandLineTool()
        let help = try kinfolk.shell("$kinfolk \(command) --help")
        #expect(help.status == 0)
        #expect(help.output.contains("USAGE: kinfolk"))
        #expect(help.output.hasPrefix("OVERVIEW: "))
        #expect(help.errors.isEmpty)
    }

    @Test func theHelpListsEveryExitStatus() throws {
        let statuses = try CommandLineTool()("--help").lines.compactMap { line in
            line.firstMatch(of: #/^ +([0-9]+)  /#).flatMap { Int($0.1) }
        }
        #expect(statuses == [0, 1] + Array(11...22) + [64, 74])
    }

    @Test func aMistakeOnTheCommandLineIsAUsageError() throws {
        let kinfolk = try CommandLineTool.withPeople()
        for command in ["bogus", "account bogus", "account list --bogus", "account list --limit x", "account show"] {
            let plain = try kinfolk.shell("$kinfolk \(command)")
            #expect(plain.status == 64, "\(command)")
            #expect(plain.output.isEmpty)
            let json = try kinfolk.shell("$kinfolk \(command) --json")
            #expect(json.status == 64, "\(command)")
            #expect(try json.errorJSON()["error"] as? String == "usage")
        }
    }

    @Test func errorsAreOneLineOrOneDocumentWithTheSameStatus() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let plain = try kinfolk("account", "show", "nobody@example.com")
        #expect(plain.status == 12)
        #expect(plain.output.isEmpty)
        #expect(plain.errors == "Error (unknownItem): No account has this address verified.\n")
        let json = try kinfolk("account", "show", "nobody@example.com", "--json")
        #expect(json.status == 12)
        #expect(json.output.isEmpty)
        let error = try json.errorJSON()
        #expect(error["error"] as? String == "unknownItem")
        #expect(error["reason"] as? String == "No account has this address verified.")
        #expect(Set(error.keys) == ["error", "reason", "retry_after"])
    }

    @Test func theVersionIsPrinted() throws {
        let run = try CommandLineTool()("--version")
        #expect(run.status == 0)
        #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    }
}
