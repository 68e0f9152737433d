import ArgumentParser
import Kinfolk
import KinfolkJSON

struct TokenList: StoreCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the API tokens of a container, in the order of their names."
    )

    @Argument(help: "The container's name.")
    var name: String

    @OptionGroup var environment: EnvironmentOptions
    @OptionGroup var options: StoreOptions

    func answer(from service: Service) throws -> Answer {
        let tokens = try environment.container(name, in: service).apiTokens()
        let json = JSON.array(tokens.map { .object($0.members) })
        guard !tokens.isEmpty else { return Answer(json, line: "No API token.") }
        var table = Table(.flexible("TOKEN"), .fixed("DISCOVERY"), .flexible("ORIGINS"), .flexible("RETURN URLS"))
        for token in tokens {
            table.add(
                token.name,
                token.allowsDiscovery ? "yes" : "no",
                token.origins.joined(separator: " "),
                token.returnURLs.joined(separator: " ")
            )
        }
        return Answer(json, table: table)
    }
}

extension APIToken {
    /// The token as JSON, without its secret text.
    var members: [(String, JSON)] {
        [
            ("name", .string(name)), ("origins", .array(origins.map(JSON.string))),
            ("return_urls", .array(returnURLs.map(JSON.string))), ("allows_discovery", .boolean(allowsDiscovery)),
            ("created_at", .text(createdAt)),
        ]
    }
}
