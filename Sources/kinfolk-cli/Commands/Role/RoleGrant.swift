import ArgumentParser
import Kinfolk

struct RoleGrant: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Give a role to an account.",
        discussion: "An account that never used the container gets its user record ID there."
    )

    @OptionGroup var target: RoleOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try target.answer(from: service) { try $0.grantRole(target.role, to: $1) }
    }
}
