import ArgumentParser
import Kinfolk

struct AccountVerify: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an e-mail address of an account.",
        discussion: """
            Either --request a code, mail it to the address, and bring it back with --code; or --vouch that the address is \
            this person's. Either way an account that had the address verified loses it.
            """
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @Argument(help: "The e-mail address.")
    var email: String

    @Flag(help: "Issue a code of six digits, valid for 10 minutes and 5 tries, and print it.")
    var request = false

    @Option(help: ArgumentHelp("The code that was mailed.", valueName: "code"))
    var code: String?

    @Flag(help: "Verify it at once.")
    var vouch = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard [request, code != nil, vouch].filter(\.self).count == 1 else {
            throw ValidationError("Give one of --request, --code and --vouch.")
        }
    }

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        let address = try EmailAddress(email)
        if request {
            let code = try account.requestVerification(of: address)
            return Answer(["account_id": .text(account.id), "code": .string(code)], line: code)
        }
        if let code {
            try account.verifyEmail(address, code: code)
        } else {
            guard try account.has(address) else {
                throw KinfolkError(
                    .unknownItem,
                    "The account does not have this address: \"kinfolk account show\" shows those it has."
                )
            }
            try account.addEmail(email, verified: true)
        }
        return try AccountView(account).answer
    }
}

extension Account {
    fileprivate func has(_ address: EmailAddress) throws(KinfolkError) -> Bool {
        for email in try emails() where try EmailAddress(email.spelling) == address { return true }
        return false
    }
}
