import Glibc

/// By which work is measured.
enum Stopwatch {
    /// The processor time of all threads of this process. What other programs do in between is not in it, so it serves work
    /// that waits for nothing.
    case processor
    /// The time that passes: for work that waits, for the disk or for other threads.
    case wall

    /// How long `body` takes, in seconds.
    func time(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }

    private var now: Double {
        var time = timespec()
        clock_gettime(self == .wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
