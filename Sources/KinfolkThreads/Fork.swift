import Glibc

/// What `fork()` means for this process.
///
/// The child has one thread and copies of all locks, in whatever state they were. So what was made before a fork is not
/// used after it in the child: whoever holds such things compares ``generation`` first.
package enum Fork {
    /// How many forks lie between the first process and this one.
    ///
    /// It changes only in a child that has a single thread as yet, so reading it needs no lock.
    nonisolated(unsafe) package private(set) static var generation: UInt32 = 0

    /// Tells `participant` of forks until ``unregister(_:)``. It is kept alive as long: a fork must not miss one that is
    /// going away on another thread.
    package static func register(_ participant: any ForkParticipant) {
        _ = handlers
        participants.withLock { $0.append(participant) }
    }

    package static func unregister(_ participant: any ForkParticipant) {
        participants.withLock { list in list.removeAll { $0 === participant } }
    }

    private static let participants = Lock<[any ForkParticipant]>([])

    /// The participants of the fork under way, kept alive until it is over. Guarded by the lock above.
    nonisolated(unsafe) private static var stopped: [any ForkParticipant] = []

    private static let handlers: Int32 = pthread_atfork(
        {
            Fork.stopped = Fork.participants.lockForFork { $0 }
            for participant in Fork.stopped { participant.prepareForFork() }
        },
        {
            for participant in Fork.stopped { participant.resumeAfterFork() }
            let stopped = Fork.stopped
            Fork.stopped = []
            Fork.participants.unlockAfterFork()
            // Here the last reference to one of them may go, outside of the lock.
            _ = stopped
        },
        {
            Fork.generation &+= 1
            // What the child inherited stays stopped, and has no part in forks of its own.
            Fork.participants.unlockAfterFork { $0.removeAll() }
            Fork.stopped = []
            Exit.forgetAfterFork()
        }
    )
}

/// Something that must be at rest while the process forks.
package protocol ForkParticipant: AnyObject, Sendable {
    /// Comes to rest, and stays there until ``resumeAfterFork()``. Runs on the thread that forks.
    func prepareForFork()

    /// Goes on, in the parent. In the child nothing is called: there a participant is never used again.
    func resumeAfterFork()
}
