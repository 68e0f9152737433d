#if !KINFOLK_BLOCKING
import KinfolkThreads

extension Service {
    private static let openers = WorkerPool(limit: 4)

    /// As the blocking form; it waits on a thread of Kinfolk's own.
    public static func open(
        _ path: String,
        key: KeySource = .besideStore,
        existingOnly: Bool = false,
        readOnly: Bool = false,
        wait: Double = 30,
        memory: MemoryLimits = .standard,
        requiresLockedMemory: Bool = false
    ) async throws(KinfolkError) -> Service {
        try await onOpener {
            try Service.open(
                path,
                key: key,
                existingOnly: existingOnly,
                readOnly: readOnly,
                wait: wait,
                memory: memory,
                requiresLockedMemory: requiresLockedMemory
            )
        }
    }

    /// Runs a call that blocks, and needs no service yet, on a thread of Kinfolk's own.
    static func onOpener<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(KinfolkError) -> Result {
        try await openers.result { _ in try body() }
    }

    /// Runs a call that blocks on a thread of the service's own, so that it holds up none of the cooperative pool.
    ///
    /// A task that was cancelled before the call began does nothing, and throws ``KinfolkError/cancelled``. A call that has begun
    /// ends as if nobody had cancelled it: whether a change was made is never left open.
    ///
    /// In a closure that is not `async`, the compiler takes the form of a call that blocks.
    func async<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(KinfolkError) -> Result {
        try await workers.result { _ in try body() }
    }

    /// The same for a call that tells progress: it asks `body`'s cancellation each time, and so ends soon after.
    func async<Result: Sendable>(
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
