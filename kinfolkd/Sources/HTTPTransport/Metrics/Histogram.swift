/// Counts durations in classes.
struct Histogram: Sendable {
    /// The upper bounds of the classes, in nanoseconds.
    static let bounds: [Int64] = [
        500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
        250_000_000, 500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000, 30_000_000_000,
    ]

    /// By class; the last is for all longer durations.
    private(set) var counts: [Int] = []
    private(set) var nanoseconds: Int64 = 0

    var count: Int { counts.reduce(0, +) }

    mutating func add(nanoseconds duration: Int64) {
        if counts.isEmpty { counts = [Int](repeating: 0, count: Histogram.bounds.count + 1) }
        counts[Histogram.bounds.firstIndex { duration <= $0 } ?? Histogram.bounds.count] += 1
        nanoseconds += duration
    }

    mutating func add(_ other: Histogram) {
        guard !other.counts.isEmpty else { return }
        if counts.isEmpty { counts = [Int](repeating: 0, count: Histogram.bounds.count + 1) }
        for index in counts.indices { counts[index] += other.counts[index] }
        nanoseconds += other.nanoseconds
    }
}
