#if !KINFOLK_BLOCKING
import KinfolkThreads

extension Service {
    private static let openers = WorkerPool(limit: 4)

    /// The call that blocks, for async callers: it waits on a thread of Kinfolk's own.
    public static func open(
        _ path: String,
        key: KeySource = .besideStore,
        existingOnly: Bool = false,
        wait: Double = 30,
        requiresLockedMemory: Bool = false
    ) async throws(KinfolkError) -> Service {
        try await onOpener {
            try Service.open(
                path,
                key: key,
                existingOnly: existingOnly,
                wait: wait,
                requiresLockedMemory: requiresLockedMemory
            )
        }
    }

    /// Runs a call that blocks, and needs no service yet, on a thread of Kinfolk's own.
    static func onOpener<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(KinfolkError) -> Result {
        try await openers.result(of: body)
    }

    /// Runs a call that blocks on a thread of the service's own, so that it holds up none of the cooperative pool.
    ///
    /// In a closure that is not `async`, the compiler takes the form of a call that blocks.
    func async<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) async throws(KinfolkError) -> Result {
        try await workers.result(of: body)
    }
}

extension WorkerPool {
    fileprivate func result<Result: Sendable>(
        of body: @escaping @Sendable () throws -> Result
    ) async throws(KinfolkError) -> Result {
        let outcome = await withCheckedContinuation { continuation in
            run { continuation.resume(returning: Swift.Result(catching: body)) }
        }
        do { return try outcome.get() } catch { throw KinfolkError(error) }
    }
}
#endif
