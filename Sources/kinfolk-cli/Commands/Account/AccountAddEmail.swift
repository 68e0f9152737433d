import ArgumentParser
import Kinfolk

struct AccountAddEmail: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "add-email",
        abstract: "Add an e-mail address to an account.",
        discussion: """
            An address counts once it is verified. With --verified you vouch for the address, and it counts at once, unless another \
            account has it verified: then the command opens a claim ("kinfolk help claim"). Without --verified, verify it \
            with "kinfolk account verify".

            If the account has the address already, the command changes nothing, except that --verified verifies it.
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
