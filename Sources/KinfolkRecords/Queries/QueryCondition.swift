import KinfolkModel

/// The condition of a query, with its fields and values resolved for the record type.
typealias QueryCondition = ConditionTree<QueryTest>

extension QueryCondition {
    func holds(for subject: QuerySubject) -> Bool { holds { $0.holds(for: subject) } }

    private var tests: some Sequence<QueryTest> {
        nodes.lazy.compactMap { if case .test(let test) = $0 { test } else { nil } }
    }

    /// How often its tests read all of a record (``QueryTest/scans``), and once to open it.
    var scans: Int { tests.reduce(1) { $0 + $1.scans } }

    /// Whether it has more than one test.
    var isComposed: Bool { tests.dropFirst().contains { _ in true } }

    /// The same condition without constants in it.
    static func joining(all conditions: [QueryCondition]) -> QueryCondition {
        if conditions.contains(.constant(false)) { return .constant(false) }
        let rest = different(joiningRanges(conditions)).filter { $0 != .constant(true) }
        return .all(rest)
    }

    /// Joins all ranges of one attribute into one, so that an index is read only where they overlap. Not those of a list: different
    /// elements may lie in them.
    private static func joiningRanges(_ conditions: [QueryCondition]) -> [QueryCondition] {
        var (joined, places): ([QueryCondition], [QueryAttribute: Int]) = ([], [:])
        for condition in conditions {
            guard case .within(let attribute, let range)? = condition.test, !attribute.kind.isList else {
                joined.append(condition)
                continue
            }
            if let place = places[attribute], case .within(_, let other)? = joined[place].test {
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
        return .any(rest)
    }

    /// Unites the ranges of one attribute that overlap, so that no part of an index is read twice.
    private static func unitingRanges(_ conditions: [QueryCondition]) -> [QueryCondition] {
        var (others, ranges): ([QueryCondition], [QueryAttribute: [QueryRange]]) = ([], [:])
        var attributes: [QueryAttribute] = []
        for condition in conditions {
            guard case .within(let attribute, let range)? = condition.test else {
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
}
