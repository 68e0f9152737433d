import ArgumentParser
import Kinfolk

struct AccountEmailDiscoverable: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "email-discoverable",
        abstract: "Let people find an account by one of its addresses, or not.",
        discussion: "It is on for each address until it is turned off, and matters where discoverability is granted."
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
