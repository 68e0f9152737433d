import ArgumentParser
import Kinfolk

struct AccountRemoveEmail: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-email",
        abstract: "Remove an e-mail address from an account."
    )

    @OptionGroup var target: AccountOptions

    @Argument(help: "The e-mail address.")
    var email: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try target.answer(from: service) { try $0.removeEmail(EmailAddress(email)) }
    }
}
