import ArgumentParser
import Kinfolk
import KinfolkJSON

struct WatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show a person's notifications as they come, one on a line.",
        discussion: """
            "kinfolk subscription" says what a person is notified of. A notification tells of a record as it is when it is shown. A \
            device is not notified of its own changes.

            With --device it first shows the notifications that wait for this device. If more than 1,000 wait, the oldest ones are \
            dropped, and one line says so. Without --device it shows what happens from now on.

            A notification that was shown is acknowledged: this device receives it only once. If the program is killed before, it is \
            shown again the next time.

            With --json each line is a JSON document. The command ends after --count notifications, at Ctrl-C, or when the reader \
            of a pipe closes it. After a signal it acknowledges what was shown, and then ends by that signal. If the account is \
            suspended or erased meanwhile, it ends with an error.

            EXAMPLE
              kinfolk watch --device laptop \\
                --container com.example.chat --account ada@example.com
            """
    )

    @OptionGroup var device: DeviceOptions

    @Option(help: ArgumentHelp("End after so many notifications.", valueName: "n"))
    var count: Int?

    @OptionGroup var session: SessionOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard count ?? 1 > 0 else { throw ValidationError("--count is at least 1.") }
    }

    func run() throws {
        // When `watch` returns, the service is closed, and has written what was acknowledged.
        try watch().finish()
    }

    // MARK: Watching

    /// How often to look whether the account is still in good standing, in milliseconds.
    private static let interval: Int32 = 1_000

    private func watch() throws -> WatchEnd {
        try Wakeup.begin()
        let session = try session.session(in: options.open(), device: device.device)
        let handover = NotificationHandover()
        let observation = try session.onNotification(handover.offer)
        defer {
            handover.end()
            observation.cancel()
        }
        if Terminal.errors.isTerminal && !options.json {
            Streams.complain("Waiting for notifications. Press Ctrl-C to end.\n")
        }
        var rest = count
        while true {
            if Wakeup.signal != 0 { return .signal(Wakeup.signal) }
            if let notification = handover.next {
                let view = NotificationView(notification)
                if let end = try WatchEnd.writing(options.json ? view.json.line : view.line(on: .output)) { return end }
                handover.notePrinted()
                rest = rest.map { $0 - 1 }
                if rest == 0 { return .complete }
                continue
            }
            let start = ContinuousClock.now
            if Wakeup.wait(toWrite: false, WatchCommand.interval).isClosed { return .closed }
            if ContinuousClock.now - start >= .milliseconds(Int(WatchCommand.interval)) {
                try requireGoodStanding(session)
            }
        }
    }

    /// Throws if the account was suspended or erased, or the container was deleted. If the store cannot be read now, it can be later.
    private func requireGoodStanding(_ session: Session) throws(KinfolkError) {
        guard session.accountStatus() != .available else { return }
        do { _ = try session.devices() } catch {
            guard error.code == .serviceUnavailable else { throw error }
        }
    }
}
