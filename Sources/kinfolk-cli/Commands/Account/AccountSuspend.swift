import ArgumentParser
import Kinfolk

struct AccountSuspend: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "suspend",
        abstract: "Suspend an account: its sessions are restricted, and no discovery finds it."
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        try account.suspend()
        return try AccountView(account).answer
    }
}
