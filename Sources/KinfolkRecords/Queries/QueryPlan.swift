import KinfolkModel

/// Which indexes answer a query.
struct QueryPlan {
    /// How many combinations of indexes are inside each other: reading one takes space on the stack for each level. The conditions in
    /// deeper ones are evaluated on the records.
    static let maximumDepth = 8

    /// Where the candidates come from; nil for all records of the type.
    let source: QuerySource?
    /// Whether all candidates satisfy the condition.
    let isExact: Bool
    /// The indexes that the conditions lack which are evaluated on the records.
    let missing: [QueryExplanation.Index]
    /// The conditions that are evaluated on the records, as a message names them.
    let unanswered: [String]

    private init(
        _ source: QuerySource?,
        isExact: Bool,
        missing: [QueryExplanation.Index] = [],
        unanswered: [String] = []
    ) {
        self.source = source
        self.isExact = isExact
        self.missing = missing
        self.unanswered = unanswered
    }

    /// The plan of one test, which is named if it is evaluated on the records.
    private func naming(_ name: String) -> QueryPlan {
        isExact ? self : QueryPlan(source, isExact: false, missing: missing, unanswered: [name])
    }

    /// - Parameter scope: One of the scopes that the query reads: they are of the same kind.
    init(_ condition: QueryCondition, in scope: IndexScope) {
        // The name of a test is for its opposite.
        let found: (plan: QueryPlan, name: String) = condition.folded { node, parts, depth in
            switch node {
            case .constant(let value): (QueryPlan(value ? nil : .nothing, isExact: true), "")
            case .test(let test): (QueryPlan.plan(of: test, in: scope).naming(test.name), " \(test.name)")
            case .not: (QueryPlan(nil, isExact: false, unanswered: parts.map { "NOT\($0.name)" }), "")
            case .all, .any: (QueryPlan(joining: parts.map(\.plan), node, depth), "")
            }
        }
        self = found.plan
    }

    private init(joining plans: [QueryPlan], _ node: QueryCondition.Node, _ depth: Int) {
        let sources = plans.compactMap(\.source)
        let isTooDeep = depth >= QueryPlan.maximumDepth
        let source: QuerySource?
        switch node {
        case _ where isTooDeep: source = nil
        case .any: source = sources.count == plans.count ? .any(sources) : nil
        default: source = sources.count > 1 ? .all(sources) : sources.first
        }
        self.init(
            source,
            isExact: !isTooDeep && plans.allSatisfy(\.isExact),
            missing: QueryPlan.joined(plans, \.missing),
            unanswered: QueryPlan.joined(plans, \.unanswered)
                + (isTooDeep ? ["conditions inside more than \(QueryPlan.maximumDepth) others"] : [])
        )
    }

    /// A plan for a caller who may read one creator's records only, while these have no entries of their own. No other index is read: what
    /// that costs would tell about the records of others.
    init(_ condition: QueryCondition, ofRecordsBy creator: UserRecordID, in scope: IndexScope) {
        let plan = QueryPlan(condition, in: scope)
        self.init(
            .creators([creator]),
            isExact: condition == .constant(true),
            missing: plan.missing,
            unanswered: plan.isExact ? ["these conditions yet"] : plan.unanswered
        )
    }

    private static func joined<Element: Hashable>(
        _ plans: [QueryPlan],
        _ elements: (QueryPlan) -> [Element]
    ) -> [Element] {
        var known: Set<Element> = []
        return plans.flatMap(elements).filter { known.insert($0).inserted }
    }

