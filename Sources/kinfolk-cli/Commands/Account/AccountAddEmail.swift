import ArgumentParser
import Kinfolk

struct AccountAddEmail: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-email",
        abstract: "Add an e-mail address to an account.",
        discussion: "It counts once it is verified: see \"kinfolk account verify\"."
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @Argument(help: "The e-mail address.")
    var email: String

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        try account.addEmail(email)
        return try AccountView(account).answer
    }
}
