import ArgumentParser

struct DiscoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Find people who let themselves be found.",
        discussion: "Finding nobody is an answer, not an error: the exit status is 0.",
        subcommands: [DiscoverContacts.self, DiscoverEmail.self, DiscoverRecordID.self],
        defaultSubcommand: DiscoverContacts.self
    )
}
