import ArgumentParser
import Kinfolk

/// The root of the command line.
@main
struct KinfolkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinfolk",
        abstract: "User identity and friend discovery in one file.",
        discussion: """
            Every command except "contacts" and "email" works on one store: --store FILE, or else $KINFOLK_STORE, or else kinfolk.db in \
            the current directory. The key is next to the store (kinfolk.key), or in a file that --key-file or $KINFOLK_KEY_FILE \
            names, or is derived from a passphrase that --passphrase asks for. Without the key the store is lost.

            Answers go to standard output, as a table or, with --json, as one JSON document. Errors go to standard error, \
            with --json as {"error", "reason", "retry_after"}.

            EXIT STATUS
            \(ExitStatus.manual)
            """,
        version: "0.1.0",
        subcommands: [
            InitCommand.self, ContainerCommand.self, AccountCommand.self, ClaimCommand.self, SessionCommand.self,
            DiscoverCommand.self, ContactsCommand.self, EmailCommand.self, StatsCommand.self, KeyCommand.self,
            BackupCommand.self, CopyCommand.self, RestoreCommand.self, CheckCommand.self, AuditCommand.self,
        ]
    )

    static func main() {
        CoreDumps.switchOff()
        Streams.guardClosedOnes()
        let arguments = CarriedBytes.arguments
        let isJSON = arguments.contains("--json")
        Interruption.isQuiet = isJSON
        do {
            try run(arguments)
            // The signal came when the work was done.
            Interruption.endIfRequested(asJSON: isJSON)
        } catch {
            Failure(error, asJSON: isJSON).exit()
        }
    }

    private static func run(_ arguments: [String]) throws {
        // The parser shows the help of all commands for a command that does not exist.
        let isHelp = arguments.first == "help"
        if let unknown = Suggestions(isHelp ? arguments.dropFirst() : arguments[...], isCertain: !isHelp) {
            throw unknown.error
        }
        var command: any ParsableCommand
        do { command = try parseAsRoot(arguments) } catch {
            // Where a word may be an argument, the failure to parse the rest of the line shows that it was meant as a command.
            guard exitCode(for: error) == .validationFailure,
                let unknown = Suggestions(arguments, isCertain: false)
            else { throw error }
            throw unknown.error
        }
        guard !CarriedBytes.areHeldAsText(by: command) else {
            throw KinfolkError(
                .invalidArgument,
                "An argument is not UTF-8. Paths of files may be any bytes; names, addresses and other texts may not."
            )
        }
        try command.run()
    }
}
