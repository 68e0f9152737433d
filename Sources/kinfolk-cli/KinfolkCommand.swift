import ArgumentParser
import Kinfolk

/// The root of the command line.
@main
struct KinfolkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kinfolk",
        abstract: "User identity and friend discovery in one file.",
        discussion: """
            Every command but "contacts" works on one store: --store FILE, or else $KINFOLK_STORE, or else kinfolk.db in the \
            current directory. Its key lies beside it (kinfolk.key), or in a file that --key-file or $KINFOLK_KEY_FILE names, or is made \
            from a passphrase that --passphrase asks for: whoever loses it loses the store.

            Answers go to standard output, as a table or, with --json, as one JSON document. Errors go to standard error, \
            with --json as {"error", "reason", "retry_after"}.

            EXIT STATUS
            \(ExitStatus.manual)
            """,
        version: "0.1.0",
        subcommands: [
            InitCommand.self, ContainerCommand.self, AccountCommand.self, ClaimCommand.self, SessionCommand.self,
            DiscoverCommand.self, ContactsCommand.self, StatsCommand.self, KeyCommand.self, BackupCommand.self,
            CopyCommand.self,
            RestoreCommand.self, AuditCommand.self,
        ]
    )

    static func main() {
        CoreDumps.switchOff()
        Streams.guardClosedOnes()
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            Failure(error, asJSON: arguments.contains("--json")).exit()
        }
    }
}
