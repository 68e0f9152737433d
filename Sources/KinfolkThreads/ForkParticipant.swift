/// An object that must be at rest while the process forks.
package protocol ForkParticipant: AnyObject, Sendable {
    /// Comes to rest, and stays there until ``resumeAfterFork()``. Runs on the thread that forks.
    func prepareForFork()

    /// Resumes work, in the parent. Not called in the child, where a participant is never used again.
    func resumeAfterFork()
}
