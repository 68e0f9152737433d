import ArgumentParser
import Kinfolk

struct AccountCreate: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an account, and print its ID."
    )

    @OptionGroup var name: NameOptions

    @Option(name: .customLong("email"), help: ArgumentHelp("An e-mail address. May be repeated.", valueName: "address"))
    var emails: [String] = []

    @Flag(help: "Vouch for the addresses: they count at once. An address that another account has is refused.")
    var verified = false

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let account = try service.createAccount(
            name: name.applied(to: PersonName()),
            emails: emails,
            verified: verified
        )
        return Answer(["account_id": .text(account.id)], line: account.id.description)
    }
}
