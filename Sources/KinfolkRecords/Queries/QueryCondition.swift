import KinfolkModel

/// The condition of a query, with its fields and values resolved for the record type.
indirect enum QueryCondition: Sendable, Hashable {
    case constant(Bool)
    case all([QueryCondition])
    case any([QueryCondition])
    case not(QueryCondition)
    case test(QueryTest)

    func holds(for content: RecordContent, in place: RecordPlace) -> Bool {
        switch self {
        case .constant(let value): value
        case .all(let conditions): conditions.allSatisfy { $0.holds(for: content, in: place) }
        case .any(let conditions): conditions.contains { $0.holds(for: content, in: place) }
        case .not(let condition): !condition.holds(for: content, in: place)
        case .test(let test): test.holds(for: content, in: place)
        }
    }

    /// The same condition without constants in it.
    static func joining(all conditions: [QueryCondition]) -> QueryCondition {
        if conditions.contains(.constant(false)) { return .constant(false) }
        let rest = conditions.filter { $0 != .constant(true) }
        return rest.count > 1 ? .all(rest) : rest.first ?? .constant(true)
    }

    static func joining(any conditions: [QueryCondition]) -> QueryCondition {
        if conditions.contains(.constant(true)) { return .constant(true) }
        let rest = conditions.filter { $0 != .constant(false) }
        return rest.count > 1 ? .any(rest) : rest.first ?? .constant(false)
    }

    static func negating(_ condition: QueryCondition) -> QueryCondition {
        switch condition {
        case .constant(let value): .constant(!value)
        case .not(let condition): condition
        case .all, .any, .test: .not(condition)
        }
    }
}
