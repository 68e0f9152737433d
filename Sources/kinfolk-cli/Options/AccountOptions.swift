import ArgumentParser
import Kinfolk

/// The account that a command changes.
struct AccountOptions: ParsableArguments {
    @Argument(help: AccountReference.help)
    var account: AccountReference

    /// Changes the account with `change`, and shows it.
    func answer(from service: Service, change: (Account) throws -> Void) throws -> Answer {
        let account = try account.account(in: service)
        try change(account)
        return try AccountView(account).answer
    }
}
