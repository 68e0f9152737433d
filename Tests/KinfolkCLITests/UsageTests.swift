import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
    private static let commands = [
        "", "init", "container", "container create", "container list", "container directory", "container permits",
        "container remove-field",
        "container block", "container unblock", "account", "account create", "account list", "account show",
        "account import", "account add-email", "account remove-email", "account verify", "account transfer-email",
        "account email-discoverable",
        "claim", "claim list", "claim acknowledge", "claim dismiss", "claim wait",
        "account rename", "account suspend", "account resume", "account lookup", "account export", "account erase",
        "session", "session user-record-id", "session record", "session record get", "session record set",
        "session record remove", "session discoverable", "session status", "session block", "session unblock",
        "session blocked", "discover", "discover contacts", "discover email", "discover record-id", "key",
        "key rotate", "backup", "copy", "audit", "stats", "contacts",
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
        #expect(plain.errors.hasPrefix("Error (unknownItem): No account has this address verified. "))
        #expect(plain.errors.firstIndex(of: "\n") == plain.errors.indices.last)
        let json = try kinfolk("account", "show", "nobody@example.com", "--json")
        #expect(json.status == 12)
        #expect(json.output.isEmpty)
        let error = try json.errorJSON()
        #expect(error["error"] as? String == "unknownItem")
        #expect((error["reason"] as? String)?.hasPrefix("No account has this address verified. ") == true)
        #expect(Set(error.keys) == ["error", "reason", "retry_after"])
    }

    @Test func theVersionIsPrinted() throws {
        let run = try CommandLineTool()("--version")
        #expect(run.status == 0)
        #expect(run.output.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    }

    /// Each pair: what somebody new does wrong, and a word of what to do next.
    @Test(arguments: [
        ("account list --store missing.db", "kinfolk init"),
        ("init", "--store"),
        ("init --store missing/kinfolk.db", "Make it first"),
        ("container permits com.example.missing", "kinfolk container list"),
        ("session status --container com.example.missing --account ada@example.com", "kinfolk container create"),
        ("session status --container com.example.notes --account nobody@example.com", "kinfolk account verify"),
        ("account show 00000000000000000000000000000000", "kinfolk account list"),
        ("account list --store people.csv", "--store"),
        ("account list --key-file missing.key", "--key-file"),
        ("account list --key-file people.csv", "chmod 600"),
        ("account list --store .", "--store"),
        ("account verify ada@example.com ada@example.net --vouch", "kinfolk account show"),
        ("discover contacts missing.vcf --container com.example.notes --account ada@example.com", "missing.vcf"),
        ("account import missing.csv --container com.example.notes", "missing.csv"),
    ])
    func anErrorOfTheFirstHourSaysWhatToDo(_ command: String, _ advice: String) throws {
        let kinfolk = try CommandLineTool.withPeople()
        let run = try kinfolk.shell("$kinfolk \(command)")
        #expect(run.status > 10)
        #expect(run.errors.contains(advice), "\(run.errors)")
    }

    @Test func aKeyOfAnotherStoreSaysWhereItWasLookedFor() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("init", "--store", "other.db")
        let run = try kinfolk("account", "list", "--key-file", "other.key")
        #expect(run.status == 20)
        #expect(run.errors.contains("looked for in other.key: give another file with --key-file"))
        try FileManager.default.removeItem(atPath: kinfolk.folder.file("kinfolk.key"))
        #expect(try kinfolk("account", "list").errors.contains("bring it back"))
    }

    @Test func aDiscoveryOfNobodySaysWhoCanBeFound() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(
            try kinfolk.session("ada@example.com", "discover email alan@example.com").output == CommandLineTool.nobody
        )
        let help = try kinfolk("help", "discover").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains("kinfolk session discoverable on"))
        #expect(help.contains("kinfolk account verify"))
    }
}