    private static func plan(of test: QueryTest, in scope: IndexScope) -> QueryPlan {
        switch test {
        case .equals(let attribute, let values): plan(of: values, attribute, in: scope)
        case .missing(.field(let name, let field)):
            field.isUsable(.sortable)
                // NaN has an entry too.
                ? QueryPlan(
                    .missing(.field(name: name, field), number: field.number),
                    isExact: field.type != .double
                ) : QueryPlan(nil, isExact: false, missing: field.lack(.sortable, name))
        case .within(let attribute, let range): plan(of: range, attribute, isExact: true, in: scope)
        case .begins(let attribute, let prefix):
            // The index ignores case.
            plan(of: QueryRange(textsBeginningWith: prefix), attribute, isExact: false, in: scope)
        case .words(let words, let fields): plan(of: words, in: fields)
        case .distance(let name, let field, let test): plan(of: test, name, field, in: scope)
        case .isOneOf(let ids):
            // In the scope of a creator, a name would be looked up among the records of others.
            scope.isOfCreator ? QueryPlan(nil, isExact: false) : QueryPlan(.ids(ids), isExact: true)
        case .createdBy(let users): plan(ofCreators: users, in: scope)
        case .modifiedBy, .missing, .differs, .holds: QueryPlan(nil, isExact: false)
        }
    }

    private static func plan(of words: Set<Word>, in fields: [String: FieldDefinition]) -> QueryPlan {
        let missing = fields.sorted { $0.key < $1.key }.flatMap { $1.lack(.searchable, $0) }
        guard missing.isEmpty else { return QueryPlan(nil, isExact: false, missing: missing) }
        return QueryPlan(.words(words, fields: fields), isExact: true)
    }

    private static func plan(
        of values: Set<IndexValue>,
        _ attribute: QueryAttribute,
        in scope: IndexScope
    ) -> QueryPlan {
        switch attribute {
        case .field(let name, let field):
            if field.isUsable(.queryable) {
                return QueryPlan(.values(values, of: attribute, number: field.number), isExact: true)
            }
            return QueryPlan(nil, isExact: false, missing: field.lack(.queryable, name))
        case .createdAt, .modifiedAt:
            guard scope.hasTimes else { return QueryPlan(nil, isExact: false) }
            let ranges = values.compactMap(\.date).compactMap { OrderValue(.date($0)) }.map { value in
                let bound = QueryRange.Bound(value: value, isIncluded: true)
                return QuerySource.times(QueryRange(lower: bound, upper: bound), of: attribute)
            }
            return QueryPlan(ranges.count > 1 ? .any(ranges) : ranges.first ?? .nothing, isExact: true)
        }
    }

    private static func plan(
        of range: QueryRange,
        _ attribute: QueryAttribute,
        isExact: Bool,
        in scope: IndexScope
    ) -> QueryPlan {
        switch attribute {
        case .createdAt, .modifiedAt:
            guard scope.hasTimes else { return QueryPlan(nil, isExact: false) }
            return QueryPlan(.times(range, of: attribute), isExact: isExact)
        case .field(let name, let field):
            // The elements of lists have no order.
            guard !field.type.isList else { return QueryPlan(nil, isExact: false) }
            guard field.isUsable(.sortable) else {
                return QueryPlan(nil, isExact: false, missing: field.lack(.sortable, name))
            }
            return QueryPlan(.range(range, of: attribute, number: field.number), isExact: isExact)
        }
    }

    private static func plan(
        of test: QueryDistanceTest,
        _ name: String,
        _ field: FieldDefinition,
        in scope: IndexScope
    ) -> QueryPlan {
        switch test.relation {
        case .greater, .greaterOrEqual: return QueryPlan(nil, isExact: false)
        case .less, .lessOrEqual:
            // A very large circle is evaluated on the records.
            guard test.search(field: field.number, in: scope) != nil else { return QueryPlan(nil, isExact: false) }
            guard field.isUsable(.queryable) else {
                return QueryPlan(nil, isExact: false, missing: field.lack(.queryable, name))
            }
            return QueryPlan(.circle(test, field: name, number: field.number), isExact: true)
        }
    }

    private static func plan(ofCreators users: Set<UserRecordID>, in scope: IndexScope) -> QueryPlan {
        guard !scope.key.owner.isEmpty else { return QueryPlan(.creators(users), isExact: true) }
        // All records of the scope have the same creator.
        let isCreator = users.contains { $0.value.bytes == scope.key.owner }
        return QueryPlan(isCreator ? nil : .nothing, isExact: true)
    }
}
