import Foundation
import TestSupport
import Testing

/// Occasional work of an operator: copies, look-ups, blocks.
@Suite struct OperatorTests {
    @Test func aBackupIsACopyThatOpensAndOnlyItsOwnerCanRead() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let run = try kinfolk("backup", "copy.db", "--json")
        #expect(run.status == 0)
        #expect(try run.json()["backup"] as? String == "copy.db")
        #expect(try run.json()["key_file"] as? String == "kinfolk.key")
        #expect(try run.json()["bytes"] as? Int == bytes(of: kinfolk.folder.file("copy.db")).count)
        #expect(try mode(of: kinfolk.folder.file("copy.db")) == 0o600)
        try kinfolk("account", "erase", "ada@example.com", "--yes")
        let ada = ["account", "show", "ada@example.com", "--store", "copy.db", "--key-file", "kinfolk.key"]
        let refused = try kinfolk(arguments: ada)
        #expect(refused.status == 21)
        #expect(refused.errors.contains("kinfolk restore --accept-older"))
        let restore = ["restore", "--accept-older", "--store", "copy.db", "--key-file", "kinfolk.key", "--json"]
        #expect(try kinfolk(arguments: restore).json()["was_older"] as? Bool == true)
        #expect(try kinfolk(arguments: restore).json()["was_older"] as? Bool == false)
        #expect(try kinfolk("restore", "--store", "copy.db").status == 64)
        let copy = try kinfolk(arguments: ada)
        #expect(copy.output.contains("Ada Example"))
        let plain = try kinfolk("backup", "second.db")
        #expect(plain.output.contains("It opens with kinfolk.key, which is not in it: keep a copy in another place."))
        #expect(plain.lines.count == 2)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aBackupIsRestoredAfterConfirmation() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("backup", "copy.db")
        try kinfolk("account", "erase", "ada@example.com", "--yes")
        let refused = try kinfolk("restore", "copy.db")
        #expect(refused.status == 64)
        #expect(refused.errors.contains("--yes"))
        #expect(try kinfolk("restore").status == 64)
        #expect(try kinfolk("restore", "copy.db", "--accept-older").status == 64)
        #expect(try kinfolk("restore", "missing.db", "--yes").status == 12)
        #expect(try kinfolk("account", "show", "ada@example.com").status == 12)
        let run = try kinfolk("restore", "copy.db", "--yes")
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("Restored kinfolk.db from copy.db: "))
        #expect(try kinfolk("account", "show", "ada@example.com").status == 0)
        // Without a store nothing can be lost, so the command does not ask.
        let json = try kinfolk("restore", "copy.db", "--store", "new.db", "--key-file", "kinfolk.key", "--json")
        #expect(try json.json()["store"] as? String == "new.db")
        try kinfolk("init", "--store", "other.db", "--key-file", "kinfolk.key")
        let other = ["restore", "copy.db", "--store", "other.db", "--key-file", "kinfolk.key", "--yes"]
        let conflict = try kinfolk(arguments: other)
        #expect(conflict.status == 18)
        #expect(conflict.errors.contains("--replace-other"))
        #expect(try kinfolk(arguments: other + ["--replace-other"]).status == 0)
        let server = try kinfolk(
            "restore",
            "copy.db",
            "--store",
            "postgresql://host/db",
            "--key-file",
            "kinfolk.key",
            "--yes"
        )
        #expect(server.status == 11)
        #expect(server.errors.contains("pg_restore"))
        #expect(server.errors.contains("kinfolk copy"))
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aCheckSaysWhetherAStoreIsSound() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let sound = try kinfolk("check")
        #expect(sound.status == 0)
        #expect(sound.lines.last?.hasPrefix("kinfolk.db is sound: ") == true)
        #expect(try kinfolk("check", "--json").json()["is_sound"] as? Bool == true)
        try RawDatabase(kinfolk.folder.file("kinfolk.db")).run("UPDATE emails SET is_discoverable = 0")
        let damaged = try kinfolk("check")
        #expect(damaged.status == 21)
        #expect(damaged.output.contains("accounts: a row was changed without the key (3 times)"))
        #expect(damaged.errors.contains("3 findings. "))
        #expect(damaged.errors.contains("kinfolk restore FILE --store kinfolk.db"))
        #expect(!damaged.output.contains("@") && !damaged.errors.contains("@"))
        let run = try kinfolk("check", "--json")
        #expect(run.status == 21)
        let findings = try #require(try run.json()["findings"] as? [[String: Any]])
        #expect(findings.map { $0["table"] as? String } == ["accounts"])
        #expect(findings.map { $0["kind"] as? String } == ["changed"])
    }

    @Test func aStoreIsOpenedReadOnly() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk("account", "show", "ada@example.com", "--read-only").status == 0)
        #expect(try kinfolk("check", "--read-only").status == 0)
        let refused = try kinfolk("account", "suspend", "ada@example.com", "--read-only")
        #expect(refused.status == 14)
        #expect(refused.errors.contains("reading only"))
    }

    @Test func aLookUpShowsTheAccountAndIsLogged() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let id = try kinfolk.userRecordID("grace@example.org")
        #expect(try kinfolk("audit").output == "No account was looked up.\n")
        #expect(try kinfolk("account", "lookup", CommandLineTool.container, id).status == 64)
        #expect(try kinfolk("account", "lookup", CommandLineTool.container, id, "--reason", "").status == 11)
        let found = try kinfolk("account", "lookup", CommandLineTool.container, id, "--reason", "Ticket 12")
        #expect(found.status == 0)
        #expect(found.output.contains("Grace Sample"))
        let nobody = "_" + String(repeating: "0", count: 32)
        #expect(try kinfolk("account", "lookup", CommandLineTool.container, nobody, "--reason", "A guess").status == 12)

        let entries = try #require(try kinfolk("audit", "--json").json()["entries"] as? [[String: Any]])
        #expect(entries.map { $0["number"] as? Int } == [1, 2])
        #expect(entries.map { $0["user_record_id"] as? String } == [id, nobody])
        #expect(entries.map { $0["reason"] as? String } == ["Ticket 12", "A guess"])
        #expect(entries.allSatisfy { $0["container"] as? String == CommandLineTool.container })
        #expect(entries.allSatisfy { ($0["noted_at"] as? String)?.hasPrefix("20") == true })
    }

    @Test func theLogIsReadInPagesAndForgetsErasedAccounts() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let id = try kinfolk.userRecordID("grace@example.org")
        for number in 1...3 {
            try kinfolk("account", "lookup", CommandLineTool.container, id, "--reason", "Ticket \(number)")
        }
        let first = try kinfolk("audit", "--limit", "2")
        #expect(first.lines.count == 4)
        #expect(first.lines.last == "More: --after 2")
        #expect(try kinfolk("audit", "--limit", "2", "--json").json()["next"] as? Int == 2)
        let rest = try kinfolk("audit", "--after", "2", "--json").json()
        #expect((rest["entries"] as? [[String: Any]])?.map { $0["reason"] as? String } == ["Ticket 3"])
        #expect(rest["next"] is NSNull)
        #expect(try kinfolk("audit", "--limit", "0").status == 64)
        try kinfolk("account", "erase", "grace@example.org", "--yes")
        let erased = try #require(try kinfolk("audit", "--json").json()["entries"] as? [[String: Any]])
        #expect(erased.allSatisfy { $0["user_record_id"] is NSNull && $0["reason"] is NSNull })
    }

    @Test func theLogFitsATerminal() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let id = try kinfolk.userRecordID("grace@example.org")
        let reason = String(repeating: "a long reason ", count: 10)
        try kinfolk("account", "lookup", CommandLineTool.container, id, "--reason", reason)
        let shown = try kinfolk.terminal("$kinfolk audit", environment: ["NO_COLOR": "1"])
        #expect(shown.output.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 80 })
        #expect(shown.output.contains(id))
        #expect(try kinfolk("audit").output.contains(reason.dropLast()))
    }

    @Test func aPersonBlocksAndUnblocks() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let grace = try kinfolk.userRecordID("grace@example.org")
        #expect(try kinfolk.session("ada@example.com", "session blocked").output == "Nobody is blocked.\n")
        let blocked = try kinfolk.session("ada@example.com", "session block \(grace) --json").json()
        #expect(blocked["blocked"] as? Bool == true)
        #expect(try kinfolk.session("ada@example.com", "discover record-id \(grace)").output == CommandLineTool.nobody)
        let list = try kinfolk.session("ada@example.com", "session blocked --json").json()
        #expect(list["user_record_ids"] as? [String] == [grace])
        #expect(try kinfolk.session("ada@example.com", "session blocked").lines == ["USER RECORD ID", "\(grace)"])
        #expect(try kinfolk.session("ada@example.com", "session unblock \(grace)").status == 0)
        #expect(try kinfolk.session("ada@example.com", "session blocked").output == "Nobody is blocked.\n")
        #expect(try kinfolk.session("ada@example.com", "session block nonsense").status == 11)
    }

    @Test func theOperatorBlocksAndUnblocks() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let (ada, grace) = (
            try kinfolk.userRecordID("ada@example.com"), try kinfolk.userRecordID("grace@example.org")
        )
        let run = try kinfolk("container", "block", CommandLineTool.container, ada, grace, "--json")
        #expect(try run.json()["user_record_ids"] as? [String] == [ada, grace])
        let find = "discover email grace@example.org"
        #expect(try kinfolk.session("ada@example.com", find).output == CommandLineTool.nobody)
        #expect(try kinfolk("container", "unblock", CommandLineTool.container, grace, ada).status == 0)
        #expect(try kinfolk.session("ada@example.com", find).output.contains(grace))
        #expect(try kinfolk("container", "block", CommandLineTool.container, ada, ada).status == 11)
    }

    @Test func theOperatorsBlocksAreListedPageByPage() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let (ada, grace) = (try kinfolk.userRecordID("ada@example.com"), try kinfolk.userRecordID("grace@example.org"))
        let container = CommandLineTool.container
        #expect(try kinfolk("container", "blocks", container).output == "The operator has blocked nobody.\n")
        let nobody = "_" + String(repeating: "0", count: 32)
        for pair in [(ada, grace), (nobody, ada)] {
            #expect(try kinfolk("container", "block", container, pair.0, pair.1).status == 0)
        }
        let all = try #require(try kinfolk("container", "blocks", container, "--json").json()["blocks"] as? [[String]])
        #expect(Set(all.map(Set.init)) == [[ada, grace], [nobody, ada]])
        let first = try kinfolk("container", "blocks", container, "--limit", "1", "--json").json()
        let next = try #require(first["next"] as? [String])
        #expect(next == all.first)
        let second = ["container", "blocks", container, "--after"] + next + ["--json"]
        #expect(try kinfolk(arguments: second).json()["blocks"] as? [[String]] == Array(all.dropFirst()))
        #expect(try kinfolk("container", "blocks", container, "--after", ada).status == 64)
    }

    @Test func aContainerIsDeletedAfterConfirmation() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let container = CommandLineTool.container
        #expect(try kinfolk("container", "delete", container).status == 64)
        let deleted = try kinfolk("container", "delete", container, "--yes", "--json")
        #expect(deleted.status == 0)
        #expect(try deleted.json()["people"] as? Int ?? 0 > 0)
        #expect(try kinfolk("container", "list").output.hasPrefix("There are no containers"))
        #expect(try kinfolk("container", "delete", container, "--yes").status == 12)
        #expect(try kinfolk("account", "show", "ada@example.com").status == 0)
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles))
    func theErrorForAStoreTooDamagedToOpenSuggestsARestore() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("backup", "copy.db")
        // The first page is not damaged, so the file still looks like a store.
        _ = try kinfolk.shell(
            "head -c 4096 kinfolk.db >cut.db && head -c 90000 /dev/zero >>cut.db && cp kinfolk.key cut.key"
        )
        for command in ["check", "account list"] {
            let run = try kinfolk.shell("$kinfolk \(command) --store cut.db")
            #expect(run.status == 21, "\(run.errors)")
            #expect(run.errors.contains("kinfolk restore FILE --store cut.db"), "\(run.errors)")
            #expect(!run.errors.contains("looked for"))
            #expect(!run.errors.contains("kinfolk check"))
        }
        #expect(try kinfolk("account", "list", "--store", "people.csv").errors.contains("looked for in people.csv"))
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles))
    func restoringABackupFromBeforeARotationSaysHowToRestoreItsKey() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("backup", "before.db")
        try kinfolk("key", "rotate")
        try kinfolk("backup", "after.db")
        #expect(try kinfolk("restore", "before.db", "--yes").status == 20)
        let restored = try kinfolk("restore", "before.db", "--yes", "--key-file", "kinfolk.key.1")
        #expect(restored.status == 0)
        let refused = try kinfolk("account", "list")
        #expect(refused.status == 20)
        #expect(refused.errors.contains("kinfolk.key.1, which is next to it, opens the store."), "\(refused.errors)")
        let moves = restored.lines.filter { $0.hasPrefix("  mv ") }
        #expect(moves.map { $0.dropFirst(5) }.contains("kinfolk.key kinfolk.key.2"))
        #expect(moves.map { $0.dropFirst(5) }.contains("kinfolk.key.1.counter kinfolk.key.counter"))
        #expect(try kinfolk.shell(moves.joined(separator: "\n")).status == 0)
        #expect(try kinfolk("account", "list").status == 0)
        // The key of newer backups was kept.
        try kinfolk("backup", "now.db")
        #expect(try kinfolk("restore", "after.db", "--yes", "--key-file", "kinfolk.key.2").status == 0)
        #expect(
            try !kinfolk("restore", "after.db", "--yes", "--store", "new.db", "--key-file", "kinfolk.key.2").output
                .contains("mv new.key")
        )
    }

    @Test func ifMissingKeepsWhatExists() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let container = CommandLineTool.container
        #expect(try kinfolk("container", "create", container).status == 18)
        #expect(
            try kinfolk("container", "create", container, "--if-missing", "--json").json()["created"] as? Bool == false
        )
        let another = ["container", "create", "com.example.another", "--if-missing", "--json"]
        #expect(try kinfolk(arguments: another).json()["created"] as? Bool == true)
        #expect(try kinfolk(arguments: another).json()["created"] as? Bool == false)

        let id = try kinfolk("account", "show", "ada@example.com", "--json").json()["account_id"] as? String
        let ada = [
            "account", "create", "--email", "Ada@example.com", "--verified", "--if-missing", "--given-name", "Other",
        ]
        #expect(try kinfolk(arguments: ada).output == id.map { $0 + "\n" })
        let new = ["account", "create", "--email", "new@example.com", "--verified", "--if-missing", "--json"]
        #expect(try kinfolk(arguments: new).json()["created"] as? Bool == true)
        #expect(try kinfolk(arguments: new).json()["created"] as? Bool == false)
        #expect(try kinfolk("account", "create", "--email", "new@example.com", "--if-missing").status == 64)
        #expect(try kinfolk("account", "create", "--verified", "--if-missing").status == 64)
    }
}
