import Glibc

/// Handles `fork()` in this process.
///
/// The child has one thread, and copies of all locks in the state that they had. So the child must not use objects that were made
/// before the fork: their code compares ``generation`` first.
package enum Fork {
    /// The number of forks between the first process and this one.
    ///
    /// It changes only in a child that still has a single thread, so reading it needs no lock.
    nonisolated(unsafe) package private(set) static var generation: UInt32 = 0

    /// Notifies `participant` of forks until ``unregister(_:)``. The list keeps it alive until then: a fork must not miss a
    /// participant that another thread is just releasing.
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
            // This may release the last reference to a participant, so it happens outside of the lock.
            _ = stopped
        },
        {
            Fork.generation &+= 1
            // Inherited participants stay stopped, and take no part in forks of the child.
            Fork.participants.unlockAfterFork { $0.removeAll() }
            Fork.stopped = []
            Exit.forgetAfterFork()
        }
    )
}
