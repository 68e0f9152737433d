import ArgumentParser
import Kinfolk
import KinfolkStorage

struct EmailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "email",
        abstract: "Show how an address is written and hashed.",
        discussion: """
            Shows the canonical form of each address, which all its spellings share, and its contact hash: the SHA-256 of that \
            form, by which people find each other. The form is specified in docs/canonical-email.md. No store is opened.

            With - addresses are read from standard input, one a line. An address that is refused is shown with the reason, \
            and the exit status is 11 then.
            """
    )

    @Argument(help: "An address, or - for lines of standard input.")
    var address: [String]

    @Flag(help: "Answer as JSON.")
    var json = false

    /// The longest input from lines: about a million addresses.
    private static let maximumInputByteCount = 1 << 26

    func run() throws {
        var views: [EmailView] = []
        for text in address {
            guard text == "-" else {
                views.append(EmailView(Array(text.utf8)))
                continue
            }
            let lines = try File.read(FilePath("/dev/stdin"), limit: Self.maximumInputByteCount)
            views += lines.split(separator: UInt8(ascii: "\n")).filter { $0.contains { $0 > 0x20 } }.map {
                EmailView(Array($0))
            }
        }
        try answer(with: views).show(asJSON: json)
        if views.contains(where: { $0.fault != nil }) { throw ExitCode(ExitStatus.of(.invalidArgument)) }
    }

    private func answer(with views: [EmailView]) -> Answer {
        let json: JSON = views.count == 1 && address != ["-"] ? views[0].json : ["emails": .array(views.map(\.json))]
        if views.count == 1 { return Answer(json, views[0].lines.map(Answer.Block.line)) }
        var table = Table(.flexible("CANONICAL"), .flexible("CONTACT HASH"))
        for view in views { table.add(view.canonical ?? "-", view.hash ?? view.fault.map(\.sentence) ?? "-") }
        return table.isEmpty ? Answer(json, line: "There are no addresses.") : Answer(json, table: table)
    }
}
