import ArgumentParser
import Kinfolk

/// The account and the container of a session.
struct SessionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The container's name.", valueName: "name"))
    var container: String

    @Option(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var environment: EnvironmentOptions

    func session(in service: Service) throws(KinfolkError) -> Session {
        let container = try environment.container(container, in: service)
        return try container.session(for: account.account(in: service))
    }
}
