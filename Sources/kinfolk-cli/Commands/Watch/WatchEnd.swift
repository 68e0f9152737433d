import Glibc

/// Why a command that prints what happens comes to its end.
enum WatchEnd {
    /// It has printed as much as was asked for.
    case complete
    case signal(Int32)
    /// The reader of the output closed it.
    case closed

    /// So many bytes can be written to a pipe without waiting, if it can be written at all (PIPE_BUF).
    private static let pieceLength = 4_096

    /// Ends the process by the signal, if that was the reason.
    func finish() {
        switch self {
        case .complete: return
        case .signal(let number): Wakeup.end(bySignal: number)
        case .closed: Wakeup.end(bySignal: SIGPIPE)
        }
    }

    /// Writes a text to standard output. Returns why the command ends before all of it is written; nil if it is written.
    static func writing(_ text: String) throws -> WatchEnd? {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let output = Wakeup.wait(toWrite: true, -1)
            if Wakeup.signal != 0 { return .signal(Wakeup.signal) }
            if output.isClosed { return .closed }
            guard output.isWritable else { continue }
            let written = rest.prefix(pieceLength).withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if written < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            if written < 0 && errno == EPIPE { return .closed }
            guard written > 0 else { throw Streams.OutputFailed() }
            rest = rest.dropFirst(written)
        }
        return nil
    }
}
