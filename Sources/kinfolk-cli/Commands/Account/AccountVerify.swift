import ArgumentParser
import Kinfolk
import KinfolkJSON

struct AccountVerify: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an e-mail address of an account, sign in by one, or refuse a claim on one.",
        discussion: """
            Either --request a code, mail it with the pass to the recipient that is printed, and enter it with --code; or --vouch that the \
            address is this person's. If another account has the address verified, the command opens a claim: mail its \
            notice, and report that with "kinfolk claim acknowledge".

            An address gets 5 mails in 24 hours. When they are used up, --request prints no code: show the person the same page \
            as if a mail had been sent. A person who has the pass of an earlier mail gets another mail with --pass.
            """
    )

    enum Purpose: String, ExpressibleByArgument, CaseIterable {
        case addEmail = "add-email"
        case signIn = "sign-in"
        case refuseClaim = "refuse-claim"

        var code: CodePurpose {
            switch self {
            case .addEmail: .addEmail
            case .signIn: .signIn
            case .refuseClaim: .refuseClaim
            }
        }
    }

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @Argument(help: "The e-mail address.")
    var email: String

    @Flag(help: "Request a code, valid for 10 minutes and 5 tries, and print it with a pass.")
    var request = false

    @Option(help: ArgumentHelp("The pass of an earlier mail to this address.", valueName: "pass"))
    var pass: String?

    @Option(help: ArgumentHelp("The code that was mailed.", valueName: "code"))
    var code: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("What the code is for.", valueName: "purpose")
    )
    var purpose = Purpose.addEmail

    @Flag(help: "Vouch that the address is this person's.")
    var vouch = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard [request, code != nil, vouch].filter(\.self).count == 1 else {
            throw ValidationError("Give one of --request, --code and --vouch.")
        }
        guard pass == nil || request else { throw ValidationError("--pass goes with --request.") }
        guard !vouch || purpose == .addEmail else { throw ValidationError("--for goes with --request and --code.") }
    }

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        let address = try EmailAddress(email)
        if request {
            return try answer(to: account.requestVerification(of: address, for: purpose.code, pass: pass), account)
        }
        guard let code else {
            guard try account.has(address) else {
                throw KinfolkError(
                    .unknownItem,
                    "The account does not have this address: \"kinfolk account show\" shows its addresses."
                )
            }
            return try ClaimView.answer(to: account.addEmail(email, verified: true), account)
        }
        switch purpose {
        case .addEmail: return try ClaimView.answer(to: account.verifyEmail(address, code: code), account)
        case .signIn:
            try account.confirmSignIn(address, code: code)
            return Answer(["account_id": .text(account.id)], line: "\(account.id) reads the mails to this address.")
        case .refuseClaim:
            return try ClaimView.answer(account.refuseClaims(on: address, code: code))
        }
    }

    private func answer(to mail: VerificationMail?, _ account: Account) -> Answer {
        let json: JSON = [
            "account_id": .text(account.id),
            "recipient": mail.map { .string($0.recipient) } ?? .null,
            "code": mail.map { .string($0.code) } ?? .null,
            "pass": mail.map { .string($0.pass) } ?? .null,
        ]
        guard let mail else {
            return Answer(json, line: "No mail: the mails of this address for 24 hours are used up.")
        }
        return Answer(json, [.line("To: \(mail.recipient)"), .line("Code: \(mail.code)"), .line("Pass: \(mail.pass)")])
    }
}

extension Account {
    fileprivate func has(_ address: EmailAddress) throws(KinfolkError) -> Bool {
        for email in try emails() where try EmailAddress(email.spelling) == address { return true }
        return false
    }
}
