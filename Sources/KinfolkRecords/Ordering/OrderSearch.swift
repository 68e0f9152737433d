import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Finds the gap of an ordered list to which a key belongs: that of a new record, or the place where a query begins.
///
/// An entry shows its order only when its record is opened, so this is a binary search. Each round asks for several entries at once: a
/// server answers a round in one round trip. Each entry that is opened halves the range of positions, or is its last.
struct OrderSearch {
    /// How many entries a round asks for, besides the two ends.
    private static let pivots: Int64 = 31

    private let key: OrderKey
    /// Whether the list may have the key already. It is below the gap then.
    private let mayExist: Bool
    private let field: String
    /// How many records were opened.
    private(set) var openedCount = 0
    private let list: OrderTable.List
    private let db: Connection
    /// The highest entry that is known to come before the gap.
    private(set) var lower: Int64?
    /// The lowest entry that is known to come after it.
    private(set) var upper: Int64?
    /// What is not known yet lies between these: `bottom ..< top`.
    private var bottom = OrderPositions.all.lowerBound
    private var top = OrderPositions.all.upperBound

    /// - Parameter field: The name of the field.
    init(_ key: OrderKey, mayExist: Bool = false, _ field: String, _ list: OrderTable.List, _ db: Connection) {
        self.key = key
        self.mayExist = mayExist
        self.field = field
        self.list = list
        self.db = db
    }

    mutating func run() throws {
        var isFirst = true
        while bottom < top {
            let pivots = isFirst ? OrderSearch.aroundFirst : evenly()
            isFirst = false
            try db.askAhead { [bottom, top] in
                _ = try OrderTable.last(before: top, of: list, db)
                for pivot in [bottom] + pivots { _ = try OrderTable.first(from: pivot, of: list, db) }
            }
            if try narrowFromEnds() { return }
            try narrow(by: pivots[...])
        }
    }

    /// Compares with the last and the first entry of the range. True if nothing is left between.
    private mutating func narrowFromEnds() throws -> Bool {
        guard let last = try OrderTable.last(before: top, of: list, db), last.entry.position >= bottom else {
            return true
        }
        if try isBelow(last) {
            lower = last.entry.position
            return true
        }
        (upper, top) = (last.entry.position, last.entry.position)
        guard let first = try OrderTable.first(from: bottom, of: list, db), first.entry.position < top else {
            return true
        }
        guard try isBelow(first) else {
            upper = first.entry.position
            return true
        }
        (lower, bottom) = (first.entry.position, first.entry.position + 1)
        return false
    }

    private mutating func narrow(by pivots: ArraySlice<Int64>) throws {
        var pivots = pivots
        while !pivots.isEmpty {
            let middle = pivots.startIndex + pivots.count / 2
            let pivot = pivots[middle]
            if pivot >= top { pivots = pivots[..<middle]; continue }
            if pivot < bottom { pivots = pivots[(middle + 1)...]; continue }
            guard let found = try OrderTable.first(from: pivot, of: list, db), found.entry.position < top else {
                top = pivot
                continue
            }
            if try isBelow(found) {
                (lower, bottom) = (found.entry.position, found.entry.position + 1)
            } else {
                (upper, top) = (found.entry.position, pivot)
            }
        }
    }

    private mutating func isBelow(_ found: OrderTable.OpenEntry) throws -> Bool {
        openedCount += 1
        guard OrderPositions.all.contains(found.entry.position),
            let other = OrderKey(of: found.content, number: found.entry.number, in: field), mayExist || other != key
        else { throw KinfolkError.damaged("A SORTABLE index does not agree with the records.") }
        return other <= key
    }

    private func evenly() -> [Int64] {
        let distance = max(1, (top - bottom) / (OrderSearch.pivots + 1))
        return (1...OrderSearch.pivots).map { bottom + $0 * distance }.filter { $0 < top }
    }

    /// A list grows from its first position to both sides.
    private static let aroundFirst: [Int64] = {
        let distances = stride(from: Int64(32), through: 60, by: 2).map { Int64(1) << $0 }
        return distances.reversed().map { OrderPositions.first - $0 } + [OrderPositions.first]
            + distances.map { OrderPositions.first + $0 }
    }()
}
