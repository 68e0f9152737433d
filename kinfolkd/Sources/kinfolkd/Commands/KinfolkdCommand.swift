import ArgumentParser
import Glibc

/// The root of the command line.
@main
struct KinfolkdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinfolkd",
        abstract: "Serves a Kinfolk store over HTTP.",
        discussion: """
            "kinfolkd serve" runs the service. "kinfolkd check" says what is wrong with its configuration.

            EXIT STATUS
            \(ExitStatus.manual)
            """,
        version: "0.2.0",
        subcommands: [ServeCommand.self, CheckCommand.self]
    )

    static func main() {
        ProcessSetup.prepare()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as Failure {
            failure.exit()
        } catch {
            exit(withError: error)
        }
    }
}
