import KinfolkThreads

/// The attempts of a group of writes: how each transaction is begun, and the pauses between them.
///
/// A write that conflicted with a concurrent one is first repeated beside the other writers. Otherwise two processes that change the
/// same row would make everybody else wait.
struct WriteAttempts {
    /// How the next transaction is begun.
    private(set) var purpose: Connection.Purpose
    private var pause = Pause()
    /// The pauses after conflicts. They are short, because the other transaction is too, and because all writes of this process wait
    /// meanwhile.
    private var conflictPause = Pause(longest: 0.03)
    /// From then on, conflicts are no longer repeated beside other writers, so that an exclusive attempt has time to succeed.
    private let patience: Deadline

    /// How often a group is repeated beside other writers after conflicts.
    static let conflictLimit = 16

    init(isAlone: Bool, until deadline: Deadline) {
        purpose = isAlone ? .writeAlone : .write
        patience = Deadline(in: Double(deadline.milliseconds) / 2_000)
    }

    /// Whether nothing has been repeated.
    var isFirst: Bool { pause.count + conflictPause.count == 0 }

    /// Whether to try again.
    func isWorthwhile(after error: StorageError) -> Bool { pause.isWorthwhile(after: error) }

    /// Sleeps before the next attempt.
    mutating func prepareNext(after error: StorageError) {
        if error.kind == .conflict, purpose == .write, conflictPause.count < WriteAttempts.conflictLimit,
            !patience.hasPassed
        {
            conflictPause.take()
        } else {
            purpose = .writeAlone
            pause.take()
        }
    }
}
