import ArgumentParser
import Kinfolk

struct AccountLookup: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "lookup",
        abstract: "Show the account behind a user record ID, for a report of abuse say.",
        discussion: "Each use leaves an entry in the audit log, also when nobody has the ID: see \"kinfolk audit\"."
    )

    @Argument(help: "The container's name.")
    var container: String

    @Argument(help: ArgumentHelp("The user record ID.", valueName: "record-id"))
    var id: String

    @Option(help: ArgumentHelp("Why, a ticket's number for example. It is kept, sealed.", valueName: "text"))
    var reason: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let id = try UserRecordID(id)
        return try AccountView(service.existingContainer(container).account(of: id, reason: reason)).answer
    }
}
