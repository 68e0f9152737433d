import Foundation
import TestSupport
import Testing

@Suite struct UsageTests {
    @Test func everyCommandHasHelp() throws {
        let kinfolk = try CommandLineTool()
        for page in try HelpPage.all(of: kinfolk) {
            let help = try kinfolk(arguments: page.path + ["--help"])
            #expect(help.status == 0)
            #expect(help.output.contains("USAGE: kinfolk"), "\(page.path)")
            #expect(help.output.hasPrefix("OVERVIEW: "), "\(page.path)")
            #expect(help.errors.isEmpty)
        }
    }

    @Test func theHelpListsEveryExitStatus() throws {
        let statuses = try CommandLineTool()("--help").lines.compactMap { line in
            line.firstMatch(of: #/^ +([0-9]+)  /#).flatMap { Int($0.1) }
        }
        #expect(statuses == [0, 1, 2] + Array(11...31) + [64, 74, 130])
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

    @Test func noPageOfHelpIsWiderThanATerminal() throws {
        let kinfolk = try CommandLineTool()
        let pages = try HelpPage.all(of: kinfolk)
        #expect(pages.count > 50)
        for page in pages {
            let help = try kinfolk(arguments: ["help"] + page.path)
            #expect(help.status == 0)
            #expect(help.output.contains("USAGE: kinfolk \(page.path.joined(separator: " "))"), "\(page.path)")
            #expect(help.lines.allSatisfy { $0.count <= 80 }, "\(help.lines.filter { $0.count > 80 })")
            // Examples are not wrapped, and kinfolk(1) indents them by 14 columns more than the help does.
            let examples = help.lines.filter { $0.hasPrefix("  kinfolk ") }
            #expect(examples.allSatisfy { $0.count <= 66 }, "\(page.path): \(examples.filter { $0.count > 66 })")
            // An error on the command line shows the usage too.
            let mistake = try kinfolk(arguments: page.path + ["--no-such-option"])
            #expect(mistake.status == 64)
            let lines = mistake.errors.split(separator: "\n").drop { !$0.hasPrefix("Usage: ") }
            #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        }
    }

    /// Each case: what was typed, and the expected suggestion; nil if there is none.
    @Test(arguments: [
        ("acount", "kinfolk account"), ("help acount", "kinfolk account"), ("acount --help", "kinfolk account"),
        ("account lsit", "kinfolk account list"), ("help account lsit", "kinfolk account list"),
        ("container craete com.example.notes", "kinfolk container create"), ("key rotat", "kinfolk key rotate"),
        ("session record gte", "kinfolk session record get"), ("ini", "kinfolk init"), ("BACKUP a", "kinfolk backup"),
        ("rotate", "kinfolk key rotate"), ("disc a.vcf", "kinfolk discover"),
        ("discover emial a@example.com --container c --account a@example.com", "kinfolk discover email"),
        ("nosuch", nil), ("help nosuch", nil), ("help nosuch --help", nil), ("account nosuch", nil),
    ])
    func aCommandThatDoesNotExistSuggestsOneThatDoes(typed: String, meant: String?) throws {
        let kinfolk = try CommandLineTool()
        let run = try kinfolk.shell("$kinfolk \(typed)")
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("Error: There is no command \"kinfolk "), "\(run.errors)")
        #expect(run.errors.contains("Did you mean") == (meant != nil), "\(run.errors)")
        if let meant { #expect(run.errors.contains("Did you mean \"\(meant)\""), "\(run.errors)") }
        let json = try kinfolk.shell("$kinfolk \(typed) --json")
        #expect(json.status == 64)
        #expect(try json.errorJSON()["error"] as? String == "usage")
    }

    @Test func anOptionThatDoesNotExistSuggestsOneThatDoes() throws {
        let run = try CommandLineTool()("account", "list", "--limti", "5")
        #expect(run.status == 64)
        #expect(run.errors.contains("--limit"), "\(run.errors)")
    }

    @Test func aFileNameIsNotTreatedAsACommand() throws {
        let kinfolk = try CommandLineTool.withPeople()
        _ = try kinfolk.file("emails", "grace@example.org\n")
        #expect(try kinfolk.session("ada@example.com", "discover emails").status == 0)
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

    /// Earlier, `--version` anywhere on the line printed the version with exit status 0, and the command was not run.
    @Test(arguments: [
        "account list --version", "account --version", "--version account list", "--version --json",
        "session discoverable on --container com.example.notes --account ada@example.com --consent-text a --version 1",
    ])
    func versionAfterACommandIsAUsageError(_ line: String) throws {
        let kinfolk = try CommandLineTool.withPeople()
        let run = try kinfolk.shell("$kinfolk \(line)")
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        if line.contains("discoverable") {
            #expect(run.errors.contains("Did you mean '--consent-version'?"), "\(run.errors)")
        }
        #expect(try !kinfolk("help", "account", "list").output.contains("--version"))
        #expect(try kinfolk("help").output.contains("--version"))
    }

    /// Each case: a line, and the beginning of the message.
    @Test(arguments: [
        ("--store kinfolk.db account list", "Error: Put --store after the command: kinfolk account list ... --store"),
        ("account --store kinfolk.db list", "Error: Put --store after the command: kinfolk account list ... --store"),
        (
            "session status --contaner com.example.notes",
            "Error: Unknown option '--contaner'. Did you mean '--container'?"
        ),
        ("session discoverable on --text a", "Error: Unknown option '--text'. Did you mean '--consent-text'?"),
        ("account list --limit -1", "Error: --limit is 1 to 100000."),
        ("account list --nosuch=1", "Error: Unknown option '--nosuch'."),
        ("restore copy.db </dev/null", "Error: There is no terminal to ask on: give --yes."),
    ])
    func aMistakeIsNamedAndShownWithTheUsageOfItsCommand(_ line: String, _ words: String) throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("backup", "copy.db")
        let run = try kinfolk.shell("$kinfolk \(line)")
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("\(words)\n"), "\(run.errors)")
        let command = line.split(separator: " ").filter {
            ["account", "list", "session", "status", "discoverable", "restore"].contains($0)
        }
        #expect(run.errors.contains("\nUsage: kinfolk \(command.joined(separator: " ")) "), "\(run.errors)")
        #expect(run.errors.hasSuffix("See 'kinfolk \(command.joined(separator: " ")) --help' for more information.\n"))
        let json = try kinfolk.shell("$kinfolk \(line) --json")
        #expect(try json.errorJSON()["reason"] as? String == words.dropFirst("Error: ".count).description)
    }

    @Test func optionsBeforeACommandKeepTheirMeaning() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk("help", "help").output.hasPrefix("OVERVIEW: "))
        #expect(try kinfolk("account", "list", "--", "--version").status == 64)
        #expect(try kinfolk("account", "list", "--limit", "1").status == 0)
    }

