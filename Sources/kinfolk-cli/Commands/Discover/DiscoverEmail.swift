import ArgumentParser
import Kinfolk

struct DiscoverEmail: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "email",
        abstract: "Find the person with an e-mail address. Each search costs one permit."
    )

    @Argument(help: "The e-mail address.")
    var email: String

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let email = try EmailAddress(email)
        return try IdentityView.answer(session.session(in: service).discover(email))
    }
}
