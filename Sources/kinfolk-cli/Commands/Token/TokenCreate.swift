import ArgumentParser
import Kinfolk
import KinfolkJSON

struct TokenCreate: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an API token, and print it.",
        discussion: """
            Prints the token, 64 hexadecimal digits, and nothing else. It cannot be shown again: if it is lost, delete it and create \
            another one.
            """
    )

    @Argument(help: "The container's name.")
    var name: String

    @Argument(help: "A name for the token, which no other token of the container has.")
    var token: String

    @Option(
        name: .customLong("origin"),
        help: ArgumentHelp(
            "An origin whose pages may use the token in a browser: https://app.example.com. Repeat it for more, at most 20.",
            valueName: "origin"
        )
    )
    var origins: [String] = []

    @Option(
        name: .customLong("return-url"),
        help: ArgumentHelp(
            "A URL to which a sign-in may return, compared exactly. Repeat it for more, at most 20.",
            valueName: "url"
        )
    )
    var returnURLs: [String] = []

    @Flag(help: "Let users of the token look for other users.")
    var allowDiscovery = false

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let (text, token) = try environment.container(name, in: service).createAPIToken(
            named: token,
            origins: origins,
            returnURLs: returnURLs,
            allowsDiscovery: allowDiscovery
        )
        return Answer(.object([("token", .string(text))] + token.members), line: text)
    }
}
