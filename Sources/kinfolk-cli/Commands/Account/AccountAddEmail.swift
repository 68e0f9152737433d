import ArgumentParser
import Kinfolk

struct AccountAddEmail: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-email",
        abstract: "Add an e-mail address to an account.",
        discussion: """
            An address counts once it is verified. With --verified you vouch for it, and it counts at once, unless another \
            account has it verified: then this opens a claim ("kinfolk help claim"). Without, see "kinfolk account verify".

            An address that the account has already stays as it is; with --verified it becomes verified.
            """
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @Argument(help: "The e-mail address.")
    var email: String

    @Flag(help: "Vouch for the address: it counts at once.")
    var verified = false

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        return try ClaimView.answer(to: account.addEmail(email, verified: verified), account)
    }
}
