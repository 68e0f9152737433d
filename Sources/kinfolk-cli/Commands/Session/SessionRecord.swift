import ArgumentParser

struct SessionRecord: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Read and write user records.",
        subcommands: [SessionRecordGet.self, SessionRecordSet.self, SessionRecordRemove.self]
    )
}
