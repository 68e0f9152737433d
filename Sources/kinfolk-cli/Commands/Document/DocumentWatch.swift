import ArgumentParser
import Kinfolk

struct DocumentWatch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show changes of documents by other devices as they come, one on a line.",
        discussion: """
            It shows what happens from now on. Several changes of a document that come at the same time are shown once. If changes were \
            missed, because the store was restored, one line says so. With --json each line is a JSON document.

            The command ends after --count changes, at Ctrl-C, or when the reader of a pipe closes it. If the account is suspended or \
            erased meanwhile, it ends with an error.

            EXAMPLE
              kinfolk document watch --device laptop \\
                --container com.example.notes --account ada@example.com
            """
    )

    @OptionGroup var device: DeviceOptions

    @Option(help: ArgumentHelp("End after so many changes.", valueName: "n"))
    var count: Int?

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard count ?? 1 > 0 else { throw ValidationError("--count is at least 1.") }
    }

    func run() throws {
        // When `watch` returns, the service is closed.
        try watch().finish()
    }

    private func watch() throws -> WatchEnd {
        try Wakeup.begin()
        let session = try session.session(in: options.open(), device: device.device)
        var lines = try DocumentChangeLines(session.documents)
        let watch = ChangeWatch(session: session, zone: .documents, count: count, needsGoodStanding: true)
        return try watch.run(notice: options.json ? nil : "Waiting for changes.") { () throws(KinfolkError) in
            try lines.next(asJSON: options.json)
        }
    }
}
