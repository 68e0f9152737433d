#if !KINFOLK_BLOCKING
package import KinfolkModel
import KinfolkThreads

extension Service {
    static let openers = WorkerPool(limit: 4)

    /// Runs a blocking call that needs no service yet on a thread of Kinfolk's own.
    package static func onOpener<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(KinfolkError) -> Result {
        try await openers.result { _ in try body() }
    }

    /// Like the other overload, for a call that reports progress: `body` checks for cancellation at each report, so the call ends soon
    /// after its task was cancelled.
    package static func onOpener<Result: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws(KinfolkError) -> Result {
        try await openers.result(of: body)
    }

    /// Runs a blocking call on a thread of the service, so that it does not block the cooperative pool.
    ///
    /// If the task was cancelled before the call began, the call does nothing and throws ``KinfolkError/cancelled``. A call that
    /// has begun completes as if the task were not cancelled, so it is always known whether a change was made.
    ///
    /// In a closure that is not `async`, the compiler chooses the blocking form.
    package func async<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(KinfolkError) -> Result {
        try await workers.result { _ in try body() }
    }

    /// Like the other overload, for a call that reports progress: `body` checks for cancellation at each report, so the call ends soon
    /// after its task was cancelled.
    package func async<Result: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws(KinfolkError) -> Result {
        try await workers.result(of: body)
    }
}

extension WorkerPool {
    fileprivate func result<Result: Sendable>(
        of body: @escaping @Sendable (Cancellation) throws -> Result
    ) async throws(KinfolkError) -> Result {
        let cancellation = Cancellation()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                run {
                    continuation.resume(
                        returning: Swift.Result {
                            try cancellation.check()
                            return try body(cancellation)
                        }
                    )
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        do { return try outcome.get() } catch { throw KinfolkError(error) }
    }
}
#endif
