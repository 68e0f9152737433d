import KinfolkModel

/// Positions in an ordered list whose entries do not say what they are ordered by: whole numbers of 62 bits with gaps between them.
///
/// A new entry takes the middle of its gap. If the gap is used up, the entries of the smallest range around it that is sparse enough
/// are spread evenly (Bender, Cole, Demaine, Farach-Colton, Zito: Two Simplified Algorithms for Maintaining Order in a List, 2002).
/// In any order of insertions, an insertion moves O(log n) entries on average.
package enum OrderPositions {
    /// All positions.
    package static let all: Range<Int64> = 0..<1 << 62
    private static let bits = 62
    /// The position of the first entry. Values that arrive in their order, such as dates, leave a gap of ``step`` each.
    package static let first: Int64 = 1 << 61
    package static let step: Int64 = 1 << 32
    /// A range of 2^n positions may have this number to the power of n entries. With 1.45, the list is full at more than 4,000,000,000
    /// entries.
    private static let growth = 1.45
    /// How many entries on each side of a full gap are read first.
    private static let nearest = 32

    /// The entries next to a gap: `below` it, from high to low, and `above` it, from low to high.
    package struct Neighbours {
        package let below: [Int64]
        package let above: [Int64]

        package init(below: [Int64], above: [Int64]) {
            self.below = below
            self.above = above
        }
    }

    package struct Move: Equatable {
        package let from: Int64
        package let to: Int64
    }

    /// The place of a new entry.
    package struct Place {
        package let position: Int64
        /// What has to be moved first, in this order: then no two entries ever have the same position.
        package let moves: [Move]
    }

    /// The place for a new entry between two neighbours; nil for the ends of the list.
    ///
    /// - Parameter neighbours: Returns at most as many entries on each side as it is asked for, and fewer only if there are no more.
    ///   It is called if the gap is full.
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if a position is out of range or out of order.
    package static func place(
        after lower: Int64?,
        before upper: Int64?,
        _ neighbours: (_ limit: Int) throws -> Neighbours
    ) throws -> Place {
        try check([lower, upper].compactMap { $0 }, isAscending: true)
        if let position = middle(lower, upper) { return Place(position: position, moves: []) }
        var limit = nearest
        while true {
            let around = try neighbours(limit)
            try check(around.below, isAscending: false)
            try check(around.above, isAscending: true)
            guard around.below.first == lower, around.above.first == upper else { throw damaged }
            if let place = spread(around, limit) { return place }
            let hasAll = around.below.count < limit && around.above.count < limit
            guard !hasAll, limit < 1 << 40 else {
                throw KinfolkError(.limitExceeded, "A SORTABLE field has too many values.")
            }
            limit *= 4
        }
    }

    /// The middle of a gap; nil if it has no free position.
    private static func middle(_ lower: Int64?, _ upper: Int64?) -> Int64? {
        switch (lower, upper) {
        case (nil, nil): return first
        case (let lower?, nil) where lower < all.upperBound - step: return lower + step
        case (nil, let upper?) where upper >= step: return upper - step
        default:
            let (low, high) = (lower ?? all.lowerBound - 1, upper ?? all.upperBound)
            return high - low > 1 ? low + (high - low) / 2 : nil
        }
    }

    /// Spreads the entries of the smallest range that has room for one more; nil if that range has entries that are not known.
    private static func spread(_ around: Neighbours, _ limit: Int) -> Place? {
        guard let centre = around.below.first ?? around.above.first else { return nil }
        // All entries between these are known.
        let lowest = around.below.count < limit ? all.lowerBound : around.below.last ?? all.lowerBound
        let highest = around.above.count < limit ? all.upperBound - 1 : around.above.last ?? all.upperBound - 1
        var capacity = 1.0
        var (below, above) = (0, 0)
        for level in 1...bits {
            capacity *= growth
            let size: Int64 = 1 << level
            let start = centre & ~(size - 1)
            let end = start + (size - 1)
            guard start >= lowest, end <= highest else { return nil }
            while below < around.below.count, around.below[below] >= start { below += 1 }
            while above < around.above.count, around.above[above] <= end { above += 1 }
            let count = below + above + 1
            guard Double(count) <= capacity else { continue }
            let entries = around.below[..<below].reversed() + around.above[..<above]
            let space = size / Int64(count)
            let place = { (index: Int) in start + space / 2 + Int64(index) * space }
            let moves = entries.enumerated().map { index, old in
                Move(from: old, to: place(index < below ? index : index + 1))
            }
            return Place(position: place(below), moves: ordered(moves))
        }
        return nil
    }

    /// Entries that move down, from the lowest, and then those that move up, from the highest. The place of each is free then, because
    /// the moves do not change the order.
    private static func ordered(_ moves: [Move]) -> [Move] {
        moves.filter { $0.to < $0.from } + moves.reversed().filter { $0.to > $0.from }
    }

    private static func check(_ positions: [Int64], isAscending: Bool) throws {
        guard positions.allSatisfy(all.contains),
            zip(positions, positions.dropFirst()).allSatisfy({ isAscending ? $0 < $1 : $0 > $1 })
        else { throw damaged }
    }

    private static var damaged: KinfolkError {
        KinfolkError.damaged("The positions of a SORTABLE index are not valid.")
    }
}
