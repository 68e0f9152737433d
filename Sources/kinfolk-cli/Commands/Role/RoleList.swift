import ArgumentParser
import Kinfolk

struct RoleList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the roles of an account in a container."
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try RolesView(of: account.account(in: service), in: environment.container(name, in: service)).answer
    }
}
