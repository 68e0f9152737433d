import KinfolkThreads

/// A write in line: what it does, and what has become of it.
///
/// The thread that asked for it waits here, until it is its turn to use the writer or until another thread has done it in one
/// transaction with writes of its own.
final class PendingWrite: @unchecked Sendable {
    enum Turn { case isAhead, hasCome, isOver }

    private let turn = Lock(Turn.isAhead)
    // Used by one thread at a time: the one whose turn it is, and after that the one that waited.
    private var body: ((Connection) throws -> Void)?
    private var confirm: (() -> Void)?
    private(set) var failure: (any Error)?
    /// Whether it may have been written, by an attempt whose end nobody knows.
    private(set) var mayBeWritten = false

    /// Whether the next write of this process must wait until this one is confirmed.
    let isConfirmed: Bool
    /// Whether it may join a transaction that another began.
    let canJoin: Bool
    /// Whether it may be done again although it may have been written.
    let isRepeatable: Bool
    /// When its wait is over.
    let deadline: Deadline

    /// - Parameters:
    ///   - body: Does it. Nil for something that wants the writer for itself.
    ///   - isLarge: Whether it writes so much that others should not have to wait for it, nor it be undone by itself, for which
    ///     SQLite would keep all that it changes in memory.
    ///   - isRepeatable: Whether done twice is as good as done once.
    ///   - confirm: Called once what `body` wrote is on disk, before anybody else of this process writes.
    init(
        _ body: ((Connection) throws -> Void)? = nil,
        isLarge: Bool = false,
        isRepeatable: Bool = false,
        until deadline: Deadline,
        confirm: (() -> Void)? = nil
    ) {
        self.body = body
        self.deadline = deadline
        canJoin = body != nil && !isLarge
        self.isRepeatable = isRepeatable
        self.confirm = confirm
        isConfirmed = confirm != nil
    }

    // MARK: For the thread that has the writer

    func run(_ db: Connection) throws { try body?(db) }

    func fail(_ error: any Error) {
        guard failure == nil else { return }
        if mayBeWritten, let error = error as? StorageError {
            failure = StorageError(.inDoubt, detail: error.detail)
        } else {
            failure = error
        }
    }

    /// Before it runs again: all that came of it was undone, or nobody knows.
    func forgetFailure() { failure = nil }

    /// Notes that nobody knows whether it was written.
    func noteDoubt() { mayBeWritten = true }

    /// Confirms it, if it did not fail. Nothing that the waiting thread lent is held after this.
    func finish() {
        body = nil
        defer { confirm = nil }
        if failure == nil { confirm?() }
    }

    /// Wakes the thread that waits.
    func wake(_ turn: Turn) { self.turn.withLock { $0 = turn } }

    // MARK: For the thread that waits

    /// Waits until the turn has come or is over; nil if `deadline` passes before.
    func wait(until deadline: Deadline) -> Turn? {
        turn.withLock(when: { $0 != .isAhead }, until: deadline) { $0 }
    }
}
