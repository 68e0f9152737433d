import KinfolkModel

/// The condition of a query, with its fields and values resolved for the record type.
indirect enum QueryCondition: Sendable, Hashable {
    case constant(Bool)
    case all([QueryCondition])
    case any([QueryCondition])
    case not(QueryCondition)
    case test(QueryTest)

    func holds(for subject: QuerySubject) -> Bool {
        switch self {
        case .constant(let value): value
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: subject) }
        case .any(let conditions): conditions.contains { $0.holds(for: subject) }
        case .not(let condition): !condition.holds(for: subject)
        case .test(let test): test.holds(for: subject)
        }
    }

    /// Whether it has more than one test.
    var isComposed: Bool {
        switch self {
        case .all, .any: true
        case .not(let condition): condition.isComposed
        case .constant, .test: false
        }
    }

    /// The same condition without constants in it.
    static func joining(all conditions: [QueryCondition]) -> QueryCondition {
        if conditions.contains(.constant(false)) { return .constant(false) }
        let rest = different(conditions).filter { $0 != .constant(true) }
        return rest.count > 1 ? .all(rest) : rest.first ?? .constant(true)
    }

    static func joining(any conditions: [QueryCondition]) -> QueryCondition {
        if conditions.contains(.constant(true)) { return .constant(true) }
        let rest = different(conditions).filter { $0 != .constant(false) }
        return rest.count > 1 ? .any(rest) : rest.first ?? .constant(false)
    }

    private static func different(_ conditions: [QueryCondition]) -> [QueryCondition] {
        var known: Set<QueryCondition> = []
        return conditions.filter { known.insert($0).inserted }
    }

    static func negating(_ condition: QueryCondition) -> QueryCondition {
        switch condition {
        case .constant(let value): .constant(!value)
        case .not(let condition): condition
        case .all, .any, .test: .not(condition)
        }
    }
}
