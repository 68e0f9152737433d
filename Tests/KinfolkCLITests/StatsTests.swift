import Foundation
import TestSupport
import Testing

/// The statistics of a container.
@Suite struct StatsTests {
    private static let escape = "\u{1b}"

    @Test func peopleAreCountedByTheirDecisions() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let shown = try kinfolk("stats", CommandLineTool.container)
        #expect(shown.status == 0)
        #expect(shown.lines.first == "com.example.notes")
        #expect(shown.lines.contains { $0.wholeMatch(of: #/people +3/#) != nil })
        #expect(shown.lines.contains { $0.wholeMatch(of: #/  opted in +2/#) != nil })
        #expect(shown.lines.contains { $0.wholeMatch(of: #/can be found now +2/#) != nil })
        #expect(shown.output.contains("Opted in, "))
        // Both opted in on one day, so the bars have full height.
        #expect(shown.lines.contains("2 │████████"))
        #expect(shown.lines.last == "0 │████████")

        let json = try kinfolk("stats", CommandLineTool.container, "--json").json()
        #expect(json["container"] as? String == CommandLineTool.container)
        #expect(json["people"] as? Int == 3)
        #expect(json["granted"] as? Int == 2)
        #expect(json["denied"] as? Int == 1)
        #expect(json["undetermined"] as? Int == 0)
        #expect(json["people_who_asked"] as? Int == 0)
        #expect(json["permit_capacity"] as? Int == 20_000)
        let history = try #require(json["opted_in"] as? [[String: Any]])
        #expect(history.count == 1)
        #expect(history.first?["people"] as? Int == 2)
        #expect((history.first?["day"] as? String)?.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}/#) != nil)
    }

    @Test func severalContainersAreATable() throws {
        let kinfolk = try CommandLineTool.withPeople()
        #expect((try kinfolk("stats", "--json").json()["containers"] as? [Any])?.count == 1)
        try kinfolk("container", "create", "com.example.other")
        let shown = try kinfolk("stats")
        #expect(shown.lines.count == 3)
        #expect(shown.lines.first?.hasPrefix("CONTAINER") == true)
        #expect((try kinfolk("stats", "--json").json()["containers"] as? [Any])?.count == 2)
        #expect(try kinfolk("stats", "com.example.other").output.contains("Nobody has opted in yet."))
        #expect(try kinfolk("stats", "com.example.third").status == 12)
    }

    @Test func statisticsFitATerminalAndArePlainInAPipe() throws {
        let kinfolk = try CommandLineTool.withPeople()
        let command = "$kinfolk stats \(CommandLineTool.container)"
        let coloured = try kinfolk.terminal(command).output
        #expect(coloured.contains(Self.escape))
        let plain = try kinfolk.terminal(command, environment: ["NO_COLOR": "1"]).output
        #expect(!plain.contains(Self.escape))
        #expect(plain.split(whereSeparator: \.isNewline).allSatisfy { $0.count < 80 })
        #expect(plain.contains("█"))
        let narrow = try kinfolk.terminal("stty cols 12; \(command)", environment: ["NO_COLOR": "1"]).output
        #expect(narrow.split(whereSeparator: \.isNewline).filter { $0.contains("│") }.allSatisfy { $0.count < 12 })
        let piped = try kinfolk.terminal("\(command) | cat").output
        #expect(piped.contains("█"))
        #expect(!piped.contains(Self.escape))
    }

    @Test func thePlotShowsTheNumberOverTime() throws {
        let kinfolk = try CommandLineTool.withPeople()
        // One of the two that opted in did so a hundred days ago.
        try RawDatabase(kinfolk.folder.file("kinfolk.db")).run(
            """
            UPDATE consents SET decided_at = decided_at - 100 * 86400000000
            WHERE account_id = (SELECT min(account_id) FROM consents WHERE decision = 1)
            """
        )
        let lines = try kinfolk("stats").lines
        let top = try #require(lines.first { $0.hasPrefix("2 │") })
        // 101 days in 60 columns: one person in each column, two in the last.
        #expect(top.count == 3 + 60)
        #expect(top.filter { $0 == "█" }.count == 1)
        #expect(top.last == "█")
        #expect(lines.last.map(String.init) == "0 │" + String(repeating: "█", count: 60))
        let json = try kinfolk("stats", CommandLineTool.container, "--json").json()
        let history = try #require(json["opted_in"] as? [[String: Any]])
        #expect(history.compactMap { $0["people"] as? Int } == [1, 2])
    }

    @Test(arguments: [Int64.min, 0, Int64.max])
    func aDateFromAWrongClockIsShownToo(_ moment: Int64) throws {
        let kinfolk = try CommandLineTool.withPeople()
        try RawDatabase(kinfolk.folder.file("kinfolk.db")).run(
            """
            UPDATE consents SET decided_at = \(moment)
            WHERE account_id = (SELECT min(account_id) FROM consents WHERE decision = 1)
            """
        )
        let shown = try kinfolk("stats")
        #expect(shown.status == 0)
        #expect(shown.lines.last?.hasPrefix("0 │█") == true)
    }

    @Test func peopleWhoSpentPermitsAreCounted() throws {
        let kinfolk = try CommandLineTool.withPeople()
        try kinfolk("container", "permits", CommandLineTool.container, "--capacity", "1", "--per-hour", "0")
        let ada = "--container \(CommandLineTool.container) --account ada@example.com"
        #expect(try kinfolk.shell("$kinfolk discover email grace@example.org \(ada)").status == 0)
        let lines = try kinfolk("stats").lines
        #expect(lines.contains { $0.wholeMatch(of: #/searched for new contacts lately +1/#) != nil })
        #expect(lines.contains { $0.wholeMatch(of: #/  permits spent, not accrued again +1/#) != nil })
        #expect(lines.contains { $0.wholeMatch(of: #/  no permits left: refused now +1/#) != nil })
        #expect(lines.contains("A person holds at most 1 permits, and gains 0 an hour."))
    }
}
