/// One side of a comparison in a predicate's text.
enum PredicateOperand {
    case key(QueryField)
    case value(FieldValue)
    case null
    case list([FieldValue])
    /// `self`.
    case record
    case distance(QueryField, from: Location)
}

extension PredicateOperand {
    /// The number that it is; nil if it is none.
    var number: Double? {
        switch self {
        case .value(.int64(let value)): Double(value)
        case .value(.double(let value)): value
        default: nil
        }
    }
}
