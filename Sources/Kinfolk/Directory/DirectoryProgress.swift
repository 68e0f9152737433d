/// How far a container's directory has come: how many rows each of its lanes has had, those that are gone included.
///
/// A service puts its rows into one lane, so that two that write at the same time do not wait for each other at one counter. A
/// row's sequence is its lane, and above all rows before it in that lane.
struct DirectoryProgress: Equatable {
    static let laneCount = 16
    private static let numberBits: Int64 = 56
    /// How many rows a lane can have had.
    static let maximumCount: Int64 = 1 << numberBits - 1

    private(set) var counts = [Int64](repeating: 0, count: laneCount)

    /// How many rows there were in all. It grows with each state of the store, so it tells which of two is newer.
    var total: Int64 { counts.reduce(0, &+) }

    /// Of a store that was written from outside, what is no lane counts for nothing.
    mutating func set(_ count: Int64, of lane: Int64) {
        guard (0..<Int64(DirectoryProgress.laneCount)).contains(lane) else { return }
        counts[Int(lane)] = min(max(count, 0), DirectoryProgress.maximumCount)
    }

    /// The sequence of the row that made a lane so long.
    static func sequence(_ count: Int64, of lane: Int) -> Int64 { Int64(lane) << numberBits | count }

    /// What came after `earlier` in each lane: the sequence before, and the last one.
    func ranges(after earlier: DirectoryProgress) -> [(first: Int64, last: Int64)] {
        counts.indices.filter { counts[$0] > earlier.counts[$0] }.map { lane in
            (
                DirectoryProgress.sequence(earlier.counts[lane], of: lane),
                DirectoryProgress.sequence(counts[lane], of: lane)
            )
        }
    }

    /// So many rows closer to `end`, or there.
    func advanced(by rows: Int64, to end: DirectoryProgress) -> DirectoryProgress {
        var (progress, rows) = (self, rows)
        for lane in counts.indices where end.counts[lane] > counts[lane] {
            let step = min(rows, end.counts[lane] - counts[lane])
            progress.counts[lane] += step
            rows -= step
        }
        return progress
    }

    /// The further of both in each lane.
    func union(_ other: DirectoryProgress) -> DirectoryProgress {
        var progress = self
        for lane in counts.indices { progress.counts[lane] = max(counts[lane], other.counts[lane]) }
        return progress
    }
}
