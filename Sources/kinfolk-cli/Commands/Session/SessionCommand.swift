import ArgumentParser

struct SessionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Do what an application may do for one person: their ID, records, consent and blocks.",
        discussion: "An account's first session in a container makes its user record ID there.",
        subcommands: [
            SessionStatus.self, SessionUserRecordID.self, SessionDiscoverable.self, SessionRecord.self,
            SessionBlock.self, SessionUnblock.self, SessionBlocked.self, SessionStorage.self, SessionExport.self,
        ]
    )
}
