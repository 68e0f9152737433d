import ArgumentParser
import Kinfolk

struct RoleRevoke: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Take a role from an account, in all its sessions."
    )

    @OptionGroup var target: RoleOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try target.answer(from: service) { try $0.revokeRole(target.role, from: $1) }
    }
}
