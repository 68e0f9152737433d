import Testing

extension CommandLineTool {
    static let container = "com.example.notes"
    /// The answer of a search that found nobody.
    static let nobody = "Nobody was found: \"kinfolk help discover\" says who can be.\n"

    /// A tool whose store has a container and three people: Ada and Grace are discoverable, Alan is not.
    static func withPeople() throws -> CommandLineTool {
        let kinfolk = try CommandLineTool()
        try kinfolk("init")
        try kinfolk("container", "create", container)
        let people = try kinfolk.file(
            "people.csv",
            """
            given_name,family_name,email,consent
            Ada,Example,ada@example.com,yes
            Grace,Sample,grace@example.org ::: g@example.org,yes
            Alan,Model,alan@example.com,no

            """
        )
        let run = try kinfolk.importPeople(people)
        #expect(run.status == 0, "\(run.errors)")
        return kinfolk
    }

    @discardableResult
    func importPeople(_ file: String, _ more: String..., input: String = "") throws -> Run {
        let consent = "--consent-text 'May others find you?' --consent-version 1"
        return try shell(
            "printf %s \"$input\" | $kinfolk account import \(file) --container \(Self.container) \(consent) "
                + more.joined(separator: " "),
            environment: ["input": input]
        )
    }

    /// Runs a command for the session of one of them.
    @discardableResult
    func session(_ account: String, _ command: String) throws -> Run {
        try shell("$kinfolk \(command) --container \(Self.container) --account \(account)")
    }

    func userRecordID(_ account: String) throws -> String {
        let id = try session(account, "session user-record-id").lines.first
        return String(try #require(id))
    }
}
