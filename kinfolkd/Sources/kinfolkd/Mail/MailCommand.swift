import Glibc
import NIOConcurrencyHelpers

/// Sends mails by a command that reads them from standard input.
final class MailCommand: Sendable {
    /// The usual command of the system, if it is installed.
    static var ofSystem: [String]? {
        access("/usr/sbin/sendmail", X_OK) == 0 ? ["/usr/sbin/sendmail", "-t", "-i"] : nil
    }

    private let words: [String]
    private let sender: MailAddress?
    private let running = NIOLockedValueBox(0)
    /// Commands that may run at the same time: a slow mail server must not take all threads.
    private static let limit = 4
    private static let seconds = 15

    init(_ words: [String], sender: MailAddress?) {
        self.words = words
        self.sender = sender
    }

    /// Runs the command, and waits for its end. Returns whether it succeeded.
    func send(address: String, subject: String, text: String) -> Bool {
        guard let message = MailMessage(to: address, from: sender, subject: subject, text: text) else { return false }
        let mayRun = running.withLockedValue { running in
            guard running < MailCommand.limit else { return false }
            running += 1
            return true
        }
        guard mayRun else { return false }
        defer { running.withLockedValue { $0 -= 1 } }
        return ChildCommand(words: words, seconds: MailCommand.seconds).run(message.bytes) != nil
    }
}
