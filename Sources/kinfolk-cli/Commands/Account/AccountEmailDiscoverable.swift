import ArgumentParser
import Kinfolk

struct AccountEmailDiscoverable: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "email-discoverable",
        abstract: "Set whether people can find an account by one of its addresses.",
        discussion:
            "It is on until it is turned off. It takes effect in containers where the account granted discoverability."
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @Argument(help: "The e-mail address.")
    var email: String

    @Argument(help: "on or off.")
    var choice: Choice

    @OptionGroup var options: StoreOptions

    enum Choice: String, ExpressibleByArgument, CaseIterable { case on, off }

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        try account.setEmailDiscoverable(EmailAddress(email), choice == .on)
        return try AccountView(account).answer
    }
}
