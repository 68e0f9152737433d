import ArgumentParser
import Kinfolk

/// The account and the container of a session.
struct SessionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The container's name.", valueName: "name"))
    var container: String

    @Option(help: AccountReference.help)
    var account: AccountReference

    @OptionGroup var environment: EnvironmentOptions

    /// - Parameter device: The name of the account's device that the session is; nil for a session that is a device of its own.
    func session(in service: Service, device: String? = nil) throws(KinfolkError) -> Session {
        let container = try environment.container(container, in: service)
        let account = try account.account(in: service)
        guard let device else { return try container.session(for: account) }
        return try container.session(for: account, device: device)
    }
}
