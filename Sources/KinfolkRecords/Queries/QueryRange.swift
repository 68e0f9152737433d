import KinfolkModel

/// A range of values in their order.
struct QueryRange: Sendable, Hashable {
    struct Bound: Sendable, Hashable {
        let value: OrderValue
        let isIncluded: Bool
    }

    /// Nil: from the least value on.
    var lower: Bound?
    /// Nil: up to the greatest value.
    var upper: Bound?

    static let all = QueryRange()

    init(lower: Bound? = nil, upper: Bound? = nil) { (self.lower, self.upper) = (lower, upper) }

    /// The range of all texts that begin with this one, without regard to case.
    init(textsBeginningWith prefix: DecomposedText) {
        guard let folded = IndexValue.all(of: .string(String(decoding: prefix.bytes, as: UTF8.self))).first else {
            return
        }
        lower = Bound(value: OrderValue(bytes: folded.bytes), isIncluded: true)
        upper = Bound(value: OrderValue(endOfTextsBeginningWith: folded), isIncluded: false)
    }

    func contains(_ value: OrderValue) -> Bool {
        if let lower, value < lower.value || value == lower.value && !lower.isIncluded { return false }
        if let upper, upper.value < value || value == upper.value && !upper.isIncluded { return false }
        return true
    }

    /// The values that are in both ranges.
    func intersection(_ other: QueryRange) -> QueryRange {
        var range = self
        if let bound = other.lower, lower.map({ QueryRange.isHigher(bound, $0) }) ?? true { range.lower = bound }
        if let bound = other.upper, upper.map({ QueryRange.isLower(bound, $0) }) ?? true { range.upper = bound }
        return range
    }

    /// Ranges that have the same values, in order, and do not overlap. Ranges without values are left out.
    static func united(_ ranges: [QueryRange]) -> [QueryRange] {
        let sorted = ranges.filter { !$0.isEmpty }.sorted { left, right in
            guard let lower = right.lower else { return false }
            return left.lower.map { isHigher(lower, $0) } ?? true
        }
        var united: [QueryRange] = []
        for range in sorted {
            if let last = united.last, !last.intersection(range).isEmpty {
                let isLonger = last.upper.map { upper in range.upper.map { isLower(upper, $0) } ?? true } ?? false
                if isLonger { united[united.count - 1].upper = range.upper }
            } else {
                united.append(range)
            }
        }
        return united
    }

    /// Whether no value can be in it.
    private var isEmpty: Bool {
        guard let lower, let upper else { return false }
        return upper.value < lower.value || upper.value == lower.value && !(lower.isIncluded && upper.isIncluded)
    }

    private static func isHigher(_ left: Bound, _ right: Bound) -> Bool {
        left.value == right.value ? !left.isIncluded && right.isIncluded : right.value < left.value
    }

    private static func isLower(_ left: Bound, _ right: Bound) -> Bool {
        left.value == right.value ? !left.isIncluded && right.isIncluded : left.value < right.value
    }
}
