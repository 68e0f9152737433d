import Foundation
import TestSupport
import Testing

/// Where the key comes from, and how it is changed.
@Suite struct KeyTests {
    @Test func aKeyFileMayBeElsewhereAndTheOptionOverridesTheEnvironment() throws {
        let kinfolk = try CommandLineTool()
        let run = try kinfolk("init", "--key-file", "elsewhere", "--json")
        #expect(try run.json()["key"] as? String == "elsewhere")
        #expect(try kinfolk.folder.names() == ["elsewhere", "kinfolk.db"])
        #expect(try mode(of: kinfolk.folder.file("elsewhere")) == 0o600)
        #expect(try kinfolk("account", "list", "--key-file", "elsewhere").status == 0)
        #expect(try kinfolk("account", "list", environment: ["KINFOLK_KEY_FILE": "elsewhere"]).status == 0)
        #expect(try kinfolk("account", "list", environment: ["KINFOLK_KEY_FILE": ""]).status == 20)
        let both = try kinfolk(
            "account",
            "list",
            "--key-file",
            "elsewhere",
            environment: ["KINFOLK_KEY_FILE": "nowhere"]
        )
        #expect(both.status == 0)
    }

    @Test func theErrorForAWrongKeySaysWhatToDoNext() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        try kinfolk("init", "--store", "other.db")
        for arguments in [["--key-file", "nowhere"], ["--key-file", "other.key"]] {
            let run = try kinfolk.shell("$kinfolk account list \(arguments.joined(separator: " "))")
            #expect(run.status == 20)
            #expect(run.errors.contains("It was looked for in \(arguments[1])"))
            #expect(run.errors.contains("--key-file"))
            #expect(run.errors.contains("--passphrase"))
            #expect(run.errors.split(separator: "\n").count == 1)
        }
        let run = try kinfolk("account", "list", "--passphrase", "--json", input: "a passphrase\n")
        #expect(run.status == 20)
        let reason = try #require(try run.errorJSON()["reason"] as? String)
        #expect(reason.contains("leave --passphrase out"))
    }

    @Test func aPassphraseIsTheFirstLineOfStandardInput() throws {
        let kinfolk = try CommandLineTool()
        let made = try kinfolk("init", "--passphrase", input: "correct horse\nmore")
        #expect(made.status == 0)
        #expect(made.output.contains("without the passphrase the store is lost"))
        #expect(!(made.output + made.errors).contains("correct horse"))
        #expect(try kinfolk.folder.names() == ["kinfolk.db"])
        #expect(try kinfolk("account", "list", "--passphrase", input: "correct horse").status == 0)
        #expect(try kinfolk("account", "list", "--passphrase", input: "Correct horse").status == 20)
        #expect(try kinfolk("account", "list").status == 20)
        #expect(try kinfolk("account", "list", "--passphrase", input: "").status == 11)
        #expect(try kinfolk("account", "list", "--passphrase", input: "\n").status == 11)
        let long = String(repeating: "p", count: 1_025)
        #expect(try kinfolk("account", "list", "--passphrase", input: long).status == 16)
        #expect(try kinfolk("init", "--json", "--store", "b.db", "--passphrase", input: "b").json()["key"] is NSNull)
    }

    @Test func aPassphraseOverridesTheEnvironmentAndExcludesAKeyFile() throws {
        let kinfolk = try CommandLineTool()
        let environment = ["KINFOLK_KEY_FILE": "elsewhere"]
        #expect(try kinfolk("init", "--passphrase", input: "correct horse", environment: environment).status == 0)
        #expect(try kinfolk.folder.names() == ["kinfolk.db"])
        #expect(try kinfolk("account", "list", "--passphrase", "--key-file", "elsewhere").status == 64)
    }

    @Test func inputAfterThePassphraseIsForTheCommandAndAFileIsNamed() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init", "--passphrase", input: "correct horse")
        try kinfolk("container", "create", CommandLineTool.container, "--passphrase", input: "correct horse")
        let people = try kinfolk.file("people.csv", "given_name,email\nAda,ada@example.com\n")
        let into = "--container \(CommandLineTool.container) --passphrase"
        #expect(try kinfolk.shell("echo correct horse | $kinfolk account import - \(into)").status == 64)
        #expect(try kinfolk.shell("echo correct horse | $kinfolk account import \(people) \(into)").status == 0)
        let discover = "discover contacts - --account ada@example.com \(into)"
        #expect(try kinfolk.shell("echo correct horse | $kinfolk \(discover)").status == 64)
    }

    @Test func aPassphraseIsTypedTwiceAndNeverShown() throws {
        let kinfolk = try CommandLineTool()
        let made = try kinfolk.typing(
            "$kinfolk init --passphrase",
            [("New passphrase: ", "correct horse"), ("New passphrase again: ", "correct horse")]
        )
        #expect(made.status == 0)
        #expect(made.output.contains("Made the store kinfolk.db."))
        #expect(!made.output.contains("correct horse"))
        let opened = try kinfolk.typing("$kinfolk account list --passphrase; stty", [("Passphrase: ", "correct horse")])
        #expect(opened.output.contains("There are no accounts."))
        #expect(!opened.output.contains("correct horse"))
        #expect(!opened.output.contains("-echo"), "the terminal shows again what is typed")
        let differing = try kinfolk.typing(
            "$kinfolk init --passphrase --store other.db",
            [("New passphrase: ", "one"), ("New passphrase again: ", "another")]
        )
        #expect(differing.status == 11)
        #expect(try kinfolk.folder.names() == ["kinfolk.db"])
    }

    @Test func anInterruptedPromptRestoresTheTerminal() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init", "--passphrase", input: "correct horse")
        // The shell continues after the interrupted command, as an interactive shell does. Shells in the background, and
        // their children, ignore the signal.
        let run = try kinfolk.typing(
            "env --default-signal=INT sh -c 'trap : INT; $kinfolk account list --passphrase; echo status $?; stty'",
            [("Passphrase: ", "half of it\u{3}")]
        )
        #expect(run.output.contains("status 130"))
        #expect(!run.output.contains("half of it"))
        #expect(!run.output.contains("-echo"))
    }

    @Test func theKeyFileIsReplacedAndTheOldOneKept() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let old = try bytes(of: kinfolk.folder.file("kinfolk.key"))
        let run = try kinfolk("key", "rotate", "--json")
        #expect(run.status == 0)
        #expect(try run.json()["accounts"] as? Int == 3)
        #expect(try run.json()["key_file"] as? String == "kinfolk.key")
        #expect(try run.json()["old_key_file"] as? String == "kinfolk.key.1")
        #expect(try bytes(of: kinfolk.folder.file("kinfolk.key.1")) == old)
        #expect(try bytes(of: kinfolk.folder.file("kinfolk.key")) != old)
        #expect(try kinfolk("account", "show", "ada@example.com").status == 0)
        #expect(try kinfolk("account", "list", "--key-file", "kinfolk.key.1").status == 20)

        let again = try kinfolk("key", "rotate")
        #expect(again.output.contains("The new key is kinfolk.key: keep a copy in another place."))
        #expect(again.output.contains("The old key is kinfolk.key.2. It opens copies of the store"))
        #expect(again.lines.allSatisfy { $0.count <= 80 })
    }

    @Test func theKeyCanBeReplacedByAnotherFileOrAPassphrase() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let moved = try kinfolk("key", "rotate", "--new-key-file", "elsewhere", "--json")
        #expect(try moved.json()["key_file"] as? String == "elsewhere")
        #expect(try moved.json()["old_key_file"] as? String == "kinfolk.key")
        #expect(try kinfolk("account", "list").status == 20)
        let typed = try kinfolk(
            "key",
            "rotate",
            "--key-file",
            "elsewhere",
            "--new-passphrase",
            "--json",
            input: "correct horse\n"
        )
        #expect(try typed.json()["key_file"] is NSNull)
        #expect(try typed.json()["old_key_file"] as? String == "elsewhere")
        let other = try kinfolk(
            "key",
            "rotate",
            "--passphrase",
            "--new-passphrase",
            input: "correct horse\nbattery staple\n"
        )
        #expect(other.status == 0)
        #expect(other.output.contains("The old key was made from the old passphrase."))
        #expect(try kinfolk("account", "list", "--passphrase", input: "correct horse").status == 20)
        #expect(try kinfolk("account", "list", "--passphrase", input: "battery staple").status == 0)
    }

    @Test func anInvalidNewKeyIsRefused() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk("key", "rotate", "--new-key-file", "kinfolk.key").status == 11)
        #expect(try kinfolk("key", "rotate", "--new-key-file", "missing/key").status == 12)
        #expect(try kinfolk("key", "rotate", "--new-key-file", "people.csv").status == 20)
        #expect(try kinfolk("key", "rotate", "--new-key-file", "a", "--new-passphrase").status == 64)
        #expect(try kinfolk("key", "rotate", "--passphrase").status == 64)
        #expect(try kinfolk("key", "rotate", "--new-passphrase").status == 11)
        #expect(try kinfolk("account", "list").status == 0)
    }

    @Test func theMemoryOfTheCommandIsNotInACoreDump() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init", "--passphrase", input: "correct horse")
        // The command waits for the passphrase while the test reads its limits.
        let run = try kinfolk.shell(
            """
            ulimit -c unlimited 2>/dev/null
            mkfifo keys; $kinfolk account list --passphrase <keys & child=$!
            exec 3>keys
            n=0
            until grep -q 'core file size  *0  *0 ' /proc/$child/limits || [ $n -gt 1200 ]; do sleep 0.05; n=$((n + 1)); done
            grep 'core file' /proc/$child/limits
            echo correct horse >&3; wait $child
            """
        )
        #expect(run.status == 0)
        #expect(run.output.firstMatch(of: #/Max core file size +0 +0 /#) != nil)
    }
}
