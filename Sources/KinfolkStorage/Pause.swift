import KinfolkThreads

/// The pauses between attempts at a transaction that was undone through no fault of its own: a server went away, or had others
/// to prefer.
struct Pause {
    private var length = 0.002

    /// Whether to try again. A store that was open and cannot be reached may get another server in a moment.
    func isWorthwhile(after error: StorageError) -> Bool { error.isPassing || error.kind == .unreachable }

    /// Longer each time, and never the same for two.
    mutating func take() {
        Thread.sleep(seconds: Double.random(in: length / 2...length))
        length = min(length * 2, 0.5)
    }
}
