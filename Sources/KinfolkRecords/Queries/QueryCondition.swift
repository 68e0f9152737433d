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

    /// How often its tests read all of a record (``QueryTest/scans``), and once to open it.
    var scans: Int { 1 + scansOfTests }

    private var scansOfTests: Int {
        switch self {
        case .constant: 0
        case .all(let conditions), .any(let conditions): conditions.reduce(0) { $0 + $1.scansOfTests }
        case .not(let condition): condition.scansOfTests
        case .test(let test): test.scans
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
        let rest = different(joiningRanges(conditions)).filter { $0 != .constant(true) }
        return rest.count > 1 ? .all(rest) : rest.first ?? .constant(true)
    }

    /// Joins all ranges of one attribute into one, so that an index is read only where they overlap. Not those of a list: different
    /// elements may lie in them.
    private static func joiningRanges(_ conditions: [QueryCondition]) -> [QueryCondition] {
        var (joined, places): ([QueryCondition], [QueryAttribute: Int]) = ([], [:])
        for condition in conditions {
            guard case .test(.within(let attribute, let range)) = condition, !attribute.kind.isList else {
                joined.append(condition)
                continue
            }
            if let place = places[attribute], case .test(.within(_, let other)) = joined[place] {
                joined[place] = .test(.within(attribute, range.intersection(other)))
            } else {
                places[attribute] = joined.count
                joined.append(condition)
            }
        }
        return joined
    }

    static func joining(any conditions: [QueryCondition]) -> QueryCondition {
        if conditions.contains(.constant(true)) { return .constant(true) }
        let rest = different(unitingRanges(conditions)).filter { $0 != .constant(false) }
        return rest.count > 1 ? .any(rest) : rest.first ?? .constant(false)
    }

    /// Unites the ranges of one attribute that overlap, so that no part of an index is read twice.
    private static func unitingRanges(_ conditions: [QueryCondition]) -> [QueryCondition] {
        var (others, ranges): ([QueryCondition], [QueryAttribute: [QueryRange]]) = ([], [:])
        var attributes: [QueryAttribute] = []
        for condition in conditions {
            guard case .test(.within(let attribute, let range)) = condition else {
                others.append(condition)
                continue
            }
            if ranges[attribute] == nil { attributes.append(attribute) }
            ranges[attribute, default: []].append(range)
        }
        return attributes.flatMap { attribute in
            QueryRange.united(ranges[attribute] ?? []).map { .test(.within(attribute, $0)) }
        } + others
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
