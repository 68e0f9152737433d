import ArgumentParser
import Kinfolk

struct SessionExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print everything that the container holds about the person, as JSON.",
        discussion: """
            It leads neither to the account nor to another container, and has no address: an application may hand it to the \
            person. What the operator holds about them in all containers is printed by 'account export'.
            """
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func run() throws {
        try Streams.write(session.session(in: options.open()).export(), to: 1)
    }
}
