import ArgumentParser

struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Manage the store's key.",
        discussion: """
            The key is in a file next to the store, in the file of --key-file, or is derived from a passphrase with --passphrase. \
            Without the key the store is lost.
            """,
        subcommands: [KeyRotate.self]
    )
}
