import ArgumentParser
import Kinfolk

/// An account as it is named on the command line.
struct AccountReference: ExpressibleByArgument {
    static let help: ArgumentHelp = "An account ID, or an e-mail address that the account has verified."

    private let text: String

    init(argument: String) { text = argument }

    func account(in service: Service) throws(KinfolkError) -> Account {
        // An account ID has no @, and every address has one, possibly a full-width one.
        let isAddress = text.contains("@") || text.contains("＠")
        do {
            return isAddress
                ? try service.account(email: EmailAddress(text)) : try service.account(AccountID(text))
        } catch {
            guard error.code == .unknownItem else { throw error }
            throw error.advising(
                isAddress
                    ? "\"kinfolk account list\" shows the IDs, \"kinfolk account verify\" verifies an address."
                    : "\"kinfolk account list\" shows the accounts."
            )
        }
    }
}
