import ArgumentParser
import Kinfolk

/// How people name an account on the command line.
struct AccountReference: ExpressibleByArgument {
    static let help: ArgumentHelp = "An account ID, or an e-mail address that the account has verified."

    private let text: String

    init(argument: String) { text = argument }

    func account(in service: Service) throws(KinfolkError) -> Account {
        // An account ID has no @, and every address has one, be it a full-width one.
        guard text.contains("@") || text.contains("＠") else { return try service.account(AccountID(text)) }
        return try service.account(email: EmailAddress(text))
    }
}
