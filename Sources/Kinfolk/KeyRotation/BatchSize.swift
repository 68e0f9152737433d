/// How many accounts of a key rotation share a transaction.
///
/// The more there are, the more of their rows are on the same page, which is written once, and the fewer transactions wait for
/// the disk. But other writers wait while a transaction runs.
struct BatchSize {
    private(set) var accounts = KeyRotationWorker.batchSize

    /// Takes some megabytes of memory.
    private static let maximum = 3_200

    /// Doubles or halves the size, so that a transaction takes about two tenths of a second.
    mutating func adjust(after seconds: Double) {
        if seconds < 0.1 {
            accounts = min(accounts * 2, BatchSize.maximum)
        } else if seconds > 0.3 {
            accounts = max(accounts / 2, KeyRotationWorker.batchSize)
        }
    }
}
