import KinfolkModel

/// Resolves the fields and values of a predicate for a record type.
struct QueryBinding {
    /// The most different words of one search.
    static let maximumWords = 100

    let type: TypeDefinition

    /// - Throws: ``KinfolkError/Code/invalidArgument`` with the position if the type has no such field, or a value has another type than its
    ///   field.
    func condition(_ predicate: QueryPredicate.Tree) throws(KinfolkError) -> QueryCondition {
        try predicate.folded { (node, conditions, _) throws(KinfolkError) in
            switch node {
            case .constant(let value): .constant(value)
            case .all: .joining(all: conditions)
            case .any: .joining(any: conditions)
            case .not: conditions.first.map(!) ?? .constant(false)
            case .test(let atom): try condition(atom)
            }
        }
    }

    private func condition(_ atom: QueryPredicate.Atom) throws(KinfolkError) -> QueryCondition {
        switch atom {
        case .comparison(let comparison):
            try located(comparison.position) { () throws(QueryFault) in try condition(comparison) }
        case .words(let text, let position):
            try located(position) { () throws(QueryFault) in try words(text) }
        case .distance(let distance):
            try located(distance.position) { () throws(QueryFault) in try condition(distance) }
        }
    }

    /// Says where in the text of a predicate something is wrong.
    private func located(
        _ position: PredicatePosition,
        _ body: () throws(QueryFault) -> QueryCondition
    ) throws(KinfolkError) -> QueryCondition {
        do throws(QueryFault) { return try body() } catch { throw error.error(at: position.character) }
    }

    private func words(_ text: String) throws(QueryFault) -> QueryCondition {
        let words = Word.all(in: text)
        guard words.count <= QueryBinding.maximumWords else {
            throw QueryFault("a search has at most \(QueryBinding.maximumWords) different words.", .limitExceeded)
        }
        let fields = type.fields.filter { $0.value.options.contains(.searchable) }
        guard !fields.isEmpty else {
            throw QueryFault("the record type \(type.name) has no SEARCHABLE field, in which words could be found.")
        }
        return words.isEmpty ? .constant(false) : .test(.words(words, fields: fields))
    }

    private func condition(_ distance: QueryPredicate.Distance) throws(QueryFault) -> QueryCondition {
        guard case .field(let name, let field) = try attribute(distance.field), field.type == .location else {
            throw QueryFault("the field \(distance.field.name) holds no location.")
        }
        let test = QueryDistanceTest(from: distance.from, relation: distance.relation, metres: distance.metres)
        return .test(.distance(field: name, field, test))
    }

    /// The attribute with this name.
    func attribute(_ field: QueryField) throws(QueryFault) -> QueryAttribute {
        switch field {
        case .system(.createTime): return .createdAt
        case .system(.modificationTime): return .modifiedAt
        case .system: throw QueryFault("\(field.name) cannot be compared in this way.")
        case .named(let name):
            guard let definition = type.fields[name] else {
                throw QueryFault("the record type \(type.name) has no field \(name).")
            }
            return .field(name: name, definition)
        }
    }

    // MARK: Comparisons

    private func condition(_ comparison: QueryPredicate.Comparison) throws(QueryFault) -> QueryCondition {
        switch comparison.field {
        case .system(.recordID), .system(.createdBy), .system(.modifiedBy): return try identity(comparison)
        default: break
        }
        let attribute = try attribute(comparison.field)
        switch comparison.operation {
        case .equal(nil): return missing(attribute)
        case .notEqual(nil): return present(attribute)
        case .contains(let value):
            if !attribute.kind.isList, attribute.kind == .string, case .string(let part) = value {
                return .test(.holds(attribute, TextPattern(DecomposedText(part))))
            }
            guard attribute.kind.isList else {
                throw QueryFault("CONTAINS is for lists and texts: \(attribute.name) is neither.")
            }
            return try equals(attribute, [value])
        default: break
        }
        guard comparison.isAny == attribute.kind.isList else {
            throw QueryFault(
                comparison.isAny
                    ? "ANY is for lists, and \(attribute.name) is none."
                    : "\(attribute.name) is a list: compare its elements with ANY, CONTAINS or %@ IN \(attribute.name)."
            )
        }
        return try elements(attribute, comparison)
    }

