import Glibc

/// A value behind a mutex. Threads can also wait until the value has changed.
///
/// It uses `pthread_mutex_t` because ThreadSanitizer reports false races for `Synchronization.Mutex` on Linux.
package final class Lock<State>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    /// In separately allocated memory. Only the holder of the mutex accesses it, so Swift's check at each access is not needed.
    private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
    /// Made by the first thread that waits: on most locks no thread ever waits.
    private var changed: UnsafeMutablePointer<pthread_cond_t>?
    private let fork = Fork.generation
    private var waiting = 0

    package init(_ state: State) {
        self.state.initialize(to: state)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        // In a forked child the mutex may be held by a thread that does not exist there: it stays until the end of the process.
        if fork == Fork.generation {
            if let changed {
                pthread_cond_destroy(changed)
                changed.deallocate()
            }
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// Runs `body` with exclusive access to the state.
    ///
    /// - Parameter waking: Which of the waiting threads look at the changed state.
    package func withLock<Result, Failure: Error>(
        waking: Waking = .all,
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let isLocked = lock()
        defer { if isLocked { unlock(waking) } }
        return try body(&state.pointee)
    }

    /// Runs `body` with exclusive access to the state, or returns nil if another thread holds the lock until `deadline`.
    package func withLock<Result, Failure: Error>(
        until deadline: Deadline,
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        while pthread_mutex_trylock(mutex) != 0 {
            if deadline.hasPassed { return nil }
            Thread.sleep(seconds: 0.001)
        }
        defer { unlock() }
        return try body(&state.pointee)
    }

    /// Locks. Returns false in a forked child if another thread of the parent held the lock when it forked: that thread does
    /// not exist in the child, so it changes nothing.
    private func lock() -> Bool {
        guard fork != Fork.generation else { return pthread_mutex_lock(mutex) == 0 }
        let deadline = Deadline(in: 1)
        while pthread_mutex_trylock(mutex) != 0 {
            if deadline.hasPassed { return false }
            Thread.sleep(seconds: 0.001)
        }
        return true
    }

    /// Waits until `isReady` holds and then runs `body`, or returns nil when `deadline` has passed.
    ///
    /// - Parameter waking: Which of the other waiting threads look at the state that `body` has changed.
    package func withLock<Result, Failure: Error>(
        when isReady: (State) -> Bool,
        until deadline: Deadline,
        waking: Waking = .all,
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        pthread_mutex_lock(mutex)
        defer { unlock(waking) }
        while !isReady(state.pointee) {
            waiting += 1
            let timedOut = wait(until: deadline) == ETIMEDOUT
            waiting -= 1
            if timedOut && !isReady(state.pointee) { return nil }
        }
        return try body(&state.pointee)
    }

    private func wait(until deadline: Deadline) -> Int32 {
        let changed = condition()
        guard var time = deadline.timespec else { return pthread_cond_wait(changed, mutex) }
        return pthread_cond_timedwait(changed, mutex, &time)
    }

    private func condition() -> UnsafeMutablePointer<pthread_cond_t> {
        if let changed { return changed }
        let new = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(new, &attributes)
        pthread_condattr_destroy(&attributes)
        changed = new
        return new
    }

    private func unlock(_ waking: Waking = .all) {
        if waiting > 0, let changed {
            switch waking {
            case .all: pthread_cond_broadcast(changed)
            case .one: pthread_cond_signal(changed)
            case .none: break
            }
        }
        pthread_mutex_unlock(mutex)
    }

    /// Holds the mutex across a `fork`, so that no other thread is in the middle of a change while the process is copied.
    package func lockForFork<Result>(_ body: (inout State) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        return body(&state.pointee)
    }

    package func unlockAfterFork(_ body: (inout State) -> Void = { _ in }) {
        body(&state.pointee)
        pthread_mutex_unlock(mutex)
    }
}
