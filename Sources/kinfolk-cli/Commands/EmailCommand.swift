import ArgumentParser
import Kinfolk
import KinfolkFiles
import KinfolkJSON
import KinfolkStorage

struct EmailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "email",
        abstract: "Show the canonical form and the contact hash of addresses.",
        discussion: """
            The canonical form is the same for all spellings of an address. The contact hash is the SHA-256 of that form; people \
            find each other by it. docs/canonical-email.md specifies the form. The command opens no store.

            With - it reads addresses from standard input, one on each line. It shows a refused address with the reason, and \
            the exit status is then 11.
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
