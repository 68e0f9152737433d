import Foundation
import TestSupport
import Testing

@Suite struct SchemaTests {
    private let kinfolk: CommandLineTool
    private let name = CommandLineTool.container

    init() throws { kinfolk = try CommandLineTool.withPeople() }

    @discardableResult
    private func schema(_ command: String, text: String? = nil) throws -> Run {
        try kinfolk.shell("\(text.map { "printf '\($0)' | " } ?? "")$kinfolk schema \(command)")
    }

    @Test func aTextIsComparedAppliedExportedAndDeployed() throws {
        let development = "\(name) - --environment development"
        let text = "DEFINE SCHEMA RECORD TYPE Note (title STRING QUERYABLE, done INT64 /* kinfolk: boolean */);"
        let lines = [
            "Add the record type Note", "Add the field title to Note: STRING QUERYABLE",
            "Add the field done to Note: INT64 /* kinfolk: boolean */",
        ]
        #expect(try schema("diff \(development)", text: text).output == lines.joined(separator: "\n") + "\n")
        #expect(try schema("apply \(development)", text: text).output == lines.joined(separator: "\n") + "\n")
        #expect(try schema("apply \(development)", text: text).output.hasPrefix("Nothing was changed"))
        #expect(try schema("diff \(development)", text: text).output == "Nothing would change.\n")
        let exported = try schema("export \(name) --environment development").output
        #expect(exported.contains("        title STRING QUERYABLE,\n"))
        #expect(try schema("export \(name) --environment development --json").json()["schema"] as? String == exported)
        #expect(try !schema("export \(name)").output.contains("Note"))

        let waiting = try schema("deploy \(name) < /dev/null")
        #expect(waiting.status == 64 && waiting.errors.contains("Add the record type Note"))
        #expect(try schema("diff \(name)").lines.contains("Add the record type Note"))
        let changes = try schema("deploy \(name) --yes --json").json()["changes"] as? [[String: Any]]
        #expect(changes?.compactMap { $0["kind"] as? String } == ["addRecordType", "addField", "addField"])
        #expect(try schema("diff \(name)").output == "Nothing would change.\n")
        #expect(try schema("export \(name)").output == exported)

        let save = "record save --type Note --database public --account ada@example.com --container \(name)"
        #expect(try kinfolk.shell("$kinfolk \(save) title=x").status == 0)
        let refused = try kinfolk.shell("$kinfolk \(save) color=red")
        #expect(refused.status == 11 && refused.errors.contains("color"))
        #expect(try kinfolk.shell("$kinfolk \(save) color=red --environment development").status == 0)
    }

    @Test func whatIsMissingIsRemovedAfterAQuestion() throws {
        try schema("apply \(name) -", text: "DEFINE SCHEMA RECORD TYPE Note (title STRING, body STRING);")
        let text = "DEFINE SCHEMA RECORD TYPE Note (title STRING);"
        #expect(try schema("apply \(name) -", text: text).status == 0)
        let asked = try schema("apply \(name) - --remove-missing", text: text)
        #expect(asked.status == 64 && asked.errors.contains("Remove the field body from Note, with its values"))
        #expect(try schema("export \(name)").output.contains("body"))
        #expect(try schema("apply \(name) - --remove-missing --yes", text: text).status == 0)
        #expect(try !schema("export \(name)").output.contains("body"))
    }

    @Test func anErrorInTheTextHasItsPlace() throws {
        let wrong = try schema("apply \(name) -", text: "DEFINE SCHEMA\\nRECORD TYPE Note (title TEXT);")
        #expect(wrong.status == 11 && wrong.errors.contains("Line 2, column 25 of the schema text: "))
        #expect(try schema("diff \(name) -", text: "\\377").status == 11)
        #expect(try schema("diff \(name) missing.ckdb").status == 12)
        #expect(try schema("diff \(name)").status == 12, "there is no development environment")
        #expect(try schema("diff \(name) --environment development").status == 64)
        #expect(try schema("diff \(name) --remove-missing").status == 64)
    }

    @Test func aFieldIsAddedWithItsIndexesUnderBothNames() throws {
        let note = "--record-type Note"
        #expect(try schema("add-field \(name) title string \(note) --index queryable --index sortable").status == 0)
        #expect(try schema("add-field \(name) plain string \(note) --index none").status == 0)
        #expect(try schema("add-field \(name) both string \(note) --index none --index sortable").status == 64)
        #expect(try schema("add-field \(name) list int64List \(note) --index sortable").status == 11)
        #expect(try kinfolk.shell("$kinfolk container add-field \(name) old string \(note)").status == 0)
        let exported = try schema("export \(name)").output
        for line in ["title STRING QUERYABLE SORTABLE,", "plain STRING,", "old   STRING QUERYABLE,"] {
            #expect(exported.contains(line))
        }
        #expect(try schema("remove-field \(name) old").status == 64, "no terminal to ask on")
        #expect(try schema("remove-field \(name) old --yes").status == 12, "it is not in Users")
        #expect(try schema("remove-field \(name) old \(note) --yes").status == 0)
    }
}
