import KinfolkThreads

/// The pauses between attempts at a transaction that was rolled back for external reasons: a server was lost, or preferred
/// another transaction in a conflict.
struct Pause {
    private var length = 0.002

    /// Whether to try again. An unreachable server counts too, because another one may replace it in a moment.
    func isWorthwhile(after error: StorageError) -> Bool { error.isPassing || error.kind == .unreachable }

    /// Sleeps, longer each time, and with a random part.
    mutating func take() {
        Thread.sleep(seconds: Double.random(in: length / 2...length))
        length = min(length * 2, 0.5)
    }
}
