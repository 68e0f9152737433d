import Foundation
import TestSupport
import Testing

/// `zone`, and `record` with `--zone`.
@Suite struct ZoneTests {
    private let kinfolk: CommandLineTool

    init() throws {
        kinfolk = try CommandLineTool.withPeople()
        for field in ["title string", "count int64"] {
            _ = try kinfolk.shell("$kinfolk schema add-field \(CommandLineTool.container) \(field) --record-type Note")
        }
        try zone("save Notes")
    }

    @discardableResult
    private func zone(_ command: String) throws -> Run { try kinfolk.session("ada@example.com", "zone \(command)") }

    @discardableResult
    private func record(_ command: String, in zone: String = "Notes") throws -> Run {
        try kinfolk.session("ada@example.com", "record \(command) --database private --zone '\(zone)'")
    }

    private func names(_ run: Run, _ member: String) throws -> [String] {
        let records = try #require(try run.json()[member] as? [[String: Any]])
        return records.compactMap { $0["name"] as? String }
    }

    @Test func zonesAreMadeListedAndDeleted() throws {
        #expect(try zone("save Archive").output == "The database has the zone Archive.\n")
        #expect(try zone("save Archive --json").json()["zone"] as? String == "Archive")
        #expect(try zone("list").output == "ZONE\n_defaultZone\nNotes\nArchive\n")
        #expect(try zone("list --json").json()["zones"] as? [String] == ["_defaultZone", "Notes", "Archive"])
        let waiting = try zone("delete Archive < /dev/null")
        #expect(waiting.status == 64 && waiting.errors.contains("give --yes"))
        #expect(try zone("delete Archive --yes").output == "Deleted the zone Archive with all its records.\n")
        #expect(try zone("list").output == "ZONE\n_defaultZone\nNotes\n")
        #expect(try zone("delete Archive --yes").status == 27)
        for command in ["save Nötes", "delete Nötes --yes", "changes Nötes"] {
            #expect(try zone(command).status == 11, "\(command)")
        }
        #expect(try record("fetch n", in: "Nötes").status == 11)
    }

    @Test func recordsOfAZoneAreSavedFetchedAndDeletedThere() throws {
        let saved = try record("save title=Groceries --type Note --name n --json")
        #expect(saved.status == 0, "\(saved.errors)")
        #expect(try saved.json()["zone"] as? String == "Notes")
        #expect(try record("save title=Milk --name n").output.hasPrefix("n  Note  private  Notes\n"))
        #expect(try record("fetch n n --json").status == 0)
        #expect(try kinfolk.session("ada@example.com", "record fetch n --database private").status == 12)
        #expect(try record("delete n --json").json()["zone"] as? String == "Notes")

        let missing = try record("save title=x --type Note", in: "Nowhere")
        #expect(missing.status == 27 && missing.errors.contains("\"kinfolk zone save\" makes it."), "\(missing.errors)")
        #expect(try record("delete n", in: "Nowhere").status == 27)
    }

    @Test func aBatchWorksInTheZoneOfTheCommandOrOfTheLine() throws {
        let lines = [
            #"{"operation":"create","type":"Note","name":"a"}"#, #"{"operation":"create","type":"Note"}"#,
            #"{"operation":"create","type":"Note","name":"b","zone":"_defaultZone"}"#,
        ]
        _ = try kinfolk.file("batch.jsonl", lines.joined(separator: "\n"))
        let run = try record("batch batch.jsonl --json")
        #expect(run.status == 0, "\(run.errors)")
        let results = try #require(try run.json()["results"] as? [[String: Any]])
        let zones = results.map { ($0["record"] as? [String: Any])?["zone"] as? String }
        #expect(zones == ["Notes", "Notes", "_defaultZone"])
        #expect(try record("fetch b", in: "_defaultZone").status == 0)
        #expect(try zone("changes Notes").output.hasSuffix("\n2 saved, 0 deleted.\n"))
    }

    @Test func aScriptFollowsAZoneWithATokenInAFile() throws {
        let follow = "changes Notes --token-file notes.token --json"
        for name in ["a", "b", "c"] { try record("save --type Note --name \(name)") }
        #expect(try names(zone(follow), "records") == ["a", "b", "c"])
        #expect(try names(zone(follow), "records").isEmpty)
        try record("save title=New --name b")
        try record("delete a")
        let changes = try zone(follow)
        #expect(try names(changes, "records") == ["b"] && names(changes, "deleted") == ["a"])
        let token = try String(contentsOfFile: kinfolk.folder.file("notes.token"), encoding: .utf8)
        #expect(try changes.json()["token"] as? String == String(token.dropLast()))
        #expect(try zone("changes Notes --token-file notes.token").output == "Nothing changed.\n")
        // With a token on the command line, the script keeps the new one itself.
        try record("save --type Note --name d")
        for _ in 1...2 {
            #expect(try names(zone("changes Notes --json --token \"$(cat notes.token)\""), "records") == ["d"])
        }
        #expect(try names(zone("changes Notes --json --token ''"), "records") == ["c", "b", "d"])
    }

