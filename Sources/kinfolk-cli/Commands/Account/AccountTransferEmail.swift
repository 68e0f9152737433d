import ArgumentParser
import Kinfolk

struct AccountTransferEmail: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer-email",
        abstract: "Give an e-mail address to an account at once, verified, whichever account has it now.",
        discussion: """
            The operator's decision: no other command moves a verified address without a proof, a notice and a wait. The \
            account that had the address loses it. Asks first; without a terminal it needs --yes.
            """
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @Argument(help: "The e-mail address.")
    var email: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        _ = try EmailAddress(email)
        try confirmation.ask("Give \(email) to \(account.name().shown) (\(account.id))?")
        try service.transferEmail(email, to: account)
        return try AccountView(account).answer
    }
}
