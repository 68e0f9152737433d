import ArgumentParser
import Kinfolk

struct AccountRemoveEmail: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-email",
        abstract: "Remove an e-mail address from an account."
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @Argument(help: "The e-mail address.")
    var email: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        try account.removeEmail(EmailAddress(email))
        return try AccountView(account).answer
    }
}
