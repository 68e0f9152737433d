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

    private static func isHigher(_ left: Bound, _ right: Bound) -> Bool {
        left.value == right.value ? !left.isIncluded : right.value < left.value
    }

    private static func isLower(_ left: Bound, _ right: Bound) -> Bool {
        left.value == right.value ? !left.isIncluded : left.value < right.value
    }
}
