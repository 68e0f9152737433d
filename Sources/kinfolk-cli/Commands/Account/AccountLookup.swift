import ArgumentParser
import Kinfolk

struct AccountLookup: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Show the account of a user record ID, for example after a report of abuse.",
        discussion: "Each use adds an entry to the audit log, also if nobody has the ID: see \"kinfolk audit\"."
    )

    @Argument(help: "The container's name.")
    var container: String

    @Argument(help: ArgumentHelp("The user record ID.", valueName: "record-id"))
    var id: String

    @Option(help: ArgumentHelp("The reason, for example a ticket's number. It is stored encrypted.", valueName: "text"))
    var reason: String

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let id = try UserRecordID(id)
        return try AccountView(environment.container(container, in: service).account(of: id, reason: reason)).answer
    }
}
