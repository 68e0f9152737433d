import KinfolkModel
import KinfolkRecords
import Testing

/// Positions of an ordered list: each insertion finds a place, and few entries are moved.
@Suite("Positions of an order") struct OrderPositionsTests {
    /// A list in memory.
    private struct List {
        private(set) var positions: [Int64] = []
        private(set) var moved = 0

        /// Inserts an entry before the one with this index, and checks each step.
        mutating func insert(at index: Int) throws {
            let place = try OrderPositions.place(
                after: index > 0 ? positions[index - 1] : nil,
                before: index < positions.count ? positions[index] : nil
            ) { limit in
                OrderPositions.Neighbours(
                    below: positions[..<index].suffix(limit).reversed(),
                    above: Array(positions[index...].prefix(limit))
                )
            }
            for move in place.moves {
                let old = try #require(positions.firstIndex(of: move.from))
                try #require(!positions.contains(move.to))
                positions[old] = move.to
            }
            moved += place.moves.count
            positions.insert(place.position, at: index)
            try #require(index == 0 || positions[index - 1] < place.position)
            try #require(index + 1 == positions.count || place.position < positions[index + 1])
        }
    }

    @Test(arguments: ["ascending", "descending"]) func sortedInsertionsMoveNothing(order: String) throws {
        var list = List()
        for count in 0..<2_000 { try list.insert(at: order == "ascending" ? count : 0) }
        #expect(list.moved == 0)
        #expect(list.positions.allSatisfy(OrderPositions.all.contains))
    }

    @Test(arguments: [0, 1, 2, 3, 4]) func anyOrderOfInsertionsMovesFewEntries(order: Int) throws {
        var random = Sequence(state: UInt64(order) + 1)
        var list = List()
        let count = 1_500
        for entries in 0..<count {
            switch order {
            case 0: try list.insert(at: Int(random.next() % UInt64(entries + 1)))
            // Always the same gap: in the middle, after the first entry, before the last one, and before the tenth.
            case 1: try list.insert(at: entries / 2)
            case 2: try list.insert(at: min(1, entries))
            case 3: try list.insert(at: max(0, entries - 1))
            default: try list.insert(at: min(10, entries))
            }
        }
        #expect(zip(list.positions, list.positions.dropFirst()).allSatisfy { $0 < $1 })
        #expect(list.positions.allSatisfy(OrderPositions.all.contains))
        // The logarithm of the count is 10.6.
        #expect(list.moved < 12 * count)
        #expect(order == 0 || list.moved > 0)
    }

    @Test func bothEndsOfAllPositionsCanBeUsed() throws {
        for end in [OrderPositions.all.lowerBound, OrderPositions.all.upperBound - 1] {
            var positions = [end]
            for _ in 0..<200 {
                let isLow = end == 0
                let place = try OrderPositions.place(
                    after: isLow ? nil : positions.last,
                    before: isLow ? positions.first : nil
                ) { limit in
                    OrderPositions.Neighbours(
                        below: isLow ? [] : positions.suffix(limit).reversed(),
                        above: isLow ? Array(positions.prefix(limit)) : []
                    )
                }
                for move in place.moves { positions[try #require(positions.firstIndex(of: move.from))] = move.to }
                positions.insert(place.position, at: isLow ? 0 : positions.count)
                try #require(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
                try #require(positions.allSatisfy(OrderPositions.all.contains))
            }
        }
    }

    @Test func equalGapsGiveEqualPlaces() throws {
        let place = try OrderPositions.place(after: 10, before: 20) { _ in throw Unexpected() }
        #expect(place.position == 15)
        #expect(
            try OrderPositions.place(after: nil, before: nil) { _ in throw Unexpected() }.position
                == OrderPositions.first
        )
    }

    private struct Unexpected: Error {}

    @Test(
        arguments: [
            (-1, nil), (nil, -1), (Int64.min, Int64.max), (nil, Int64.max), (Int64.max, nil), (5, 5), (6, 5),
            (1 << 62, nil),
        ] as [(Int64?, Int64?)]
    )
    func damagedNeighboursAreReported(lower: Int64?, upper: Int64?) {
        #expect(throws: KinfolkError(.storeCorrupt, "")) {
            try OrderPositions.place(after: lower, before: upper) { _ in OrderPositions.Neighbours(below: [], above: [])
            }
        }
    }

    @Test(
        arguments: [
            ([7, 7], [8]), ([6], [8]), ([7], [9]), ([7, 6], [8, 8]), ([7, 8], [8]), ([7, -1], [8]),
            ([7], [8, Int64.max]), ([], []),
        ] as [([Int64], [Int64])]
    )
    func aDamagedSurroundingIsReported(below: [Int64], above: [Int64]) {
        #expect(throws: KinfolkError(.storeCorrupt, "")) {
            try OrderPositions.place(after: 7, before: 8) { _ in OrderPositions.Neighbours(below: below, above: above) }
        }
    }

    /// Numbers that are the same in each run.
    private struct Sequence {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
