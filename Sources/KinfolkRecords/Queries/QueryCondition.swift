import KinfolkModel

/// The condition of a query, with its fields and values resolved for the record type.
typealias QueryCondition = ConditionTree<QueryTest>

extension QueryCondition {
    /// Whether a record satisfies the condition. Only the tests are made that decide it.
    ///
    /// It is not a function of all trees: one without a known type of tests takes eight times as long.
    func holds(for subject: QuerySubject) -> Bool {
        // The nodes around the next one, and how many trees are left in each.
        var open: [(isNot: Bool, isAny: Bool, rest: Int)] = []
        // How many of the next trees do not matter.
        var skipped = 0
        for node in nodes {
            if skipped > 0 {
                switch node {
                case .constant, .test: skipped -= 1
                case .not: break
                case .all(let count), .any(let count): skipped += count - 1
                }
                continue
            }
            var value: Bool
            switch node {
            case .constant(let constant): value = constant
            case .test(let test): value = test.holds(for: subject)
            case .not:
                open.append((isNot: true, isAny: false, rest: 1))
                continue
            case .all(let count):
                open.append((isNot: false, isAny: false, rest: count))
                continue
            case .any(let count):
                open.append((isNot: false, isAny: true, rest: count))
                continue
            }
            while let last = open.last {
                let rest = last.rest - 1
                if last.isNot {
                    value.toggle()
                } else if value == last.isAny {
                    skipped += rest
                } else if rest > 0 {
                    open[open.count - 1].rest = rest
                    break
                }
                open.removeLast()
            }
            if open.isEmpty { return value }
        }
        return false
    }

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
        return .all(different(joiningRanges(conditions)))
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
        return .any(different(unitingRanges(conditions)))
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

    /// Without repetitions, and without constants, of which those that decide were found before.
    private static func different(_ conditions: [QueryCondition]) -> [QueryCondition] {
        var known: Set<QueryCondition> = []
        return conditions.filter { condition in
            if case .constant? = condition.nodes.first { false } else { known.insert(condition).inserted }
        }
    }
}
