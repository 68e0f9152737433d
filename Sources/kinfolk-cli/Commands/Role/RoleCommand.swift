import ArgumentParser

struct RoleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "Give roles of a container's schema to accounts.",
        discussion: """
            The schema creates a role, and grants it permissions for the records of the public database. A role holds in one \
            environment of one container. It begins and ends with the next call of each session of the account.

            EXAMPLE
              kinfolk role grant com.example.notes Moderator ada@example.com
              kinfolk role list com.example.notes ada@example.com
            """,
        subcommands: [RoleGrant.self, RoleRevoke.self, RoleList.self]
    )
}
