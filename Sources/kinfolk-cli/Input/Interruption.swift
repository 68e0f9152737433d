import Glibc
import Kinfolk

/// Handles Ctrl-C during long work: the work ends at a point where no step is half done, the command says what was done, and the
/// process ends itself with the same signal, so that a shell sees it.
///
/// A second Ctrl-C ends the process at once.
enum Interruption {
    /// SIG_IGN, which C compares as a function.
    private static let ignored = 1

    /// Set by the signal handler.
    nonisolated(unsafe) private static var isRequested = false
    // Set by the one command that this process runs.
    nonisolated(unsafe) private static var report: String?

    /// Set at the start: whether Ctrl-C writes no notice to standard error, because it is to hold one JSON document.
    nonisolated(unsafe) static var isQuiet = false

    /// From now on Ctrl-C only sets the flag.
    static func watch() {
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

    /// From now on Ctrl-C ends the process at once again.
    static func unwatch() {
        var present = sigaction()
        sigaction(SIGINT, nil, &present)
        guard unsafeBitCast(present.__sigaction_handler.sa_handler, to: Int.self) != ignored else { return }
        signal(SIGINT, SIG_DFL)
    }

    /// Called when progress is shown: throws, and so ends the work, if Ctrl-C was pressed.
    ///
    /// - Parameter done: What was done, and what to do next. Nil where the work cannot end.
    static func check(_ done: @autoclosure () -> String?) throws(KinfolkError) {
        guard isRequested, let done = done() else { return }
        report = done
        throw .cancelled
    }

    /// Sets the message about the interrupted work when its final state is known, because the work may finish a step after `check`
    /// has ended it. Nil if that was the last step, so that all work is done.
    static func conclude(_ done: String?) { report = done }

    /// Ends the process if Ctrl-C was pressed. If that ended work, it first says what was done.
    static func endIfRequested(asJSON isJSON: Bool) {
        guard isRequested else { return }
        if let report { Failure.report("interrupted", report, asJSON: isJSON) }
        signal(SIGINT, SIG_DFL)
        raise(SIGINT)
        exit(128 + SIGINT)
    }
}
