import ArgumentParser
import Kinfolk
import KinfolkJSON

struct KeyValueWatch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show changes of the key-value store as they come, one on a line.",
        discussion: """
            It begins with what "kinfolk kv synchronize" would show, and then waits. Changes by the same device are not shown. With \
            --json each line is a JSON document with the reason and the keys.

            \(KeyValueChangeView.manual)

            The command ends after --count changes, at Ctrl-C, or when the reader of a pipe closes it. If the account is erased \
            meanwhile, it ends with an error.

            EXAMPLE
              kinfolk kv watch --device laptop \\
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
        let store = session.keyValueStore()
        // The first time, so that an account that is suspended already is an error.
        var waiting = try store.synchronize()
        let watch = ChangeWatch(session: session, zone: .keyValueStore, count: count, needsGoodStanding: false)
        return try watch.run(notice: options.json ? nil : "Waiting for changes.") {
            defer { waiting = [] }
            let changes = waiting.isEmpty ? store.reported() ?? [] : waiting
            return changes.map(KeyValueChangeView.init).map { options.json ? $0.json.line : $0.line(on: .output) }
        }
    }
}