    private func elements(
        _ attribute: QueryAttribute,
        _ comparison: QueryPredicate.Comparison
    ) throws(QueryFault) -> QueryCondition {
        switch comparison.operation {
        case .equal(let value?): return try equals(attribute, [value])
        case .notEqual(let value?) where comparison.isAny:
            return .test(.differs(attribute, try bound(value, to: attribute).indexValue))
        case .notEqual(let value?): return !(try equals(attribute, [value]))
        case .isIn(let values): return try equals(attribute, values)
        case .less(let value): return try within(attribute, nil, (value, false))
        case .lessOrEqual(let value): return try within(attribute, nil, (value, true))
        case .greater(let value): return try within(attribute, (value, false), nil)
        case .greaterOrEqual(let value): return try within(attribute, (value, true), nil)
        case .between(let first, let last): return try within(attribute, (first, true), (last, true))
        case .beginsWith(let prefix):
            guard attribute.kind.element == .string else {
                throw QueryFault("BEGINSWITH is for texts: \(attribute.name) holds none.")
            }
            return .test(.begins(attribute, DecomposedText(prefix)))
        case .equal(nil), .notEqual(nil), .contains: return .constant(false)
        }
    }

    private func missing(_ attribute: QueryAttribute) -> QueryCondition {
        if case .field = attribute { .test(.missing(attribute)) } else { .constant(false) }
    }

    private func present(_ attribute: QueryAttribute) -> QueryCondition {
        // Not of a DOUBLE: NaN is a value that no range has.
        if case .field(_, let field) = attribute, field.hasOrder, field.type != .double {
            .test(.within(attribute, .all))
        } else {
            !missing(attribute)
        }
    }

    private func bound(_ value: FieldValue, to attribute: QueryAttribute) throws(QueryFault) -> QueryValue {
        guard attribute.kind.element != .location else {
            throw QueryFault(
                "\(attribute.name) holds locations, which are compared with distanceToLocation:fromLocation:()."
            )
        }
        guard let bound = QueryValue(value, for: attribute.kind.element) else {
            throw QueryFault(
                "\(attribute.name) has the type \(attribute.kind), and is compared with a value of the type \(value.type)."
            )
        }
        return bound
    }

    private func equals(_ attribute: QueryAttribute, _ values: [FieldValue]) throws(QueryFault) -> QueryCondition {
        var found: Set<IndexValue> = []
        for value in values {
            if let value = try bound(value, to: attribute).indexValue { found.insert(value) }
        }
        return found.isEmpty ? .constant(false) : .test(.equals(attribute, found))
    }

    private func within(
        _ attribute: QueryAttribute,
        _ lower: (value: FieldValue, isIncluded: Bool)?,
        _ upper: (value: FieldValue, isIncluded: Bool)?
    ) throws(QueryFault) -> QueryCondition {
        switch attribute.kind.element {
        case .bytes, .reference, .asset:
            throw QueryFault("the values of \(attribute.name) have no order.")
        default: break
        }
        var range = QueryRange.all
        if let lower {
            guard let bound = try bound(lower.value, to: attribute).lowerBound(isIncluded: lower.isIncluded) else {
                return .constant(false)
            }
            range = range.intersection(bound)
        }
        if let upper {
            guard let bound = try bound(upper.value, to: attribute).upperBound(isIncluded: upper.isIncluded) else {
                return .constant(false)
            }
            range = range.intersection(bound)
        }
        return .test(.within(attribute, range))
    }

    // MARK: Identity

    private func identity(_ comparison: QueryPredicate.Comparison) throws(QueryFault) -> QueryCondition {
        let values: [FieldValue]
        var isNegated = false
        switch comparison.operation {
        case .equal(let value?): values = [value]
        case .notEqual(let value?): (values, isNegated) = ([value], true)
        case .isIn(let list): values = list
        default: throw QueryFault("\(comparison.field.name) is compared with =, != and IN.")
        }
        let targets = Set(values.flatMap(\.references).map(\.target))
        let users = Set(targets.compactMap { RecordID(valid: $0.name).user })
        let test: QueryTest =
            switch comparison.field {
            case .system(.createdBy): .createdBy(users)
            case .system(.modifiedBy): .modifiedBy(users)
            default: .isOneOf(targets)
            }
        return isNegated ? !.test(test) : .test(test)
    }
}
