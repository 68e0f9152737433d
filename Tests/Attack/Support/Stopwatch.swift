import KinfolkThreads

/// Measures on the monotonic clock.
struct Stopwatch {
    private let start = Deadline.now

    var nanoseconds: UInt64 { Deadline.now - start }
    var seconds: Double { Double(nanoseconds) / 1_000_000_000 }
}
