import KinfolkThreads

/// A queued write: what it does, and its result.
///
/// The calling thread waits here until it gets the writer, or until another thread has done this write together with its own, in
/// one transaction.
final class PendingWrite: @unchecked Sendable {
    enum Turn { case isAhead, hasCome, isOver }

    private let turn = Lock(Turn.isAhead)
    // Used by one thread at a time: first by the thread that has the writer, then by the thread that waited.
    private var body: ((Connection) throws -> Void)?
    private var confirm: (() -> Void)?
    private(set) var failure: (any Error)?
    /// Whether it may already have been committed by an attempt whose outcome is unknown.
    private(set) var mayBeWritten = false

    /// Whether the next write of this process must wait until this one is confirmed.
    let isConfirmed: Bool
    /// Whether it may join a transaction that another write began.
    let canJoin: Bool
    /// Whether it may run again although it may already have been committed.
    let isRepeatable: Bool
    /// Whether its changes must be on disk when it is confirmed.
    let isDurable: Bool
    /// When its wait ends.
    let deadline: Deadline
    /// The thread that waits for it.
    let thread = Thread.current

    /// - Parameters:
    ///   - body: The work. Nil if the caller wants the writer exclusively.
    ///   - isLarge: Whether it writes so much that other writes should not wait for it in the same transaction. A separate
    ///     rollback of it would also make SQLite keep all changes in memory.
    ///   - isRepeatable: Whether running it twice has the same effect as running it once.
    ///   - isDurable: Whether it must survive a power cut. If not, it is on disk with the next one that must.
    ///   - confirm: Called when what `body` wrote is on disk, before anybody else in this process writes.
    init(
        _ body: ((Connection) throws -> Void)? = nil,
        isLarge: Bool = false,
        isRepeatable: Bool = false,
        isDurable: Bool = true,
        until deadline: Deadline,
        confirm: (() -> Void)? = nil
    ) {
        self.body = body
        self.deadline = deadline
        canJoin = body != nil && !isLarge
        self.isRepeatable = isRepeatable
        self.isDurable = isDurable
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

    /// Call this before it runs again: everything it did was rolled back, or its outcome is unknown.
    func forgetFailure() { failure = nil }

    /// Records that its outcome is unknown.
    func noteDoubt() { mayBeWritten = true }

    /// Confirms it if it did not fail. After this, it holds nothing that belongs to the waiting thread.
    func finish() {
        body = nil
        defer { confirm = nil }
        if failure == nil { confirm?() }
    }

    /// Wakes the waiting thread.
    func wake(_ turn: Turn) { self.turn.withLock { $0 = turn } }

    // MARK: For the thread that waits

    /// Waits until the turn has come or is over; nil if `deadline` passes first.
    func wait(until deadline: Deadline) -> Turn? {
        turn.withLock(when: { $0 != .isAhead }, until: deadline) { $0 }
    }
}
