import Glibc
import Kinfolk

/// Handles Ctrl-C during long work: the work ends at a point where nothing is half done, the command says what was done, and the
/// process ends by the signal, so that a shell sees it.
///
/// A second Ctrl-C ends the process at once.
enum Interruption {
    /// SIG_IGN, which C compares as a function.
    private static let ignored = 1

    /// Set by the signal handler.
    nonisolated(unsafe) private static var isRequested = false
    // Set by the one command that this process runs.
    nonisolated(unsafe) private static var isQuiet = false
    nonisolated(unsafe) private static var report: String?

    /// From now on Ctrl-C only sets the flag.
    static func watch(asJSON isJSON: Bool) {
        isQuiet = isJSON
        var (new, old) = (sigaction(), sigaction())
        sigaction(SIGINT, nil, &old)
        // A program that was started in the background ignores the signal, and must continue to ignore it.
        guard unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) != ignored else { return }
        new.__sigaction_handler.sa_handler = { _ in
            Interruption.isRequested = true
            let notice: StaticString = "\nStopping. Press Ctrl-C again to stop at once.\n"
            if !Interruption.isQuiet { _ = write(STDERR_FILENO, notice.utf8Start, notice.utf8CodeUnitCount) }
        }
        // The next signal has its default effect.
        new.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
        sigaction(SIGINT, &new, nil)
    }

    /// Called from progress functions: throws, and so ends the work, if Ctrl-C was pressed.
    ///
    /// - Parameter done: What was done, and what to do next.
    static func check(_ done: @autoclosure () -> String) throws(KinfolkError) {
        guard isRequested else { return }
        report = done()
        throw .cancelled
    }

    /// Ends the process if Ctrl-C was pressed. If that ended work, it first says what was done.
    static func endIfRequested(asJSON isJSON: Bool) {
        guard isRequested else { return }
        if let report { Failure.report("interrupted", report, asJSON: isJSON) }
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
        exit(128 + SIGINT)
    }
}
