import KinfolkStorage
package import KinfolkThreads

/// A thread that does work in batches, each in a transaction of its own, so that others can write in between.
///
/// It runs while there is work: after a change that makes some, and when a service finds work that another one left.
package final class BatchThread: Sendable {
    /// Does the next part of the work, and waits for other writers until the deadline. False if nothing is left.
    package typealias Batch = @Sendable (Deadline?) throws -> Bool

    private struct State {
        /// What the thread does; nil if it does not run.
        var batch: Batch?
        /// Whether there may be more work since the thread last looked for some.
        var isRequested = false
        var isStopping = false
        /// The thread that runs; 0 if none does.
        var thread: UInt = 0
    }

    /// How long a batch waits for other writers before the thread looks whether it must end.
    private static let patience = 2.0
    /// How long to wait after a batch, so that waiting writers have their turn.
    private static let pause = 0.003
    /// How long it waits after an error.
    private static let longPause = 0.2

    private let state = Lock(State())
    private let fork = Fork.generation

    package init() {}

    /// Starts the thread if it does not run. It does not keep a service open, so `batch` must not either.
    package func start(_ batch: @escaping Batch) {
        guard fork == Fork.generation else { return }
        let isNeeded = state.withLock { state in
            state.isRequested = true
            guard state.batch == nil, !state.isStopping else { return false }
            state.batch = batch
            return true
        }
        if isNeeded && !Thread.start({ [self] in run() }) { state.withLock { $0.batch = nil } }
    }

    private func run() {
        state.withLock { $0.thread = Thread.current }
        while mayGoOn() { runBatches() }
    }

    /// Does all work that there is now. When it returns, the thread holds nothing of the batch.
    private func runBatches() {
        do {
            while let batch = state.withLock({ $0.isStopping ? nil : $0.batch }),
                try batch(Deadline(in: BatchThread.patience))
            {
                Thread.sleep(seconds: BatchThread.pause)
            }
        } catch  where BatchThread.mayPass(error) {
            state.withLock { $0.isRequested = true }
            _ = state.withLock(when: \.isStopping, until: Deadline(in: BatchThread.longPause)) { _ in }
        } catch {
            // A full disk, a damaged or a closed store. The next start tries again.
        }
    }

    /// Whether to look for work. Otherwise the thread has ended: a later start makes another one.
    private func mayGoOn() -> Bool {
        state.withLock { state in
            defer { state.isRequested = false }
            if state.isRequested, !state.isStopping { return true }
            (state.batch, state.thread) = (nil, 0)
            return false
        }
    }

    /// Whether an error is about other writers or the connection to a server.
    private static func mayPass(_ error: any Error) -> Bool {
        guard let error = error as? StorageError else { return false }
        switch error.kind {
        case .interrupted, .conflict, .busy, .inDoubt, .unreachable: return true
        default: return false
        }
    }

    /// Does all of the work on the calling thread, beside the thread of this or another service.
    package static func runAll(_ batch: (Deadline?) throws -> Bool) throws {
        while try batch(nil) { Thread.sleep(seconds: pause) }
    }

    /// Ends the thread after the present batch, which ends soon, or gives up.
    ///
    /// The thread itself may call it, without a wait: a batch that uses a service may hold the last reference to it, and so close it.
    package func stop() {
        guard fork == Fork.generation else { return }
        state.withLock { $0.isStopping = true }
        let own = Thread.current
        _ = state.withLock(when: { $0.batch == nil || $0.thread == own }, until: .never) { _ in }
    }
}
