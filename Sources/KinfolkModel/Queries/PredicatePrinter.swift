/// Writes a predicate as a text with arguments.
struct PredicatePrinter {
    private(set) var text = ""
    private(set) var arguments: [FieldValue] = []

    init(_ tree: QueryPredicate.Tree) {
        // The nodes around the next one, and how many trees are left in each.
        var open: [(node: QueryPredicate.Tree.Node, rest: Int, isInParentheses: Bool)] = []
        for node in tree.nodes {
            let parent = open.last
            if let parent, parent.rest < parent.node.count { text += parent.node.separator }
            let isInParentheses = parent.map { node.needsParentheses(in: $0.node) } ?? false
            if isInParentheses { text += "(" }
            switch node {
            case .constant(let value): text += value ? "TRUEPREDICATE" : "FALSEPREDICATE"
            case .test(let atom): append(atom)
            case .not: text += "NOT "
            case .all, .any: break
            }
            open.append((node, node.count, isInParentheses))
            while let last = open.last, last.rest == 0 {
                if last.isInParentheses { text += ")" }
                open.removeLast()
                if !open.isEmpty { open[open.count - 1].rest -= 1 }
            }
        }
    }

    private mutating func append(_ atom: QueryPredicate.Atom) {
        switch atom {
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

extension QueryPredicate.Tree.Node {
    fileprivate var separator: String { if case .all = self { " AND " } else { " OR " } }

    /// A node of the kind `all` or `any` is never in one of its own kind.
    fileprivate func needsParentheses(in parent: Self) -> Bool {
        switch (parent, self) {
        case (.all, .any), (.not, .all), (.not, .any): true
        default: false
        }
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
