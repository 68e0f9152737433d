import ArgumentParser

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Look after the store's key.",
        discussion: """
            The key is in a file beside the store, in another with --key-file, or is made from a passphrase with --passphrase. \
            Whoever loses it loses the store.
            """,
        subcommands: [KeyRotate.self]
    )
}
