/// A few threads that run blocking work, so that it does not block Swift's cooperative pool.
///
/// Threads start when work comes, and end when there was no work for some time.
package final class WorkerPool: Sendable {
    private struct State {
        var jobs = FIFO<@Sendable () -> Void>()
        var threads = 0
        var idle = 0
    }

    private let state = Lock(State())
    private let limit: Int
    private let fork = Fork.generation
    private static let patience = 5.0

    package init(limit: Int) { self.limit = limit }

    /// Runs `job` on one of the threads. If the system cannot start any thread, it runs on the calling thread.
    package func run(_ job: @escaping @Sendable () -> Void) {
        // These threads do not exist in a forked child. There the job runs at once, and the calls in it fail.
        guard fork == Fork.generation else { return job() }
        // Waking all idle threads for each job would cost more than most jobs.
        let needsThread = state.withLock(waking: .one) { state in
            state.jobs.add(job)
            guard state.idle < state.jobs.count, state.threads < limit else { return false }
            state.threads += 1
            return true
        }
        guard needsThread else { return }
        // The thread keeps the state alive, not the pool, so that an idle pool is freed with its last owner.
        if Thread.start({ [state] in WorkerPool.work(state) }) { return }
        WorkerPool.work(state, patience: 0)
    }

    private static func work(_ state: Lock<State>, patience: Double = patience) {
        while true {
            state.withLock(waking: .none) { $0.idle += 1 }
            let job = state.withLock(when: { !$0.jobs.isEmpty }, until: Deadline(in: patience), waking: .none) {
                state in
                state.idle -= 1
                return state.jobs.take()
            }
            if let job {
                job?()
                continue
            }
            let leaves = state.withLock(waking: .none) { state in
                state.idle -= 1
                // A job may have arrived after the wait ended.
                if !state.jobs.isEmpty { return false }
                state.threads -= 1
                return true
            }
            if leaves { return }
        }
    }
}
