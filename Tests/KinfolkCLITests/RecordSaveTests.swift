import Foundation
import Testing

/// `record fetch`, `record save` and `record delete`.
@Suite struct RecordSaveTests {
    private let kinfolk: CommandLineTool

    init() throws { kinfolk = try CommandLineTool.withPeople() }

    @discardableResult
    private func ada(_ command: String, _ database: String = "public") throws -> Run {
        try kinfolk.session("ada@example.com", "record \(command) --database \(database)")
    }

    private func grace(_ command: String) throws -> Run {
        try kinfolk.session("grace@example.org", "record \(command) --database public")
    }

    private func fields(_ run: Run) throws -> [String: Any] {
        let fields = try #require(try run.json()["fields"] as? [String: [String: Any]])
        return fields.compactMapValues { $0["value"] }
    }

    private func tag(_ name: String) throws -> String {
        try #require(try ada("fetch \(name) --json").json()["change_tag"] as? String)
    }

    @Test func aRecordOfEveryTypeIsSavedAndFetched() throws {
        let id = try kinfolk.userRecordID("grace@example.org")
        let values = [
            ("string", "a,b", "a,b"), ("int64", "-5", "1,-2"), ("double", "0.5", "0.5,2.0"),
            ("boolean", "true", "true,false"),
            ("bytes", "00ff", "00,ff"), ("date", "2026-01-31T12:00:00.000000Z", "1970-01-01T00:00:00.000000Z"),
            ("location", "47.5,-8.5", "1.0,2.0;3.0,4.0"), ("reference", id, "\(id),\(id)"),
        ]
        let assignments = values.map { type, one, list in "f_\(type):\(type)='\(one)' 'l_\(type):\(type)[]=\(list)'" }
        let saved = try ada("save \(assignments.joined(separator: " ")) --type Note --name everything")
        #expect(saved.status == 0, "\(saved.errors)")
        let fetched = try ada("fetch everything")
        #expect(fetched.output == saved.output)
        for (type, one, list) in values {
            #expect(
                fetched.lines.contains {
                    $0.wholeMatch(of: try! Regex("f_\(type) +\(type) +.*")) != nil && $0.hasSuffix(one)
                }
            )
            #expect(
                fetched.lines.contains { $0.hasPrefix("l_\(type) ") && $0.contains("\(type)[]") && $0.hasSuffix(list) }
            )
        }
        #expect(try fields(ada("fetch everything --json")).count == 16)
    }

    @Test func aRecordWithoutANameGetsAUUID() throws {
        let record = try ada("save title=a --type Note --json").json()
        let name = try #require(record["name"] as? String)
        #expect(name.wholeMatch(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/) != nil)
        #expect(try fields(ada("fetch \(name) --json"))["title"] as? String == "a")
    }

    @Test func theAnswerTellsWhoSavedTheRecordAndWhen() throws {
        try ada("save title=a --type Note --name n")
        let id = try kinfolk.userRecordID("ada@example.com")
        let record = try grace("fetch n --json").json()
        #expect(record["type"] as? String == "Note")
        #expect(record["name"] as? String == "n")
        #expect(record["database"] as? String == "public")
        #expect(record["created_by"] as? String == id)
        #expect(record["modified_by"] as? String == id)
        #expect(record["user_record_id"] == nil)
        let shown = try grace("fetch n")
        #expect(shown.lines.first == "n  Note  public")
        #expect(shown.lines.contains { $0.wholeMatch(of: try! Regex("created [-0-9T:.]+Z by \(id)")) != nil })
        #expect(shown.lines.contains { $0.wholeMatch(of: try! Regex("modified [-0-9T:.]+Z by \(id)")) != nil })
        #expect(shown.lines.allSatisfy { $0.count <= 80 })
    }

    @Test func aSaveChangesTheGivenFieldsOnly() throws {
        try ada("save a=1 b:int64=2 c=3 --type Note --name n")
        #expect(try ada("save b=5 --remove c --name n").status == 0)
        let fields = try fields(ada("fetch n --json"))
        #expect(fields.count == 2)
        #expect(fields["a"] as? String == "1")
        #expect(fields["b"] as? Int == 5)
    }

    @Test func recordsAreDeletedWithTheirTargetAndListed() throws {
        try ada("save a=1 --type Item --name list")
        try ada("save l:reference=deleteSelf:list --type Item --name milk --parent list")
        try ada("save l:reference=validate:milk --type Item --name note")
        let shown = try ada("references list")
        #expect(shown.output.contains("milk  Item  parent") && shown.output.contains("milk  Item  deleteSelf"))
        #expect(try ada("references note").output.contains("No record refers to note."))
        let refused = try ada("delete list")
        #expect(refused.status == 25 && refused.errors.contains("record references"))
        #expect(try ada("save l:reference=validate:nothing --name note").status == 25)
        #expect(try ada("delete note").status == 0)
        let deleted = try ada("delete list --json").json()
        #expect((deleted["deleted_with_it"] as? [[String: String]])?.map { $0["name"] } == ["milk"])
        #expect(try ada("fetch milk").status == 12)
    }

    @Test func aRecordHasAParent() throws {
        let saved = try ada("save list:reference=x --type Item --name milk --parent groceries")
        #expect(saved.lines.contains("parent groceries"))
        #expect(try ada("save a=1 --name milk").lines.contains("parent groceries"))
        #expect(try ada("fetch milk --json").json()["parent"] as? String == "groceries")
        #expect(try ada("save --name milk --remove-parent --parent x").status == 64)
        #expect(try ada("save --name milk --parent _x").status == 11)
        #expect(try !ada("save --name milk --remove-parent").output.contains("parent"))
        #expect(try ada("fetch milk --json").json()["parent"] == nil)
    }

    @Test func eachOperationDoesWhatItSays() throws {
        // The operation, the exit status for a record that exists, and its fields afterwards.
        let outcomes: [(operation: String, status: Int32, fields: [String])] = [
            ("create", 15, ["a"]), ("update", 0, ["a", "b"]), ("force-update", 0, ["a", "b"]), ("replace", 0, ["b"]),
            ("force-replace", 0, ["b"]),
        ]
        for (operation, status, names) in outcomes {
            try ada("save a=1 --type Note --name \(operation)")
            let run = try ada("save b=2 --type Note --name \(operation) --operation \(operation)")
            #expect(run.status == status, "\(operation): \(run.errors)")
            #expect(try fields(ada("fetch \(operation) --json")).keys.sorted() == names, "\(operation)")
        }
    }

    @Test func aStaleTagIsRefusedAndTheMessageSaysWhatToDo() throws {
        try ada("save a=1 --type Note --name n")
        let stale = try tag("n")
        try ada("save a=2 --name n")
        for command in ["save a=3 --name n --change-tag \(stale)", "delete n --change-tag \(stale)"] {
            let refused = try ada(command)
            #expect(refused.status == 15, "\(command)")
            #expect(refused.output.isEmpty)
            #expect(refused.errors.contains("\"kinfolk record fetch\" shows the record as it is"))
            let server = try ada("\(command) --json").errorJSON()["server_record"] as? [String: Any]
            #expect(server?["change_tag"] as? String == (try tag("n")))
        }
        #expect(try ada("save a=3 --name n --change-tag \(tag("n"))").status == 0)
        #expect(try ada("save a=4 --name n --policy changed-keys").status == 0)
        #expect(try ada("delete n --change-tag \(tag("n"))").status == 0)
    }

    @Test func aDeletionIsForcedOrNeedsTheRecord() throws {
        try ada("save a=1 --type Note --name n")
        #expect(try ada("delete n").output == "Deleted n.\n")
        let missing = try ada("delete n")
        #expect(missing.status == 12)
        #expect(missing.errors.contains("--force"))
        #expect(try ada("delete n --force --json").json()["deleted"] as? Bool == true)
    }

    @Test func severalRecordsAreFetchedWithAResultForEach() throws {
        try ada("save a=1 --type Note --name n")
        try ada("save a=2 --type Note --name m")
        let both = try ada("fetch n m")
        #expect(both.status == 0)
        #expect(both.lines.contains("n  Note  public") && both.lines.contains("m  Note  public"))
        let some = try ada("fetch n missing m --json")
        #expect(some.status == 12)
        let results = try #require(try some.json()["results"] as? [[String: Any]])
        #expect(results.map { $0["name"] as? String } == ["n", "missing", "m"])
        #expect(results.map { $0["error"] as? String } == [nil, "unknownItem", nil])
        #expect(results[2]["record"] is [String: Any])
        #expect((try some.errorJSON()["reason"] as? String)?.hasPrefix("1 of 3 failed: missing: ") == true)
    }

    @Test func aPrivateDatabaseAddsNothingToAProductionSchema() throws {
        let type = try ada("save a=1 --type Note --name n", "private")
        #expect(type.status == 11)
        #expect(type.errors.contains("The schema has no record type of this name"), "\(type.errors)")
        try ada("save a=1 --type Note --name n")
        let field = try ada("save b=1 --type Note --name n", "private")
        #expect(field.status == 11)
        #expect(field.errors.contains("kinfolk schema add-field"), "\(field.errors)")
    }

    @Test func aUserRecordIsSavedByItsPersonAndNeverDeleted() throws {
        let id = try kinfolk.userRecordID("ada@example.com")
        #expect(try ada("save motto=x --name \(id)").status == 0)
        let record = try grace("fetch \(id) --json").json()
        #expect(record["type"] as? String == "Users")
        #expect(record["user_record_id"] as? String == id)
        let other = try grace("save motto=y --name \(id)")
        #expect(other.status == 14)
        #expect(other.errors.contains("The grants of the record type do not allow this."))
        let refused = try ada("delete \(id) --force")
        #expect(refused.status == 14)
        #expect(refused.errors.contains("A user record cannot be deleted"))
    }

    @Test func aMalformedNameOrValueSavesNothing() throws {
        for command in [
            "fetch 'a\u{e9}'", "delete ''", "save a=1 --type 1Note --name n", "save 1a=1 --type Note --name n",
            "save a=1 --type Note --name ''", "save a:int64=x --type Note --name n",
        ] {
            #expect(try ada(command).status == 11, "\(command)")
        }
        #expect(try ada("fetch n").status == 12)
    }

    @Test func aMissingRecordIsMadeOnlyWithAType() throws {
        let run = try ada("save a=1 --name n")
        #expect(run.status == 12)
        #expect(run.errors.contains("give --type"))
    }

    @Test func optionsThatDoNotFitAreAUsageError() throws {
        for command in [
            "save a=1", "save a=1 --type Note --change-tag 00", "save a=1 --type Note --remove b",
            "save a=1 --name n --operation update --policy all-keys",
            "save a=1 --name n --policy all-keys --change-tag 00",
            "save a=1 --name n --operation force-update --change-tag 00",
            "save a=1 --name n --operation replace --remove b",
            "delete n --force --change-tag 00", "save a --type Note", "save a:float=1 --type Note", "fetch", "delete",
            "save a=1 --type Note --operation upsert",
        ] {
            #expect(try ada(command).status == 64, "\(command)")
        }
    }

    @Test func theDatabaseIsAlwaysNamed() throws {
        for database in ["", "--database shared"] {
            #expect(try kinfolk.session("ada@example.com", "record fetch n \(database)").status == 64)
        }
    }

    @Test func anErasureKeepsPublicRecordsIfTheOperatorSaysSo() throws {
        try ada("save a=1 --type Note --name n")
        let grace = try kinfolk.session("grace@example.org", "record save a=2 --type Note --name m --database public")
        #expect(grace.status == 0)
        #expect(try kinfolk("account", "erase", "ada@example.com", "--yes", "--keep-public-records").status == 0)
        #expect(try kinfolk("account", "erase", "grace@example.org", "--yes").status == 0)
        let kept = try kinfolk.session("alan@example.com", "record fetch n m --database public --json")
        #expect(kept.status == 12)
        let results = try #require(try kept.json()["results"] as? [[String: Any]])
        let record = try #require(results[0]["record"] as? [String: Any])
        #expect(record["created_by"] is NSNull && record["modified_by"] is NSNull)
        #expect(results[1]["error"] as? String == "unknownItem")
        let shown = try kinfolk.session("alan@example.com", "record fetch n --database public")
        #expect(shown.output.contains(" by an erased user\n"))
    }
}
