#if !KINFOLK_BLOCKING
package import KinfolkModel
import KinfolkThreads

/// Whether the task that waits for a call has been cancelled.
package final class Cancellation: Sendable {
    private let isCancelled = Lock(false)

    func cancel() { isCancelled.withLock { $0 = true } }

    /// Throws ``KinfolkError/cancelled`` if the task was cancelled.
    package func check() throws(KinfolkError) {
        if isCancelled.withLock(\.self) { throw .cancelled }
    }
}
#endif
