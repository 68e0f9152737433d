#if !KINFOLK_BLOCKING
import KinfolkThreads

/// Whether the task that waits for a call has been cancelled.
final class Cancellation: Sendable {
    private let isCancelled = Lock(false)

    func cancel() { isCancelled.withLock { $0 = true } }

    /// Throws ``KinfolkError/cancelled`` if the task was cancelled.
    func check() throws(KinfolkError) {
        if isCancelled.withLock(\.self) { throw .cancelled }
    }
}
#endif
