import CLinux
import Glibc
import NIOConcurrencyHelpers

/// Sends mails by a command that reads them from standard input. No shell is involved.
final class MailCommand: Sendable {
    /// The usual command of the system, if it is installed.
    static var ofSystem: [String]? {
        access("/usr/sbin/sendmail", X_OK) == 0 ? ["/usr/sbin/sendmail", "-t", "-i"] : nil
    }

    /// Not the variables of the service: they can hold the address of the store.
    private static let variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]

    private let words: [String]
    private let sender: MailAddress?
    private let running = NIOLockedValueBox(0)
    /// Commands that may run at the same time: a slow mail server must not take all threads.
    private static let limit = 4
    private static let seconds = 15
    /// What a pipe holds, so that writing never blocks.
    private static let largest = 60_000

    init(_ words: [String], sender: MailAddress?) {
        self.words = words
        self.sender = sender
    }

    /// Runs the command, and waits for its end. Returns whether it succeeded.
    func send(address: String, subject: String, text: String) -> Bool {
        guard let message = MailMessage(to: address, from: sender, subject: subject, text: text),
            message.bytes.count <= MailCommand.largest
        else { return false }
        let mayRun = running.withLockedValue { running in
            guard running < MailCommand.limit else { return false }
            running += 1
            return true
        }
        guard mayRun else { return false }
        defer { running.withLockedValue { $0 -= 1 } }
        return run(message.bytes)
    }

    private func run(_ input: [UInt8]) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard kinfolkd_pipe(&ends, O_CLOEXEC) == 0 else { return false }
        defer { close(ends[0]) }
        let child = start(input: ends[0])
        let written = child == nil ? -1 : input.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        guard let child else { return false }
        return MailCommand.succeeds(child) && written == input.count
    }

    private func start(input: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        _ = kinfolkd_close_from(&actions, 3)
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP)
        )
        var arguments = words.map { (word: String) in strdup(word) } + [nil]
        var variables = MailCommand.variables.map { (text: String) in strdup(text) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        return posix_spawn(&child, words[0], &actions, &attributes, &arguments, &variables) == 0 ? child : nil
    }

    /// Waits for the command, and ends it if it takes too long.
    private static func succeeds(_ child: pid_t) -> Bool {
        var status: Int32 = 0
        for attempt in 0..<(seconds * 100) {
            let result = waitpid(child, &status, WNOHANG)
            if result == child { return kinfolkd_succeeded(status) != 0 }
            if result < 0, errno != EINTR { return false }
            usleep(attempt < 20 ? 1_000 : 10_000)
        }
        kill(-child, SIGKILL)
        _ = waitpid(child, &status, 0)
        return false
    }
}
