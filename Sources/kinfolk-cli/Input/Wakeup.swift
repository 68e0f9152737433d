import Glibc
import Kinfolk

/// Ends the wait of the main thread: at a signal that asks the process to end, or when another thread has something for it.
///
/// A second signal of the same kind ends the process at once.
enum Wakeup {
    /// The signal that has come; 0 if none has.
    nonisolated(unsafe) private(set) static var signal: Int32 = 0
    /// A pipe that only wakes: its bytes mean nothing.
    nonisolated(unsafe) private static var reading: Int32 = -1
    nonisolated(unsafe) private static var writing: Int32 = -1

    /// SIG_IGN, which C compares as a function.
    private static let ignored = 1

    /// From now on Ctrl-C and the usual signals to end a process only wake the main thread.
    static func begin() throws(KinfolkError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw KinfolkError(.serviceUnavailable, "The system could not make a pipe.")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reading, writing) = (ends[0], ends[1])
        for number in [SIGINT, SIGTERM, SIGHUP] {
            var (new, old) = (sigaction(), sigaction())
            sigaction(number, nil, &old)
            // A program that was started in the background ignores Ctrl-C, and must continue to ignore it.
            guard unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) != ignored else { continue }
            new.__sigaction_handler.sa_handler = { number in
                Wakeup.signal = number
                Wakeup.wake()
            }
            new.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
            sigaction(number, &new, nil)
        }
        // Writing to a closed pipe is an error instead of the end of the process.
        Glibc.signal(SIGPIPE, SIG_IGN)
    }

    /// Wakes the main thread. A signal handler may call it.
    static func wake() {
        let number = errno
        var byte: UInt8 = 0
        _ = write(writing, &byte, 1)
        errno = number
    }

    /// Waits until something wakes the thread, or standard output can be written or is closed.
    ///
    /// - Parameter milliseconds: How long to wait; -1 for ever.
    static func wait(toWrite: Bool, _ milliseconds: Int32) -> (isWritable: Bool, isClosed: Bool) {
        var descriptors = [
            pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
            pollfd(fd: STDOUT_FILENO, events: toWrite ? Int16(POLLOUT) : 0, revents: 0),
        ]
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return (false, false) }
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
        let events = Int32(descriptors[1].revents)
        return (events & POLLOUT != 0, events & (POLLERR | POLLHUP) != 0)
    }

    /// Ends the process by a signal, so that a shell sees it.
    static func end(bySignal number: Int32) -> Never {
        Glibc.signal(number, SIG_DFL)
        raise(number)
        exit(128 + number)
    }
}
