import KinfolkCore

/// The progress of a container's directory: how many rows each of its lanes has ever had, including deleted ones.
///
/// A service adds all its rows to one lane, so that two concurrent writers do not wait for each other at one counter. A row's
/// sequence number consists of its lane and a count that is higher than that of all earlier rows in the lane.
package struct DirectoryProgress: Equatable {
    package static let laneCount = Service.laneCount
    private static let numberBits: Int64 = 56
    /// The maximum number of rows that a lane can ever have had.
    package static let maximumCount: Int64 = 1 << numberBits - 1

    package private(set) var counts = [Int64](repeating: 0, count: laneCount)

    package init() {}

    /// The number of rows in all lanes. It never decreases, so it shows which of two states of the store is newer.
    package var total: Int64 { counts.reduce(0, &+) }

    /// Ignores invalid lanes, which a store that was edited without the key may have.
    package mutating func set(_ count: Int64, of lane: Int64) {
        guard (0..<Int64(DirectoryProgress.laneCount)).contains(lane) else { return }
        counts[Int(lane)] = min(max(count, 0), DirectoryProgress.maximumCount)
    }

    /// The sequence number of the row that raised a lane's count to `count`.
    package static func sequence(_ count: Int64, of lane: Int) -> Int64 { Int64(lane) << numberBits | count }

    /// The sequence numbers after `earlier` in each lane: `first` is exclusive, `last` is inclusive.
    package func ranges(after earlier: DirectoryProgress) -> [(first: Int64, last: Int64)] {
        counts.indices.filter { counts[$0] > earlier.counts[$0] }.map { lane in
            (
                DirectoryProgress.sequence(earlier.counts[lane], of: lane),
                DirectoryProgress.sequence(counts[lane], of: lane)
            )
        }
    }

    /// The progress after `rows` more rows on the way to `end`, or `end`.
    package func advanced(by rows: Int64, to end: DirectoryProgress) -> DirectoryProgress {
        var (progress, rows) = (self, rows)
        for lane in counts.indices where end.counts[lane] > counts[lane] {
            let step = min(rows, end.counts[lane] - counts[lane])
            progress.counts[lane] += step
            rows -= step
        }
        return progress
    }

    /// The maximum of both in each lane.
    package func union(_ other: DirectoryProgress) -> DirectoryProgress {
        var progress = self
        for lane in counts.indices { progress.counts[lane] = max(counts[lane], other.counts[lane]) }
        return progress
    }
}
