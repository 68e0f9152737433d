/// An operator between the sides of a comparison.
enum PredicateOperator {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case between, isIn, contains, beginsWith

    /// The operator that says the same with the sides exchanged; nil if there is none.
    var exchanged: PredicateOperator? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .isIn: .contains
        case .contains: .isIn
        case .between, .beginsWith: nil
        }
    }

    /// The operation with the other side of a field.
    func operation(_ side: PredicateOperand) throws(QueryFault) -> QueryPredicate.Operation {
        switch (self, side) {
        case (.equal, .null): .equal(nil)
        case (.notEqual, .null): .notEqual(nil)
        case (.equal, .value(let value)): .equal(value)
        case (.notEqual, .value(let value)): .notEqual(value)
        case (.less, .value(let value)): .less(value)
        case (.lessOrEqual, .value(let value)): .lessOrEqual(value)
        case (.greater, .value(let value)): .greater(value)
        case (.greaterOrEqual, .value(let value)): .greaterOrEqual(value)
        case (.between, .list(let values)) where values.count == 2: .between(values[0], values[1])
        case (.isIn, .list(let values)): .isIn(values)
        case (.contains, .value(let value)): .contains(value)
        case (.beginsWith, .value(.string(let text))): .beginsWith(text)
        case (_, .key):
            throw QueryFault("a field is compared with a value, and not with a field. Texts stand in quotes.")
        case (.between, _): throw QueryFault("BETWEEN needs a list of two values, as in {1, 5}.")
        case (.isIn, _): throw QueryFault("IN needs a list, as in {1, 5}, or an argument that is a list.")
        case (.beginsWith, _): throw QueryFault("BEGINSWITH needs a text.")
        case (_, .null): throw QueryFault("only = and != compare with NULL.")
        case (_, .list): throw QueryFault("one value is expected here, and not a list: use IN, ANY or CONTAINS.")
        default: throw QueryFault("a value is expected here.")
        }
    }

    /// The relation of a distance; nil for other operators than `<`, `<=`, `>` and `>=`.
    var relation: QueryPredicate.Distance.Relation? {
        switch self {
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        default: nil
        }
    }
}
