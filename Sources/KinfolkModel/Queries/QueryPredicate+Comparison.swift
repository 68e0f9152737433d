extension QueryPredicate {
    /// A comparison that does not depend on the schema to be valid.
    ///
    /// - Throws: ``QueryFault`` if a name is malformed, a value is a list, or the system field cannot be compared in this way.
    static func comparison(
        _ field: QueryField,
        isAny: Bool = false,
        _ operation: Operation,
        at position: PredicatePosition = PredicatePosition()
    ) throws(QueryFault) -> QueryPredicate {
        try field.validate()
        let values = operation.values
        let terms = if case .isIn = operation { values.count + 1 } else { 1 }
        try QueryExtent(terms: terms).validate()
        guard values.allSatisfy({ $0.elements == nil }) else { throw operation.listFault }
        try QueryExtent(terms: terms, bytes: values.reduce(0) { $0 + $1.size }).validate()
        var operation = try operation.mapping { value throws(QueryFault) in value.withoutAction }
        if case .system(let system) = field {
            guard !isAny else { throw QueryFault("ANY is for lists, and this field is none.") }
            operation = try system.operation(operation)
        }
        let comparison = Comparison(field: field, isAny: isAny, operation: operation, position: position)
        // Of the values as they are kept: predicates are equal if they mean the same, whether a user is given as a text or as a reference.
        let bytes = operation.values.reduce(0) { $0 + $1.size }
        return try QueryPredicate(.test(.comparison(comparison)), terms: terms, bytes: bytes).checked()
    }

    /// - Throws: ``QueryFault`` if the name is malformed, the field holds no location, or the distance is not finite.
    static func distance(
        _ field: QueryField,
        from location: Location,
        _ relation: Distance.Relation,
        _ metres: Double,
        at position: PredicatePosition = PredicatePosition()
    ) throws(QueryFault) -> QueryPredicate {
        try field.validate()
        guard case .named = field else { throw QueryFault("this field holds no location.") }
        guard metres.isFinite else { throw QueryFault("a distance is a finite number of metres.") }
        let distance = Distance(field: field, from: location, relation: relation, metres: metres, position: position)
        return QueryPredicate(.test(.distance(distance)), terms: QueryLimits.distanceTerms, bytes: 16)
    }
}

extension QueryPredicate.Operation {
    /// What the field is compared with, without NULL.
    var values: [FieldValue] {
        switch self {
        case .equal(let value), .notEqual(let value): value.map { [$0] } ?? []
        case .less(let value), .lessOrEqual(let value), .greater(let value), .greaterOrEqual(let value),
            .contains(let value):
            [value]
        case .between(let first, let last): [first, last]
        case .isIn(let values): values
        case .beginsWith(let text): [.string(text)]
        }
    }

    /// The same with other values. A beginning stays.
    func mapping(_ change: (FieldValue) throws(QueryFault) -> FieldValue) throws(QueryFault) -> Self {
        switch self {
        case .equal(let value?): .equal(try change(value))
        case .notEqual(let value?): .notEqual(try change(value))
        case .less(let value): .less(try change(value))
        case .lessOrEqual(let value): .lessOrEqual(try change(value))
        case .greater(let value): .greater(try change(value))
        case .greaterOrEqual(let value): .greaterOrEqual(try change(value))
        case .between(let first, let last): .between(try change(first), try change(last))
        case .isIn(let values): .isIn(try values.map(change))
        case .contains(let value): .contains(try change(value))
        case .equal(nil), .notEqual(nil), .beginsWith: self
        }
    }

    fileprivate var listFault: QueryFault {
        if case .isIn = self { return QueryFault("a list has values, and no lists, as its elements.") }
        return QueryFault("a list cannot be compared as a whole: use IN, ANY or CONTAINS.")
    }
}

extension FieldValue {
    fileprivate var withoutAction: FieldValue {
        if case .reference(let value) = self { .reference(Reference(valid: value.target, action: .none)) } else { self }
    }
}