    @Test func pagesAreReadUntilThereAreNoMore() throws {
        for number in 1...5 { try record("save --type Note --name n\(number)") }
        let script = """
            while :; do
                $kinfolk zone changes Notes --token-file t --limit 2 --json \
                    --container \(CommandLineTool.container) --account ada@example.com >page || exit
                grep -c '"change_tag"' page
                grep -q '"more_coming": true' page || break
            done
            """
        let run = try kinfolk.shell(script)
        #expect(run.output == "2\n2\n1\n", "\(run.errors)")
        let first = try zone("changes Notes --limit 1")
        #expect(first.output.hasSuffix("There are more changes: run this again with the new token.\n"))
    }

    /// Otherwise the changes would be lost that the answer did not show.
    @Test func theTokenStaysIfTheAnswerIsNotWritten() throws {
        try record("save --type Note --name a")
        #expect(try zone("changes Notes --token-file notes.token > /dev/full").status == 74)
        #expect(try names(zone("changes Notes --token-file notes.token --json"), "records") == ["a"])
        try record("save --type Note --name b")
        #expect(try zone("changes Notes --token-file notes.token > /dev/full").status == 74)
        #expect(try names(zone("changes Notes --token-file notes.token --json"), "records") == ["b"])
    }

    @Test func theChangesOfADatabaseAreItsZones() throws {
        let follow = "changes --token-file database.token"
        try zone("save Archive")
        #expect(
            try zone(follow).output
                == "CHANGE   ZONE\nchanged  Notes\nchanged  Archive\n\n2 zones changed, 0 deleted.\n"
        )
        try record("save --type Note --name a")
        try zone("delete Archive --yes")
        let changes = try zone("\(follow) --json").json()
        #expect(changes["changed"] as? [String] == ["Notes"] && changes["deleted"] as? [String] == ["Archive"])
        #expect(changes["more_coming"] as? Bool == false)
        #expect(try zone(follow).output == "Nothing changed.\n")
        #expect(try zone("changes --limit 5").status == 64)
    }

    @Test func aTokenForSomethingElseIsExpired() throws {
        try zone("changes Notes --token-file notes.token")
        let database = try zone("changes --token-file notes.token")
        #expect(database.status == 26 && database.errors.contains("remove the file notes.token"), "\(database.errors)")
    }

    /// The file is replaced, so it must not hold anything else.
    @Test(arguments: ["kinfolk.key", "people.csv", "kinfolk.db"])
    func theTokenFileHoldsATokenOrNothing(_ file: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: kinfolk.folder.file(file)))
        let run = try zone("changes Notes --token-file \(file)")
        #expect(run.status == 11 || run.status == 16, "\(run.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: kinfolk.folder.file(file))) == before)
    }

    @Test func aTokenIsHexadecimalDigits() throws {
        let long = String(repeating: "00", count: 257)
        for token in ["x", "0", "0g", long] { #expect(try zone("changes Notes --token \(token)").status == 11) }
        #expect(try zone("changes Notes --token 00").status == 26)
        #expect(try zone("changes Notes --token 00 --token-file t").status == 64)
        for limit in ["0", "401"] { #expect(try zone("changes Notes --limit \(limit)").status == 64) }
    }

    @Test func theTableFitsATerminal() throws {
        try record("save --type Note --name \(String(repeating: "n", count: 255))")
        let options = "--container \(CommandLineTool.container) --account ada@example.com"
        let run = try kinfolk.terminal("$kinfolk zone changes Notes \(options)")
        #expect(run.status == 0)
        #expect(run.output.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 90 }, "\(run.output)")
    }

    /// The process ends afterwards, and so the rows must be gone.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func noRowOfADeletedZoneIsLeft() throws {
        for part in 1...2 {
            let lines = (1...400).map { number in
                #"{"operation":"create","type":"Note","name":"n\#(part)-\#(number)","fields":{"count":\#(number)}}"#
            }
            _ = try kinfolk.file("batch.jsonl", lines.joined(separator: "\n"))
            let run = try record("batch batch.jsonl --atomic")
            try #require(run.status == 0, "\(run.errors)")
        }
        try zone("delete Notes --yes")
        let count = """
            import sqlite3
            store = sqlite3.connect("kinfolk.db")
            for table in "records", "index_entries", "order_entries", "cell_entries", "tombstones":
                print(store.execute(f"SELECT count(*) FROM {table} WHERE zone <> 0").fetchone()[0])
            """
        _ = try kinfolk.file("count.py", count)
        let left = try kinfolk.shell("/usr/bin/python3 count.py")
        #expect(left.output == "0\n0\n0\n0\n0\n", "\(left.errors)")
    }
}
