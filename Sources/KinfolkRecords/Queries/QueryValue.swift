import KinfolkModel

/// A value of a predicate, for comparison with the values of a field of one type.
///
/// Numbers of both types are compared exactly: a whole number is never rounded to be compared with a DOUBLE field, nor a fraction for an
/// INT64 field.
struct QueryValue {
    let value: FieldValue
    let kind: FieldType

    /// Nil if the value has another type.
    init?(_ value: FieldValue, for kind: FieldType) {
        switch (kind, value) {
        case (.string, .string), (.date, .date), (.bytes, .bytes),
            (.reference, .reference), (.boolean, .boolean), (.int64, .int64),
            (.int64, .double), (.double, .double), (.double, .int64):
            break
        case (.boolean, .int64(let number)) where number == 0 || number == 1: break
        default: return nil
        }
        self.value = value
        self.kind = kind
    }

    /// The value as an index holds it; nil if it equals no value of the field.
    var indexValue: IndexValue? {
        switch (kind, value) {
        case (.boolean, .int64(let number)): IndexValue.all(of: .boolean(number == 1)).first
        case (.int64, .double(let number)):
            Int64(exactly: number).flatMap { IndexValue.all(of: .int64($0)).first }
        case (.double, .int64(let number)):
            Double(exactly: number).flatMap { IndexValue.all(of: .double($0)).first }
        default: IndexValue.all(of: value).first
        }
    }

    /// The lower bound of a range that begins at this value. Nil if there is no value in the range; a range without bound if all are.
    func lowerBound(isIncluded: Bool) -> QueryRange? {
        bound(isIncluded: isIncluded, isLower: true)
    }

    /// The upper bound of a range that ends at this value.
    func upperBound(isIncluded: Bool) -> QueryRange? {
        bound(isIncluded: isIncluded, isLower: false)
    }

    private func bound(isIncluded: Bool, isLower: Bool) -> QueryRange? {
        func range(_ value: FieldValue, _ isIncluded: Bool) -> QueryRange? {
            guard let value = OrderValue(value) else { return nil }
            let bound = QueryRange.Bound(value: value, isIncluded: isIncluded)
            return isLower ? QueryRange(lower: bound) : QueryRange(upper: bound)
        }
        switch (kind, value) {
        case (.boolean, .int64(let number)): return range(.boolean(number == 1), isIncluded)
        case (.int64, .double(let number)):
            guard !number.isNaN else { return nil }
            if let exact = Int64(exactly: number) { return range(.int64(exact), isIncluded) }
            // No whole number equals it: the next one in the range is its bound.
            let next = isLower ? number.rounded(.up) : number.rounded(.down)
            if let next = Int64(exactly: next) { return range(.int64(next), true) }
            return (number < 0) == isLower ? .all : nil
        case (.double, .int64(let number)):
            let nearest = Double(number)
            if let back = Int64(exactly: nearest) {
                if back == number { return range(.double(nearest), isIncluded) }
                // The number lies between two doubles, of which this one is the next below or above.
                return range(.double(nearest), isLower ? back > number : back < number)
            }
            // 2^63, which is more than every whole number.
            return range(.double(nearest), isLower)
        default: return range(value, isIncluded)
        }
    }
}
