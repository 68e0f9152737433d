import ArgumentParser

struct DiscoverCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Find people who let themselves be found.",
        discussion: """
            Finding nobody is an answer, not an error: the exit status is 0.

            A person can be found who opted in in this container ("kinfolk session discoverable on"), by addresses that are \
            verified ("kinfolk account verify") and discoverable. A person never finds themselves, and a block hides two people \
            from each other. "kinfolk session status" and "kinfolk account show" show the operator the state of a person.
            """,
        subcommands: [DiscoverContacts.self, DiscoverEmail.self, DiscoverRecordID.self],
        defaultSubcommand: DiscoverContacts.self
    )
}
