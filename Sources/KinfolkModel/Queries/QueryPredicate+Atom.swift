extension QueryPredicate {
    /// A condition of AND, OR and NOT. A node of the kind `all` or `any` has at least two others, none of them of its own kind, and a node of the
    /// kind `not` holds none of its own kind.
    package typealias Tree = ConditionTree<Atom>

    /// A condition without others in it.
    package enum Atom: Sendable, Hashable {
        case comparison(Comparison)
        /// `self CONTAINS` and `ALL tokenize(…) IN allTokens`: a text, all of whose words must be in the record.
        case words(String, PredicatePosition)
        case distance(Distance)
    }

    /// A field compared with values. References have the action `none`.
    ///
    /// A user record ID or record name with which a system field is compared is a reference; its zone is empty if the query gave only a
    /// name. The values for the times are dates.
    package struct Comparison: Sendable, Hashable {
        package let field: QueryField
        /// Whether it holds if it holds for one element of a list.
        package let isAny: Bool
        package let operation: Operation
        package let position: PredicatePosition
    }

    /// No value is a list.
    package enum Operation: Sendable, Hashable {
        /// Nil: the field has no value.
        case equal(FieldValue?)
        case notEqual(FieldValue?)
        case less(FieldValue)
        case lessOrEqual(FieldValue)
        case greater(FieldValue)
        case greaterOrEqual(FieldValue)
        /// Both ends belong to the range.
        case between(FieldValue, FieldValue)
        case isIn([FieldValue])
        /// A list has this element, or a text this part.
        case contains(FieldValue)
        case beginsWith(String)
    }

    /// How far a field's location is from another one.
    package struct Distance: Sendable, Hashable {
        package enum Relation: Sendable, Hashable { case less, lessOrEqual, greater, greaterOrEqual }

        package let field: QueryField
        package let from: Location
        package let relation: Relation
        /// Finite.
        package let metres: Double
        package let position: PredicatePosition
    }
}
