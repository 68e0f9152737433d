import ArgumentParser
import Kinfolk

struct AccountResume: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "End the suspension of an account. The decisions that the person had made hold again."
    )

    @Argument(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let account = try account.account(in: service)
        try account.resume()
        return try AccountView(account).answer
    }
}
