import Glibc

/// What is done when the process ends by `exit()` or by a return from `main`.
///
/// A process that is killed, or calls `_exit()`, does not come here.
package enum Exit {
    /// How many seconds participants may wait for others, and how many the process waits for them all.
    private static let (patience, limit) = (2.0, 5.0)

    /// Registers a participant until ``unregister(_:)``, to be told when the process ends.
    ///
    /// - Parameter isLate: Whether it uses a library that was loaded since the last registration, and cleans up at the end: it is
    ///   told before that.
    package static func register(_ participant: any ExitParticipant, isLate: Bool = false) {
        _ = handler
        if isLate { _ = lateHandler }
        registry.withLock { $0.append(participant) }
    }

    package static func unregister(_ participant: any ExitParticipant) {
        registry.withLock { list in list.removeAll { $0 === participant } }
    }

    package static var participants: [any ExitParticipant] { registry.withLock(\.self) }

    /// Of this process. What was registered before a fork is the parent's. It changes only in a child that has a single thread as
    /// yet, so reading it needs no lock.
    nonisolated(unsafe) private static var registry = Lock<[any ExitParticipant]>([])

    /// When the process stops waiting: from the first time that it is asked, and for both handlers.
    private static let end = Deadline(in: limit)

    private static let handler: Int32 = atexit { Exit.run() }
    private static let lateHandler: Int32 = atexit { Exit.run() }

    /// Begins with no participants in a forked child.
    static func forgetAfterFork() {
        // The lock may have been copied in the middle of a change: it is never touched again, nor freed.
        _ = Unmanaged.passRetained(registry)
        registry = Lock([])
    }

    /// Has the participants finish, on a thread of their own: whatever stops them, a lock that is never released for example, does
    /// not stop the process from ending.
    private static func run() {
        guard let participants = registry.withLock(until: end, { $0 }), !participants.isEmpty else { return }
        let isDone = Lock(false)
        let isStarted = Thread.start {
            let deadline = Deadline(in: patience)
            for participant in participants { participant.finish(until: deadline) }
            isDone.withLock { $0 = true }
        }
        if isStarted { isDone.withLock(when: { $0 }, until: end) { _ in } }
    }
}

/// Something that has work to finish when the process ends.
package protocol ExitParticipant: AnyObject, Sendable {
    /// Finishes, and waits for nobody any longer than `deadline`. Runs on a thread of its own. Other threads still run.
    func finish(until deadline: Deadline)
}
