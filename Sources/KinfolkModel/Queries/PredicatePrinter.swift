/// Writes a predicate as a text with arguments.
struct PredicatePrinter {
    private(set) var text = ""
    private(set) var arguments: [FieldValue] = []

    init(_ node: QueryPredicate.Node) { append(node) }

    private mutating func append(_ node: QueryPredicate.Node) {
        switch node {
        case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let nodes): append(nodes, " AND ") { if case .or = $0 { true } else { false } }
        case .or(let nodes): append(nodes, " OR ") { _ in false }
        case .not(let node):
            text += "NOT "
            switch node {
            case .and, .or: appendInParentheses(node)
            default: append(node)
            }
        case .comparison(let comparison): append(comparison)
        case .words(let words, _):
            text += "self CONTAINS "
            append(quoted: words)
        case .distance(let distance):
            text += "\(PredicateToken.distanceFunction)("
            append(distance.field)
            text += ", %@) \(distance.relation.sign) \(distance.metres)"
            arguments.append(.location(distance.from))
        }
    }

    private mutating func append(
        _ nodes: [QueryPredicate.Node],
        _ separator: String,
        _ needsParentheses: (QueryPredicate.Node) -> Bool
    ) {
        for (index, node) in nodes.enumerated() {
            if index > 0 { text += separator }
            if needsParentheses(node) { appendInParentheses(node) } else { append(node) }
        }
    }

    private mutating func appendInParentheses(_ node: QueryPredicate.Node) {
        text += "("
        append(node)
        text += ")"
    }

    private mutating func append(_ comparison: QueryPredicate.Comparison) {
        if comparison.isAny { text += "ANY " }
        append(comparison.field)
        text += " \(comparison.operation.sign) "
        switch comparison.operation {
        case .equal(nil), .notEqual(nil): text += "NULL"
        case .between, .isIn:
            text += "{"
            for (index, value) in comparison.operation.values.enumerated() {
                if index > 0 { text += ", " }
                append(value, of: comparison.field)
            }
            text += "}"
        default: for value in comparison.operation.values { append(value, of: comparison.field) }
        }
    }

    private mutating func append(_ field: QueryField) {
        let name = field.name
        text += PredicateToken.keywords.contains(name.uppercased()) ? "#\(name)" : name
    }

    private mutating func append(_ value: FieldValue, of field: QueryField) {
        switch value {
        case .string(let value): append(quoted: value)
        case .int64(let value): text += String(value)
        case .double(let value) where value.isFinite: text += value.description
        case .boolean(let value): text += value ? "TRUE" : "FALSE"
        case .reference(let value) where field.isSystem && (value.user != nil || value.target.zone.isEmpty):
            append(quoted: value.target.name)
        default:
            text += "%@"
            arguments.append(value)
        }
    }

    private mutating func append(quoted value: String) {
        text += "'"
        for scalar in value.unicodeScalars {
            switch scalar {
            case "'", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                text += "\\u" + Hexadecimal.text([0, UInt8(truncatingIfNeeded: scalar.value)])
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "'"
    }
}

extension QueryField {
    fileprivate var isSystem: Bool { if case .system = self { true } else { false } }
}

extension QueryPredicate.Operation {
    fileprivate var sign: String {
        switch self {
        case .equal: "="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .between: "BETWEEN"
        case .isIn: "IN"
        case .contains: "CONTAINS"
        case .beginsWith: "BEGINSWITH"
        }
    }
}

extension QueryPredicate.Distance.Relation {
    fileprivate var sign: String {
        switch self {
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
