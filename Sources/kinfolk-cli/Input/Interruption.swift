import Glibc
import Kinfolk

/// What Ctrl-C does during long work: the work ends at a place where nothing is half done, the command says what was done, and the
/// process ends by the signal, so that a shell sees it.
///
/// A second Ctrl-C ends the process at once.
enum Interruption {
    /// SIG_IGN, which C compares as a function.
    private static let ignored = 1

    /// Set by the signal handler.
    nonisolated(unsafe) private static var isRequested = false
    // Of the one command that this process runs.
    nonisolated(unsafe) private static var isQuiet = false
    nonisolated(unsafe) private static var report: String?

    /// From now on Ctrl-C is noted.
    static func watch(asJSON isJSON: Bool) {
        isQuiet = isJSON
        var (new, old) = (sigaction(), sigaction())
        sigaction(SIGINT, nil, &old)
        // A program that was started in the background ignores the signal, and goes on doing so.
        guard unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) != ignored else { return }
        new.__sigaction_handler.sa_handler = { _ in
            Interruption.isRequested = true
            let notice: StaticString = "\nStopping. Press Ctrl-C again to stop at once.\n"
            if !Interruption.isQuiet { _ = write(STDERR_FILENO, notice.utf8Start, notice.utf8CodeUnitCount) }
        }
        // The next one does what it does by default.
        new.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
        sigaction(SIGINT, &new, nil)
    }

    /// For the progress of long work, which this ends if Ctrl-C was pressed.
    ///
    /// - Parameter done: What was done, and what to do next.
    static func check(_ done: @autoclosure () -> String) throws(KinfolkError) {
        guard isRequested else { return }
        report = done()
        throw .cancelled
    }

    /// Ends the process if Ctrl-C was pressed, and says what was done if work was ended.
    static func endIfRequested(asJSON isJSON: Bool) {
        guard isRequested else { return }
        if let report { Failure.report("interrupted", report, asJSON: isJSON) }
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
        exit(128 + SIGINT)
    }
}
