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
            with --json as {"error", "reason", "retry_after"}. "kinfolk --version" prints the version.

            EXIT STATUS
            \(ExitStatus.manual)
            """,
        subcommands: [
            InitCommand.self, ContainerCommand.self, AccountCommand.self, ClaimCommand.self, SessionCommand.self,
            RecordCommand.self, AssetCommand.self, ZoneCommand.self, SubscriptionCommand.self, DeviceCommand.self,
            WatchCommand.self, KeyValueCommand.self, DocumentCommand.self, SchemaCommand.self, RoleCommand.self,
            TokenCommand.self, ServerKeyCommand.self, DiscoverCommand.self, ContactsCommand.self, EmailCommand.self,
            StatsCommand.self, KeyCommand.self,
            BackupCommand.self, CopyCommand.self, RestoreCommand.self, CheckCommand.self, AuditCommand.self,
        ]
    )

    private static let version = "0.2.0"

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
        // Not an option of the parser, which would accept it in every command: "document get" has one with this name.
        guard arguments != ["--version"] else { throw CleanExit.message(version) }
        guard arguments != ["help", "help"] else { throw CleanExit.helpRequest(KinfolkCommand.self) }
        // The parser shows the help of all commands for a command that does not exist.
        let isHelp = arguments.first == "help"
        if let unknown = Suggestions(isHelp ? arguments.dropFirst() : arguments[...], isCertain: !isHelp) {
            throw unknown.error
        }
        let line = CommandLineWords(arguments)
        var command: any ParsableCommand
        do {
            command = try parse(line)
        } catch {
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
        do { try command.run() } catch let error as ValidationError {
            throw UsageError(error.message, of: type(of: command))
        }
    }

    private static func parse(_ line: CommandLineWords) throws -> any ParsableCommand {
        do { return try parseAsRoot(line.words) } catch {
            guard exitCode(for: error) == .validationFailure, let unknown = line.unknownOption else { throw error }
            throw unknown.error
        }
    }
}
