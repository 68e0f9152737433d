import Foundation
import TestSupport
import Testing

/// Copies of a store to another place.
@Suite struct CopyTests {
    @Test func aCopyIsReportedAndOpensWithTheSameKey() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let run = try kinfolk("copy", "kinfolk.db", "copy.db")
        #expect(run.status == 0, "\(run.errors)")
        let rows = run.lines.map { $0.split(separator: " ") }
        #expect(rows.first == ["TABLE", "ROWS", "COPIED"])
        #expect(rows.contains(["accounts", "3", "3"]))
        #expect(run.output.contains("Copied the store to copy.db: "))
        #expect(run.output.contains("It opens with kinfolk.key, which is not in it: name it with --key-file.\n"))
        #expect(try mode(of: kinfolk.folder.file("copy.db")) == 0o600)

        let again = try kinfolk("copy", "kinfolk.db", "copy.db", "--json").json()
        #expect(again["source"] as? String == "kinfolk.db")
        #expect(again["destination"] as? String == "copy.db")
        #expect(again["key_file"] as? String == "kinfolk.key")
        #expect(again["copied_rows"] as? Int == 0)
        let checksum = try #require(again["checksum"] as? String)
        #expect(checksum.count == 64)
        #expect(run.output.contains("Read again, they have the checksum \(checksum).\n"))
        let tables = try #require(again["tables"] as? [[String: Any]])
        #expect(tables.first { $0["name"] as? String == "emails" }?["rows"] as? Int == 4)
        #expect(tables.compactMap { $0["rows"] as? Int }.reduce(0, +) == again["rows"] as? Int)

        let shown = try kinfolk("account", "show", "ada@example.com", "--store", "copy.db", "--key-file", "kinfolk.key")
        #expect(shown.output.contains("Ada Example"))
    }

    @Test func aCopyCanBeMadeOnATerminal() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let shown = try kinfolk.terminal("$kinfolk copy kinfolk.db copy.db")
        #expect(shown.status == 0)
        #expect(shown.output.contains("Copied the store to copy.db"))
    }

    @Test func aCopyReplacesNoExistingStore() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("init", "--store", "other.db")
        for place in ["other.db", "kinfolk.db"] { #expect(try kinfolk("copy", "kinfolk.db", place).status == 18) }
        let before = try bytes(of: kinfolk.folder.file("people.csv"))
        #expect(try kinfolk("copy", "kinfolk.db", "people.csv").status == 21)
        #expect(try bytes(of: kinfolk.folder.file("people.csv")) == before)
        try kinfolk("copy", "kinfolk.db", "copy.db")
        try kinfolk("container", "list", "--store", "copy.db", "--key-file", "kinfolk.key")
        let opened = try kinfolk("copy", "kinfolk.db", "copy.db")
        #expect(opened.status == 18)
        #expect(opened.errors.contains("name a place without a store"))
    }

    @Test func theNamedSourceIsCopied() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect(try kinfolk("copy", "copy.db").status == 64)
        #expect(try kinfolk("copy").status == 64)
        let missing = try kinfolk("copy", "missing.db", "copy.db")
        #expect(missing.status == 12)
        #expect(missing.errors.contains("There is no store at missing.db"))
        #expect(try kinfolk("copy", "kinfolk.db", "missing/copy.db").status == 12)
        try kinfolk("init", "--store", "other.db")
        #expect(try kinfolk("copy", "kinfolk.db", "copy.db", "--key-file", "other.key").status == 20)
        #expect(try kinfolk("copy", "people.csv", "copy.db").errors.contains("give another store as the source"))
        // None of these calls made a file.
        #expect(try kinfolk.folder.names().filter { $0.hasPrefix("copy") } == [])
    }

    @Test func anAddressIsDistinguishedFromAPathAndItsPasswordIsNotShown() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let server = "postgresql://ada:secret@/people?host=/nonexistent"
        let run = try kinfolk("copy", "kinfolk.db", server)
        #expect(run.status == 19)
        #expect(run.errors.contains("At the destination: "))
        #expect(!run.errors.contains("secret"))
        let mangled = try kinfolk("account", "list", "--store", "postgresql:/ada@db.example.com/people")
        #expect(mangled.status == 11)
        #expect(mangled.errors.contains("begins with \"postgresql://\""))
        let back = try kinfolk("copy", server, "copy.db")
        #expect(back.status == 19)
        #expect(!back.errors.contains("secret"))
    }
}
