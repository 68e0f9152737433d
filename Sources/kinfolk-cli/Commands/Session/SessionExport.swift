import ArgumentParser
import Kinfolk

struct SessionExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print everything that the container holds about the person, as JSON.",
        discussion: """
            It reveals nothing about the account or other containers, and has no address: an application may give it to the \
            person. 'account export' prints everything about the person in all containers, for the operator.
            """
    )

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func run() throws {
        try Streams.write(session.session(in: options.open()).export(), to: 1)
    }
}
