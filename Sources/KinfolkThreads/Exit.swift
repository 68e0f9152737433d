import Glibc

/// Lets participants finish their work when the process ends by `exit()` or by a return from `main`.
///
/// It does not run in a process that is killed or that calls `_exit()`.
package enum Exit {
    /// How many seconds the participants may wait for others, and how many the process waits for all participants.
    private static let (patience, limit) = (2.0, 5.0)

    /// Registers a participant, which is called when the process ends, until ``unregister(_:)``.
    ///
    /// - Parameter isLate: Whether the participant uses a library that may have been loaded after the first registration, and that
    ///   cleans up at exit: the participant is then called before that cleanup.
    package static func register(_ participant: any ExitParticipant, isLate: Bool = false) {
        _ = handler
        if isLate { _ = lateHandler }
        registry.withLock { $0.append(participant) }
    }

    package static func unregister(_ participant: any ExitParticipant) {
        registry.withLock { list in list.removeAll { $0 === participant } }
    }

    package static var participants: [any ExitParticipant] { registry.withLock(\.self) }

    /// The participants of this process; those that were registered before a fork belong to the parent. The variable changes only
    /// in a child that still has a single thread, so reading it needs no lock.
    nonisolated(unsafe) private static var registry = Lock<[any ExitParticipant]>([])

    /// When the process stops waiting. Its first use starts the time, for both handlers together.
    private static let end = Deadline(in: limit)

    private static let handler: Int32 = atexit { Exit.run() }
    private static let lateHandler: Int32 = atexit { Exit.run() }

    /// The registries of the processes from which this one was forked, kept because a lock that may be held must not be freed. It
    /// changes only in a child that still has a single thread.
    nonisolated(unsafe) private static var inherited: [Lock<[any ExitParticipant]>] = []

    /// Starts with an empty list in a forked child.
    static func forgetAfterFork() {
        // The lock may have been copied in the middle of a change, so it is never used again.
        inherited.append(registry)
        registry = Lock([])
    }

    /// Lets the participants finish, on a separate thread: if one of them hangs, for example on a lock that is never released, the
    /// process still ends.
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
