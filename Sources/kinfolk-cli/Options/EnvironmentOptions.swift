import ArgumentParser
import Kinfolk

/// The environment of the container that a command works on.
struct EnvironmentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The container's environment: each has its own users, records and schema. The first use makes development.",
            valueName: "name"
        )
    )
    var environment: Environment = .production

    enum Environment: String, ExpressibleByArgument, CaseIterable {
        case production, development
    }

    /// The container with this name, which must exist.
    func container(_ name: String, in service: Service) throws(KinfolkError) -> Container {
        try service.existingContainer(name, environment == .production ? .production : .development)
    }
}
