/// Divides the records of a scope, by their numbers, so that writers on several servers seldom change the same row for a common word.
///
/// A service uses the numbers of new records a thousand at a time, so most of its records are in one lane for some time.
struct PostingLanes: Sendable {
    private static let run: Int64 = 1_000

    /// How many there are.
    let count: Int64

    /// A private database has one writer at a time. So have the records of one creator. A SQLite store has one writer too, but may
    /// be copied to a server, and its rows with it.
    init(of scope: IndexScope.Key) { count = scope.owner.isEmpty ? 8 : 1 }

    var all: Range<UInt8> { 0..<UInt8(truncatingIfNeeded: count) }

    /// The lane of a record, and its position among those of the lane. A record's number is not negative.
    func position(of number: Int64) -> (lane: UInt8, position: Int64) {
        let (run, rest) = number.quotientAndRemainder(dividingBy: PostingLanes.run)
        let (position, lane) = run.quotientAndRemainder(dividingBy: count)
        return (UInt8(truncatingIfNeeded: lane), position * PostingLanes.run + rest)
    }

    /// The positions of records, for each lane in order.
    ///
    /// - Parameter numbers: In order.
    func positions(of numbers: [Int64]) -> [[Int64]] {
        var positions = [[Int64]](repeating: [], count: all.count)
        for number in numbers {
            let (lane, position) = position(of: number)
            positions[Int(lane)].append(position)
        }
        return positions
    }

    /// The numbers of records, in order.
    ///
    /// - Parameter positions: For each lane, in order.
    func numbers(_ positions: [[Int64]]) -> [Int64] {
        guard positions.count > 1 else { return positions.first ?? [] }
        var numbers: [Int64] = []
        numbers.reserveCapacity(positions.reduce(0) { $0 + $1.count })
        var rests = positions.map { $0[...] }
        while let next = rests.lazy.compactMap(\.first).min() {
            // The runs of all lanes that are in the same round.
            let round = next / PostingLanes.run
            let end = (round &+ 1) &* PostingLanes.run
            for lane in rests.indices {
                let offset = (round &* (count - 1) &+ Int64(lane)) &* PostingLanes.run
                while let position = rests[lane].first, position < end {
                    numbers.append(position &+ offset)
                    rests[lane].removeFirst()
                }
            }
        }
        return numbers
    }
}