    /// Each case: a mistake of a beginner, and a word of the advice in the message.
    @Test(arguments: [
        ("account list --store missing.db", "kinfolk init"),
        ("init", "--store"),
        ("init --store missing/kinfolk.db", "The folder missing does not exist. Make it first: mkdir -p missing"),
        ("init --store new.db --key-file missing/key", "The folder missing does not exist."),
        ("account list --store missing/kinfolk.db", "The folder missing does not exist."),
        ("backup missing/copy.db", "The folder missing does not exist."),
        ("backup people.csv", "people.csv"),
        ("account list --store mysql://example.com/people", "postgresql://"),
        ("init --store http://example.com/people", "postgresql://"),
        ("restore missing.db --yes", "There is no backup missing.db."),
        (
            "discover contacts missing.vcf --container com.example.notes --account ada@example.com",
            "There is no file missing.vcf."
        ),
        ("container permits com.example.missing", "kinfolk container list"),
        ("session status --container com.example.missing --account ada@example.com", "kinfolk container create"),
        ("session status --container com.example.notes --account nobody@example.com", "kinfolk account verify"),
        ("account show 00000000000000000000000000000000", "kinfolk account list"),
        ("account list --store people.csv", "--store"),
        ("account list --key-file missing.key", "--key-file"),
        ("account list --key-file people.csv", "Run: chmod 600 people.csv\n"),
        ("account list --store .", "--store"),
        ("account verify ada@example.com ada@example.net --vouch", "kinfolk account show"),
        ("discover contacts missing.vcf --container com.example.notes --account ada@example.com", "missing.vcf"),
        ("account import missing.csv --container com.example.notes", "missing.csv"),
    ])
    func anErrorThatBeginnersMeetSaysWhatToDo(_ command: String, _ advice: String) throws {
        let kinfolk = try CommandLineTool.withPeople()
        let run = try kinfolk.shell("$kinfolk \(command)")
        #expect(run.status > 10)
        #expect(run.errors.contains(advice), "\(run.errors)")
    }

    @Test func theErrorForAKeyOfAnotherStoreNamesTheKeyFile() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("init", "--store", "other.db")
        let run = try kinfolk("account", "list", "--key-file", "other.key")
        #expect(run.status == 20)
        #expect(run.errors.contains("looked for in other.key: give another file with --key-file"))
        try FileManager.default.removeItem(atPath: kinfolk.folder.file("kinfolk.key"))
        #expect(try kinfolk("account", "list").errors.contains("bring it back"))
        try kinfolk("init", "--store", "sealed.db", "--passphrase", input: "correct horse")
        let sealed = try kinfolk("account", "list", "--store", "sealed.db")
        #expect(sealed.status == 20)
        let first = "There is no key file sealed.key. If the store was made with a passphrase, give --passphrase."
        #expect(sealed.errors.contains(": \(first)"), "\(sealed.errors)")
    }

    @Test func aDiscoveryThatFindsNobodySaysWhoCanBeFound() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(
            try kinfolk.session("ada@example.com", "discover email alan@example.com").output == CommandLineTool.nobody
        )
        let help = try kinfolk("help", "discover").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains("kinfolk session discoverable on"))
        #expect(help.contains("kinfolk account verify"))
    }
}
