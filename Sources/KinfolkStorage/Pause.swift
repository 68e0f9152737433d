import KinfolkThreads

/// The pauses before retries of a transaction that was rolled back for external reasons: the connection to a server was lost, or the
/// server chose another transaction in a conflict.
struct Pause {
    private var length = 0.002
    private let longest: Double
    private(set) var count = 0

    /// After so many pauses, about half a second in all, a failure that may be due to changed files is no longer retried.
    private static let mostForChangedFiles = 8

    init(longest: Double = 0.5) { self.longest = longest }

    /// Whether to try again. An unreachable server counts too, because another one may replace it soon.
    ///
    /// - Parameter isReadOnly: Whether files are only read. Then others may create or delete the log and its index at any time.
    func isWorthwhile(after error: StorageError, isReadOnly: Bool = false) -> Bool {
        error.isPassing || error.kind == .unreachable
            || isReadOnly && error.mayBeOfChangedFiles && count < Pause.mostForChangedFiles
    }

    /// Sleeps, longer each time, and with a random part.
    mutating func take() {
        Thread.sleep(seconds: Double.random(in: length / 2...length))
        length = min(length * 2, longest)
        count += 1
    }
}
