import ArgumentParser

struct DiscoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Find people who let themselves be found.",
        discussion: """
            Finding nobody is an answer, not an error: the exit status is 0.

            People can be found who opted in in this container ("kinfolk session discoverable on"), by addresses that are \
            verified ("kinfolk account verify") and left discoverable; not the person who asks, and nobody whom a block keeps \
            apart. "kinfolk session status" and "kinfolk account show" tell the operator what holds for somebody.
            """,
        subcommands: [DiscoverContacts.self, DiscoverEmail.self, DiscoverRecordID.self],
        defaultSubcommand: DiscoverContacts.self
    )
}
