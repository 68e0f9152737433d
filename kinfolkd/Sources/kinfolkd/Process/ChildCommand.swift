import CLinux
import Glibc

/// A program that gets its input from a pipe, and whose output may be read. No shell is involved.
struct ChildCommand {
    /// Not the variables of the service: they can hold the address of the store.
    private static let variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8"]
    /// What a pipe holds, so that writing never blocks.
    static let largestInput = 60_000

    /// The absolute path of the program, and its arguments.
    let words: [String]
    /// How long it may take.
    let seconds: Int

    /// Whether a path is that of a file that can be run.
    static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    /// Runs the program, and waits for its end.
    ///
    /// - Parameter outputLimit: The most bytes of output.
    /// - Returns: The output; nil if the program failed, took too long or wrote more.
    func run(_ input: [UInt8], outputLimit: Int = 0) -> [UInt8]? {
        guard input.count <= ChildCommand.largestInput, let (read, write) = ChildCommand.pipe() else { return nil }
        defer { close(read) }
        guard let (output, outputEnd) = ChildCommand.pipe() else {
            close(write)
            return nil
        }
        defer { close(output) }
        let child = start(input: read, output: outputEnd)
        close(outputEnd)
        let written = child == nil ? -1 : input.withUnsafeBytes { Glibc.write(write, $0.baseAddress, $0.count) }
        close(write)
        guard let child else { return nil }
        let end = ChildCommand.now() + seconds * 1_000
        let bytes = ChildCommand.read(output, limit: outputLimit, until: end)
        return ChildCommand.succeeds(child, until: bytes == nil ? 0 : end) && written == input.count ? bytes : nil
    }

    private static func pipe() -> (read: Int32, write: Int32)? {
        var ends: [Int32] = [-1, -1]
        return kinfolkd_pipe(&ends, O_CLOEXEC) == 0 ? (ends[0], ends[1]) : nil
    }

    private func start(input: Int32, output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
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
        var variables = ChildCommand.variables.map { (text: String) in strdup(text) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        return posix_spawn(&child, words[0], &actions, &attributes, &arguments, &variables) == 0 ? child : nil
    }

    /// Everything that a program writes until it closes its output. What is beyond the limit of 0 is thrown away.
    private static func read(_ file: Int32, limit: Int, until end: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            let left = end - now()
            guard left > 0 else { return nil }
            guard poll(&wait, 1, Int32(min(left, 60_000))) > 0 else { continue }
            let count = Glibc.read(file, &piece, piece.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            guard limit > 0 else { continue }
            guard bytes.count + count <= limit else { return nil }
            bytes += piece[..<count]
        }
    }

    /// Waits for the program, and ends it if it takes too long.
    private static func succeeds(_ child: pid_t, until end: Int) -> Bool {
        var status: Int32 = 0
        var attempt = 0
        repeat {
            let result = waitpid(child, &status, WNOHANG)
            if result == child { return kinfolkd_succeeded(status) != 0 }
            if result < 0, errno != EINTR { return false }
            usleep(attempt < 20 ? 1_000 : 10_000)
            attempt += 1
        } while now() < end
        kill(-child, SIGKILL)
        _ = waitpid(child, &status, 0)
        return false
    }

    /// Milliseconds of a clock that never jumps.
    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
