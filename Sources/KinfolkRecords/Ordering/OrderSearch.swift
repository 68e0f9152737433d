import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Finds the gap of an ordered list to which a key belongs: that of a new record, or the place where a query begins.
///
/// An entry shows its order only when its record is opened, so this is a binary search. Each round asks for several entries at once: a
/// server answers a round in one round trip. Each entry that is opened halves the range of positions, or is its last.
///
/// An entry whose record cannot be read is passed over. It may be on either side of the gap, so one damaged record does not keep others
/// from being found and saved.
struct OrderSearch {
    /// How often such entries are passed over.
    private static let patience = 1_000

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
    /// How often an entry was passed over.
    private var passed = 0
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
        try search()
        // One that was passed over may be next to the gap.
        guard passed > 0 else { return }
        upper = try OrderTable.entries(after: lower ?? OrderPositions.all.lowerBound - 1, of: list, limit: 1, db).first?
            .position
    }

    private mutating func search() throws {
        try db.askAhead { [bottom, top] in
            _ = try OrderTable.last(before: top, of: list, db)
            for pivot in [bottom] + OrderSearch.aroundFirst {
                _ = try OrderTable.first(from: pivot, below: top, of: list, db)
            }
        }
        if try narrowFromEnds() { return }
        try narrow(by: OrderSearch.aroundFirst[...])
        while bottom < top {
            let pivots = evenly()
            try db.askAhead { [top] in
                _ = try OrderTable.entries(before: top, of: list, limit: 1, db)
                for pivot in pivots { _ = try OrderTable.first(from: pivot, below: top, of: list, db) }
            }
            // Most positions are free. To see that none is taken between two entries, no record is opened.
            guard let last = try OrderTable.entries(before: top, of: list, limit: 1, db).first, last.position >= bottom
            else { return }
            top = last.position + 1
            try narrow(by: pivots[...])
        }
    }

    /// Compares with the last and the first entry of the range. True if nothing is left between.
    private mutating func narrowFromEnds() throws -> Bool {
        guard let last = try lastReadable(), last.entry.position >= bottom else { return true }
        if try isBelow(last) {
            lower = last.entry.position
            return true
        }
        (upper, top) = (last.entry.position, last.entry.position)
        guard let first = try firstReadable(from: bottom) else { return true }
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
            guard let found = try firstReadable(from: pivot) else {
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

    private mutating func firstReadable(from position: Int64) throws -> OrderTable.OpenEntry? {
        var next = try OrderTable.first(from: position, below: top, of: list, db)
        while let found = next, found.content == nil {
            try pass()
            next = try OrderTable.first(from: found.entry.position + 1, below: top, of: list, db)
        }
        return next
    }

    private mutating func lastReadable() throws -> OrderTable.OpenEntry? {
        var next = try OrderTable.last(before: top, of: list, db)
        while let found = next, found.content == nil {
            try pass()
            next = try OrderTable.last(before: found.entry.position, of: list, db)
        }
        return next
    }

    private mutating func pass() throws {
        passed += 1
        guard passed <= OrderSearch.patience else {
            throw KinfolkError.damaged("The records of a SORTABLE index cannot be read.")
        }
    }

    private mutating func isBelow(_ found: OrderTable.OpenEntry) throws -> Bool {
        openedCount += 1
        guard OrderPositions.all.contains(found.entry.position), let content = found.content,
            let other = OrderKey(of: content, number: found.entry.number, in: field), mayExist || other != key
        else { throw KinfolkError.damaged("A SORTABLE index does not agree with the records.") }
        return other <= key
    }

    private func evenly() -> [Int64] {
        let distance = max(1, (top - bottom) / (OrderSearch.pivots + 1))
        let pivots = (1...OrderSearch.pivots).map { bottom + $0 * distance }.filter { $0 < top }
        return pivots.isEmpty ? [bottom] : pivots
    }

    /// A list grows from its first position to both sides.
    private static let aroundFirst: [Int64] = {
        let distances = stride(from: Int64(32), through: 60, by: 2).map { Int64(1) << $0 }
        return distances.reversed().map { OrderPositions.first - $0 } + [OrderPositions.first]
            + distances.map { OrderPositions.first + $0 }
    }()
}
