import Glibc
import Kinfolk

/// The terminal, while it does not show what is typed.
enum HiddenTerminal {
    private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP]

    /// SIG_IGN, which C compares as a function.
    private static let ignored = 1

    /// The signal that came while the person typed, or 0. A global is enough: there is one terminal, and one prompt at a time.
    nonisolated(unsafe) private static var caught: Int32 = 0

    /// Asks, and reads a line.
    static func read(_ question: String) throws(KinfolkError) -> SecretLine {
        // Standard input may be a terminal of another session.
        let opened = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        let terminal = opened >= 0 ? opened : STDIN_FILENO
        defer { if opened >= 0 { close(opened) } }
        while true {
            if let line = try readOnce(question, on: terminal) { return line }
            // Re-raises the signal. If the process is resumed, it prompts again.
            raise(caught)
        }
    }

    /// Prompts once, and reads a line. Nil if a signal interrupted it. The terminal is restored in any case.
    private static func readOnce(_ question: String, on terminal: Int32) throws(KinfolkError) -> SecretLine? {
        var shown = termios()
        guard tcgetattr(terminal, &shown) == 0 else {
            throw KinfolkError(.serviceUnavailable, "There is no terminal to ask for the passphrase on.")
        }
        caught = 0
        let handlers = signals.map { signal in handle(signal) { HiddenTerminal.caught = $0 } }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        // Discards what was typed before, because the terminal showed it.
        tcsetattr(terminal, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(terminal, TCSAFLUSH, &shown)
            for (signal, handler) in zip(signals, handlers) {
                var handler = handler
                sigaction(signal, &handler, nil)
            }
        }
        try? Streams.write(question, to: opened(terminal))
        let line = try SecretLine(from: terminal) { caught != 0 }
        // The rest of the line may have arrived before reading ended.
        return caught == 0 ? line : nil
    }

    /// Where the question is shown. (Standard input may be open for reading only.)
    private static func opened(_ terminal: Int32) -> Int32 { terminal == STDIN_FILENO ? STDERR_FILENO : terminal }

    /// Without SA_RESTART, so that reading ends. Returns the action that was set before.
    private static func handle(_ signal: Int32, with handler: @escaping @convention(c) (Int32) -> Void) -> sigaction {
        var (new, old) = (sigaction(), sigaction())
        new.__sigaction_handler.sa_handler = handler
        sigaction(signal, &new, &old)
        // The process that started this one wants the signal ignored.
        if unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == ignored { sigaction(signal, &old, nil) }
        return old
    }
}
