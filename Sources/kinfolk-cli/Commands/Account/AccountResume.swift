import ArgumentParser
import Kinfolk

struct AccountResume: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "End the suspension of an account. The decisions that the person had made hold again."
    )

    @OptionGroup var target: AccountOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        try target.answer(from: service) { try $0.resume() }
    }
}
