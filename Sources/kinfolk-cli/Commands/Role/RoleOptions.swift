import ArgumentParser
import Kinfolk

/// A role of a container's schema, and an account that gets or loses it.
struct RoleOptions: ParsableArguments {
    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: "The name of the role.")
    var role: String

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var environment: EnvironmentOptions

    /// Changes the roles of the account with `change`, and shows them.
    func answer(from service: Service, change: (Container, Account) throws -> Void) throws -> Answer {
        let container = try environment.container(name, in: service)
        let account = try account.account(in: service)
        try change(container, account)
        return try RolesView(of: account, in: container).answer
    }
}
