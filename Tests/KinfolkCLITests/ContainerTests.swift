import Foundation
import Testing

@Suite struct ContainerTests {
    @Test func containersAreMadeOnceAndListed() throws {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        #expect(try kinfolk("container", "list").output.hasPrefix("There are no containers: "))
        #expect(try kinfolk("container", "create", "com.example.notes").status == 0)
        #expect(try kinfolk("container", "create", "com.example.notes").status == 18)
        #expect(try kinfolk("container", "create", "nodots").status == 11)
        #expect(try kinfolk("container", "create", "com.example.games").status == 0)
        let containers = try kinfolk("container", "list", "--json").json()["containers"] as? [[String: Any]]
        #expect(containers?.compactMap { $0["container"] as? String } == ["com.example.games", "com.example.notes"])
    }

    @Test func eachPartOfThePermitLimitIsShownAndCanBeChanged() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let before = try kinfolk("container", "permits", CommandLineTool.container, "--json").json()
        #expect(before["permit_capacity"] as? Int == 20_000)
        #expect(before["permits_per_hour"] as? Double == 10)
        try kinfolk("container", "permits", CommandLineTool.container, "--capacity", "7")
        let after = try kinfolk("container", "permits", CommandLineTool.container, "--per-hour=0.5", "--json").json()
        #expect(after["permit_capacity"] as? Int == 7)
        #expect(after["permits_per_hour"] as? Double == 0.5)
        #expect(try kinfolk("container", "permits", CommandLineTool.container, "--per-hour=-1").status == 11)
        #expect(try kinfolk("container", "permits", CommandLineTool.container, "--capacity=0").status == 11)
        #expect(try kinfolk("container", "permits", "com.example.other").status == 12)
    }

    @Test func theOperatorReadsAndSetsThePermitsThatAPersonHasLeft() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let permits = "$kinfolk container permits \(CommandLineTool.container)"
        let person = try "--person \(kinfolk.userRecordID("ada@example.com"))"
        func left(_ change: String = "") throws -> Int? {
            try kinfolk.shell("\(permits) \(person) \(change) --json").json()["permits_left"] as? Int
        }
        _ = try kinfolk.shell("\(permits) --capacity 5 --per-hour 0")
        #expect(try left("--left 1") == 1)
        try kinfolk.session("ada@example.com", "discover email stranger@example.com")
        #expect(try left() == 0)
        #expect(try kinfolk.session("ada@example.com", "discover email stranger@example.com").status == 17)
        #expect(try left("--top-up") == 5)
        #expect(try kinfolk.shell("\(permits) \(person) --left 10").status == 16)
        #expect(try kinfolk.shell("\(permits) --left 1").status == 64)
        #expect(try kinfolk.shell("\(permits) \(person) --left 1 --capacity 3").status == 64)
        #expect(try kinfolk.shell("\(permits) --person \(String(repeating: "0", count: 33))").status != 0)
    }

    @Test func theOtherLimitsAreShownAndCanBeChanged() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let before = try kinfolk("container", "permits", CommandLineTool.container, "--json").json()
        #expect(before["unverified_capacity"] as? Int == 100)
        #expect(before["multiplications_per_day"] is NSNull && before["rows_per_day"] is NSNull)
        #expect(before["fields_per_person"] as? Int == 50)
        let changes = "--unverified-capacity=1 --multiplications-per-day=256 --rows-per-day=1000 --fields=0"
        _ = try kinfolk.shell("$kinfolk container permits \(CommandLineTool.container) \(changes)")
        let shown = try kinfolk("container", "permits", CommandLineTool.container, "--rows-per-day=0", "--json").json()
        #expect(shown["unverified_capacity"] as? Int == 1)
        #expect(shown["multiplications_per_day"] as? Int == 256)
        #expect(shown["rows_per_day"] is NSNull)
        #expect(shown["fields_per_person"] as? Int == 0)
    }

    @Test func theOperatorAddsAndRemovesFields() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("container", "permits", CommandLineTool.container, "--fields=0")
        #expect(try kinfolk.session("ada@example.com", "session record set score:int64=1").status == 16)
        #expect(try kinfolk("container", "add-field", CommandLineTool.container, "score", "number").status == 64)
        #expect(try kinfolk("container", "add-field", CommandLineTool.container, "score", "int64").status == 0)
        #expect(try kinfolk("container", "add-field", CommandLineTool.container, "score", "int64").status == 18)
        let remove = ["container", "remove-field", CommandLineTool.container, "score"].joined(separator: " ")
        #expect(try kinfolk.shell("$kinfolk \(remove)").status == 64, "no terminal to ask on")
        #expect(try kinfolk.shell("$kinfolk \(remove) --yes").status == 0)
        #expect(try kinfolk.shell("$kinfolk \(remove) --yes").status == 12)
    }
}
