import ArgumentParser
import Kinfolk

struct AccountSuspend: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Suspend an account: its sessions are restricted, and no discovery finds it."
    )

    @OptionGroup var target: AccountOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try target.answer(from: service) { try $0.suspend() }
    }
}
