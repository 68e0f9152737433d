import Glibc

/// The clock that measures work.
enum Stopwatch {
    /// The processor time of all threads of this process. It does not include the work of other programs. Use it for work that
    /// does not wait.
    case processor
    /// The processor time of child processes that have ended.
    case children
    /// Wall-clock time: for work that waits for the disk or for other threads.
    case wall

    /// How long `body` takes, in seconds.
    func time(_ body: () throws -> Void) rethrows -> Double {
        let start = now
        try body()
        return now - start
    }

    /// The seconds that the clock shows.
    var now: Double {
        switch self {
        case .processor: Stopwatch.seconds(CLOCK_PROCESS_CPUTIME_ID)
        case .children: Stopwatch.secondsOfChildren
        case .wall: Stopwatch.seconds(CLOCK_MONOTONIC)
        }
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    private static var secondsOfChildren: Double {
        var usage = rusage()
        getrusage(RUSAGE_CHILDREN.rawValue, &usage)
        return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) * 1e-6 }
    }
}
