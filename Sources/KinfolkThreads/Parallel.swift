import Glibc

/// Work that is divided among the cores.
package enum Parallel {
    /// How many cores the system may run threads on now.
    package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    private struct State<Failure: Error> {
        var next = 0
        var running = 0
        var failure: (part: Int, error: Failure)?
    }

    /// Runs `body` for each part of `0..<count`, on at most `threads` threads at the same time, and returns when all parts are done.
    ///
    /// The size of a part is within `sizes`: the largest with one thread, smaller with several, so that all threads end at about
    /// the same time. The calling thread is one of them, and a single part runs on it alone. It never waits for a part that no
    /// thread has begun, so all parts are done also if the system cannot start a thread.
    ///
    /// After a failure no further part begins. The error that is thrown does not depend on the speed of the threads: it is the
    /// failure of the first part that failed.
    package static func forEachPart<Failure: Error>(
        of count: Int,
        sizes: ClosedRange<Int>,
        threads: Int,
        start: (@escaping @Sendable () -> Void) -> Bool = Thread.start,
        _ body: @escaping @Sendable (Range<Int>) throws(Failure) -> Void
    ) throws(Failure) {
        guard count > 0 else { return }
        let threads = max(threads, 1)
        let share = threads == 1 ? count : (count - 1) / threads / 4 + 1
        let size = max(min(max(share, sizes.lowerBound), sizes.upperBound), 1)
        let parts = (count - 1) / size + 1
        let state = Lock(State<Failure>())
        @Sendable func work() {
            while true {
                let part = state.withLock { state -> Int? in
                    guard state.next < parts, state.failure == nil else { return nil }
                    defer { state.next += 1 }
                    state.running += 1
                    return state.next
                }
                guard let part else { return }
                var failure: Failure?
                do throws(Failure) { try body(part * size..<min(part * size + size, count)) } catch { failure = error }
                state.withLock { state in
                    state.running -= 1
                    // Parts begin in order, so all parts before a failed one are done or running.
                    if let failure, part < state.failure?.part ?? parts { state.failure = (part, failure) }
                }
            }
        }
        for _ in 1..<max(min(threads, parts), 1) where !start(work) { break }
        work()
        // A thread that starts later finds no part, and does not touch the data of `body`.
        let failure = state.withLock(when: { $0.running == 0 }, until: .never) { $0.failure }
        if let failure = failure ?? nil { throw failure.error }
    }
}
