import Glibc
import KinfolkThreads

/// Measures on the monotonic clock.
struct Stopwatch {
    private let start = Deadline.now

    var nanoseconds: UInt64 { Deadline.now - start }
    var seconds: Double { Double(nanoseconds) / 1_000_000_000 }
}

/// Measures the CPU time of this thread, which does not depend on other programs.
struct ComputingTime {
    private let start = ComputingTime.now

    var seconds: Double { ComputingTime.now - start }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }
}
