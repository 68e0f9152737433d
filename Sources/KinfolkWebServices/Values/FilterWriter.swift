import Kinfolk
import KinfolkJSON

/// Writes the predicate of a query as filters.
///
/// A subscription that was saved in another way than by this protocol may have a predicate that filters cannot say. Its filters are then
/// left out, and the member `predicate` has its text.
struct FilterWriter {
    let records: RecordWriter

    /// The members of a query dictionary.
    func members(of query: Query) -> [(String, JSON)] {
        var members: [(String, JSON)] = [("recordType", .string(query.recordType))]
        if let filters = filters(query.predicate.tree) {
            members.append(("filterBy", .array(filters)))
        } else {
            members.append(("predicate", .string(query.predicate.text)))
        }
        return members
    }

    private func filters(_ tree: QueryPredicate.Tree) -> [JSON]? {
        switch tree.root {
        case .constant(true): []
        case .all: all(tree.children.map(filter))
        default: filter(tree).map { [$0] }
        }
    }

    private func filter(_ tree: QueryPredicate.Tree) -> JSON? {
        switch tree.root {
        case .test(let atom): return filter(atom)
        case .any:
            let parts = tree.children.map(\.test)
            return anyWord(parts) ?? filter(parts.map(milliseconds), "IN")
                ?? filter(parts.map(element), "LIST_CONTAINS_ANY")
        case .not:
            guard let opposite = tree.children.first else { return nil }
            let parts = opposite.children.map(\.test)
            switch opposite.root {
            case .test(.comparison(let comparison)): return filter(comparison, isOpposite: true)
            case .any:
                return filter(parts.map(milliseconds), "NOT_IN") ?? filter(parts.map(element), "NOT_LIST_CONTAINS_ANY")
            case .all: return filter(parts.map(element), "NOT_LIST_CONTAINS_ALL")
            default: return nil
            }
        case .constant, .all: return nil
        }
    }

    private func filter(_ atom: QueryPredicate.Atom) -> JSON? {
        switch atom {
        case .comparison(let comparison): filter(comparison)
        case .words(let text, _): ["comparator": "CONTAINS_ALL_TOKENS", "fieldValue": value(.string(text))]
        case .distance(let distance) where distance.relation == .lessOrEqual:
            [
                "fieldName": .string(distance.field.protocolName), "comparator": "NEAR",
                "fieldValue": value(.location(distance.from)), "distance": .double(distance.metres),
            ]
        case .distance: nil
        }
    }

    private func filter(_ comparison: QueryPredicate.Comparison, isOpposite: Bool = false) -> JSON? {
        let not = isOpposite ? "NOT_" : ""
        func filter(_ comparator: String, _ value: JSON) -> JSON {
            [
                "fieldName": .string(comparison.field.protocolName), "comparator": .string(comparator),
                "fieldValue": value,
            ]
        }
        switch (comparison.operation, comparison.isAny, isOpposite) {
        case (.equal(let one), false, _): return filter(not + "EQUALS", value(one))
        case (.notEqual(let one), false, false): return filter("NOT_EQUALS", value(one))
        case (.less(let one), false, false): return filter("LESS_THAN", value(one))
        case (.lessOrEqual(let one), false, false): return filter("LESS_THAN_OR_EQUALS", value(one))
        case (.greater(let one), false, false): return filter("GREATER_THAN", value(one))
        case (.greaterOrEqual(let one), false, false): return filter("GREATER_THAN_OR_EQUALS", value(one))
        // How the equality of a date with a millisecond is kept.
        case (.between(let first, let last), false, _) where first.isMillisecond(endingWith: last):
            return filter(not + "EQUALS", value(first))
        case (.isIn(let values), false, _): return list(values).map { filter(not + "IN", $0) }
        case (.contains(let one), false, _): return filter(not + "LIST_CONTAINS", value(one))
        case (.beginsWith(let text), let isAny, _):
            return filter(not + (isAny ? "LIST_MEMBER_BEGINS_WITH" : "BEGINS_WITH"), value(.string(text)))
        default: return nil
        }
    }

    /// A filter of several values for the same field.
    private func filter(_ parts: [(field: QueryField, value: FieldValue)?], _ comparator: String) -> JSON? {
        guard let parts = all(parts), let field = parts.first?.field, parts.allSatisfy({ $0.field == field }),
            let list = list(parts.map(\.value))
        else { return nil }
        return ["fieldName": .string(field.protocolName), "comparator": .string(comparator), "fieldValue": list]
    }

    /// A list has an element.
    private func element(_ atom: QueryPredicate.Atom?) -> (QueryField, FieldValue)? {
        guard case .comparison(let comparison)? = atom, case .contains(let value) = comparison.operation else {
            return nil
        }
        return (comparison.field, value)
    }

    /// A date is in a millisecond.
    private func milliseconds(_ atom: QueryPredicate.Atom?) -> (QueryField, FieldValue)? {
        guard case .comparison(let comparison)? = atom, case .between(let first, let last) = comparison.operation,
            first.isMillisecond(endingWith: last)
        else { return nil }
        return (comparison.field, first)
    }

    private func anyWord(_ atoms: [QueryPredicate.Atom?]) -> JSON? {
        let words = all(atoms.map { atom in if case .words(let text, _)? = atom { text } else { nil } })
        guard let words, !words.contains(where: { $0.contains(where: \.isWhitespace) }) else { return nil }
        return ["comparator": "CONTAINS_ANY_TOKENS", "fieldValue": value(.string(words.joined(separator: " ")))]
    }

    private func value(_ value: FieldValue?) -> JSON { value.map(records.field) ?? ["value": .null] }

    private func list(_ values: [FieldValue]) -> JSON? {
        let fields = values.map(records.field)
        let types = Set(values.map(\.type))
        guard types.count <= 1 else { return nil }
        let elements = fields.compactMap { field -> JSON? in
            guard case .object(let members) = field else { return nil }
            return members.first { $0.0 == "value" }?.1
        }
        let type = types.first?.list.map(WireType.name) ?? "STRING_LIST"
        return ["value": .array(elements), "type": .string(type)]
    }

    private func all<Element>(_ values: [Element?]) -> [Element]? {
        let present = values.compactMap(\.self)
        return present.count == values.count ? present : nil
    }
}

extension QueryField {
    /// The name in the protocol.
    fileprivate var protocolName: String {
        switch self {
        case .system(let field): field.names.webServices
        case .named(let name): name
        }
    }
}

extension FieldValue {
    /// Whether it is a date, and `last` the last microsecond of the same millisecond.
    fileprivate func isMillisecond(endingWith last: FieldValue) -> Bool {
        guard case .date(let first) = self, case .date(let last) = last else { return false }
        return first.microseconds % 1_000 == 0 && last.microseconds &- first.microseconds == 999
    }
}
