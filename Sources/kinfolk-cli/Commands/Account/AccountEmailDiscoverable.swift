import ArgumentParser
import Kinfolk

struct AccountEmailDiscoverable: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "email-discoverable",
        abstract: "Set whether people can find an account by one of its addresses.",
        discussion:
            "It is on until it is turned off. It takes effect in containers where the account granted discoverability."
    )

    @OptionGroup var target: AccountOptions

    @Argument(help: "The e-mail address.")
    var email: String

    @Argument(help: "on or off.")
    var choice: Choice

    @OptionGroup var options: StoreOptions

    enum Choice: String, ExpressibleByArgument, CaseIterable { case on, off }

    func answer(from service: Service) throws -> Answer {
        try target.answer(from: service) { try $0.setEmailDiscoverable(EmailAddress(email), choice == .on) }
    }
}
