/// An object that has work to finish when the process ends.
package protocol ExitParticipant: AnyObject, Sendable {
    /// Finishes the work, and waits for others until `deadline` at most. Runs on a separate thread. Other threads still run.
    func finish(until deadline: Deadline)
}
