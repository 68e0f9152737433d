import ArgumentParser

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Manage the API tokens by which applications call a network service.",
        discussion: """
            An API token is valid for one environment of one container. The store keeps only a hash of it, so that it is shown once, \
            when it is created.

            EXAMPLE
              kinfolk token create com.example.notes web
              kinfolk token list com.example.notes
            """,
        subcommands: [TokenCreate.self, TokenList.self, TokenDelete.self]
    )
}
