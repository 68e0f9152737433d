import KinfolkAccounts
import KinfolkModel
import KinfolkStorage

/// A query on the records that a session may read, in one transaction.
struct QueryRun {
    /// The most records that conditions and orders without an index look at.
    static let maximumCandidates = 10_000
    /// With at most this many candidates, they are sorted. With more, the index of the order is read until enough candidates are found.
    private static let sortedCandidates = 1_000
    /// With at least this many candidates, entries of the index of the order are first looked up one by one: reading the numbers of all
    /// candidates costs more.
    private static let manyCandidates = 8_192

    private let transaction: RecordTransaction
    private let readers: [QueryReader]
    private let condition: QueryCondition
    let order: QueryOrder
    private let plan: QueryPlan
    private let work: QueryWork
    private let type: TypeDefinition
    /// Whether the indexes of system times may be used.
    private let hasTimes: Bool

    /// - Parameters:
    ///   - zone: The name of the zone; nil for all zones of the database.
    ///   - position: Where the page begins; nil for the first page.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such record type, ``KinfolkError/Code/invalidArgument`` if it has not the
    ///   fields, ``KinfolkError/Code/permissionFailure`` if the session may read no records of it.
    init(
        _ query: Query,
        inZone zone: String?,
        after position: QueryPosition? = nil,
        _ transaction: RecordTransaction,
        _ schema: ContainerSchema
    ) throws {
        guard let declared = schema.types[query.recordType] else {
            throw KinfolkError(.unknownItem, "There is no such record type.")
        }
        // Before the fields are looked up, which callers who may read no records do not learn.
        let scopes = try QueryRun.scopes(of: declared, inZone: zone, transaction)
        let creator = QueryRun.creatorWithoutScope(of: declared, transaction)
        // Also the indexes of times and of names have the records of others.
        let type = creator == nil ? declared : declared.withoutCompleteIndexes
        let binding = QueryBinding(type: type)
        let condition = try binding.condition(query.predicate.tree)
        let work = QueryWork()
        self.work = work
        readers = scopes.map { QueryReader($0, type, work, transaction.db) }
        let order = try QueryOrder(query.sortDescriptors, binding)
        hasTimes = creator == nil && scopes.allSatisfy(\.hasTimes)
        self.order =
            order.parts.isEmpty
            ? QueryRun.order(ofUnordered: condition, hasTimes: hasTimes, after: position) ?? order : order
        let scope = scopes.first ?? IndexScope(of: transaction.place)
        plan = creator.map { QueryPlan(condition, ofRecordsBy: $0, in: scope) } ?? QueryPlan(condition, in: scope)
        self.transaction = transaction
        self.condition = .joining(all: [condition] + (creator.map { [.test(.createdBy([$0]))] } ?? []))
        self.type = type
    }

    /// The order of a query that asks for none: that of the only index from which it reads. Otherwise nil, for the order of the numbers.
    ///
    /// - Parameter position: Where a later page begins. It keeps the order of the first one, also if an index was built in between.
    private static func order(
        ofUnordered condition: QueryCondition,
        hasTimes: Bool,
        after position: QueryPosition?
    ) -> QueryOrder? {
        let attribute: QueryAttribute
        switch condition.root {
        case .constant(true): attribute = .createdAt
        case .test(.within(let own, _)) where !own.kind.isList: attribute = own
        default: return nil
        }
        let isUsable =
            switch attribute {
            case .createdAt, .modifiedAt: hasTimes
            case .field(_, let field): field.isUsable(.sortable)
            }
        return position.map { !$0.values.isEmpty } ?? isUsable ? QueryOrder(ascending: attribute) : nil
    }

    private static func scopes(
        of type: TypeDefinition,
        inZone zone: String?,
        _ transaction: RecordTransaction
    ) throws -> [IndexScope] {
        if let zone {
            guard !ReservedZone.isReserved(zone), let place = try transaction.place(ofZone: zone) else {
                throw RecordTransaction.noZone
            }
            guard transaction.database == .public else { return [IndexScope(of: place)] }
        }
        switch transaction.access.reading(of: type) {
        case .all where transaction.database == .private && zone == nil:
            return try [IndexScope(of: transaction.place)] + transaction.customZones().map(IndexScope.init(of:))
        case .all: return [IndexScope(of: transaction.place)]
        case .createdBy(let user) where type.hasCreatorScope(.certain):
            return [IndexScope(ofRecordsBy: user, in: transaction.place)]
        // The records of a creator have no entries of their own yet.
        case .createdBy: return [IndexScope(of: transaction.place)]
        case .none: throw RecordAccess.refusal
        }
    }

    /// The caller, if only records that it created may be read, and the entries of creators are being built.
    private static func creatorWithoutScope(of type: TypeDefinition, _ transaction: RecordTransaction) -> UserRecordID?
    {
        guard case .createdBy(let user) = transaction.access.reading(of: type) else { return nil }
        return type.hasCreatorScope(.certain) ? nil : user
    }

    // MARK: Limits

    /// How the order is made.
    private enum OrderSource {
        case number
        case time(RecordTable.Time, isAscending: Bool)
        case field(SortedField)
        /// No index has the order.
        case memory(missing: [QueryExplanation.Index])
    }

    private var orderSource: OrderSource {
        guard let part = order.parts.first else { return .number }
        guard order.parts.count == 1, case .attribute(let attribute) = part.key else { return .memory(missing: []) }
        switch attribute {
        case .createdAt where hasTimes: return .time(.creation, isAscending: part.isAscending)
        case .modifiedAt where hasTimes: return .time(.modification, isAscending: part.isAscending)
        case .createdAt, .modifiedAt: return .memory(missing: [])
        case .field(let name, let field):
            guard field.isUsable(.sortable) else { return .memory(missing: field.lack(.sortable, name)) }
            let sorted = SortedField(attribute: attribute, number: field.number, isAscending: part.isAscending)
            return .field(sorted)
        }
    }

    /// Whether there are more candidates than conditions and orders without an index may look at.
    func exceedsLimit() throws -> Bool {
        var isOpened = !plan.isExact
        if case .memory = orderSource { isOpened = true }
        return try isOpened && plan.source != .nothing && hasTooManyCandidates()
    }

    private func hasTooManyCandidates() throws -> Bool {
        let limit = QueryRun.maximumCandidates + 1
        var count = try readers.reduce(0) { count, reader in
            count < limit ? try count + reader.estimate(plan.source, limit: limit - count) : count
        }
        // Of a combination, the estimate may be too high.
        if count >= limit, plan.source != nil {
            count = try readers.reduce(0) { try $0 + $1.numbers(plan.source).count }
        }
        return count >= limit
    }

    private var tooManyCandidates: KinfolkError {
        let missing = explanation.missingIndexes
        var unanswered = missing.isEmpty ? plan.unanswered : []
        if missing.isEmpty, case .memory = orderSource { unanswered.append("this order") }
        let advice =
            missing.isEmpty
            ? "No index answers \(unanswered.joined(separator: ", ")): add a condition that an index answers."
            : "It lacks these indexes: \(missing.map(\.description).joined(separator: ", "))."
        return KinfolkError(
            .limitExceeded,
            "The query would read more than \(QueryRun.maximumCandidates) records. \(advice)"
        )
    }

    // MARK: Answers

    /// The next records after a position, and whether there are more.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if there are more candidates than conditions without an index may look at.
    func page(after position: QueryPosition?, limit: Int) throws -> (found: [QueryFound], hasMore: Bool) {
        guard plan.source != .nothing else { return ([], false) }
        let source = orderSource
        guard try !exceedsLimit() else { throw tooManyCandidates }
        var answer = QueryAnswer(limit: limit)
        for reader in readers {
            var next = QueryAnswer(limit: limit)
            try read(reader, source, after: position, into: &next)
            if readers.count > 1 { answer = merged(answer.records + next.records, limit: limit) } else { answer = next }
        }
        let page = answer.page
        // Otherwise a damaged index could lead from page to page for ever.
        if let position, let last = page.found.last, !order.isInOrder(position, order.position(of: last)) {
            throw KinfolkError.damaged("An index is not in the order of its records.")
        }
        return page
    }

    /// The first of records from several zones.
    private func merged(_ found: [QueryFound], limit: Int) -> QueryAnswer {
        let placed = found.map { (found: $0, position: order.position(of: $0)) }
        var answer = QueryAnswer(limit: limit)
        for record in placed.sorted(by: { order.isInOrder($0.position, $1.position) }) where !answer.isFull {
            answer.append(record.found)
        }
        return answer
    }

    private func read(
        _ reader: QueryReader,
        _ source: OrderSource,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        let stream = QueryStream(reader: reader, order: order, condition: condition)
        switch source {
        case .number: try stream.byNumber(plan.source, after: position, into: &answer)
        case .memory: try stream.sorted(plan.source, after: position, into: &answer)
        case .time(let time, let isAscending):
            if let range = range(of: time == .creation ? .createdAt : .modifiedAt) {
                return try stream.byTime(time, range, isAscending: isAscending, after: position, into: &answer)
            }
            guard let candidates = try manyCandidates(reader) else {
                return try stream.sorted(plan.source, after: position, into: &answer)
            }
            return try stream.byTime(time, isAscending: isAscending, among: candidates, after: position, into: &answer)
        case .field(let field):
            if let range = range(of: field.attribute) {
                let hasMissing = condition == .constant(true)
                return try stream.byField(
                    field,
                    range,
                    hasMissing: hasMissing,
                    among: nil,
                    after: position,
                    into: &answer
                )
            }
            guard let candidates = try manyCandidates(reader) else {
                return try stream.sorted(plan.source, after: position, into: &answer)
            }
            return try stream.byField(
                field,
                .all,
                hasMissing: true,
                among: candidates,
                after: position,
                into: &answer
            )
        }
    }

    /// The candidates, if there are too many to sort them all.
    private func manyCandidates(_ reader: QueryReader) throws -> QueryCandidates? {
        let few = QueryRun.sortedCandidates
        guard plan.isExact, try reader.estimate(plan.source, limit: few + 1) > few else { return nil }
        let many = QueryRun.manyCandidates
        let looksUp = try plan.source?.isLookedUp == true && reader.estimate(plan.source, limit: many) == many
        return QueryCandidates(plan.source, reader, looksUp: looksUp)
    }

    /// The range of values if the whole condition is one, of the attribute by which the records are ordered.
    private func range(of attribute: QueryAttribute) -> QueryRange? {
        switch condition.root {
        case .constant(true): return .all
        case .test(.within(attribute, let range)) where plan.isExact: return range
        default: return nil
        }
    }

    /// How many records satisfy the condition.
    func count() throws -> Int {
        guard plan.source != .nothing else { return 0 }
        guard plan.isExact else {
            guard try !hasTooManyCandidates() else { throw tooManyCandidates }
            return try readers.reduce(0) { count, reader in
                let stream = QueryStream(reader: reader, order: order, condition: condition)
                return try count + stream.count(plan.source)
            }
        }
        return try readers.reduce(0) { count, reader in
            switch plan.source {
            // A record can have several of the values.
            case .values(let values, let attribute, _)? where values.count > 1 && attribute.kind.isList:
                try count + reader.numbers(plan.source).count
            case .all?, .any?, .ids?, .creators?, .words?, .circle?: try count + reader.numbers(plan.source).count
            default: try count + reader.estimate(plan.source, limit: Int.max)
            }
        }
    }

    /// Which indexes are used, and what the first page reads.
    func explanation(ofPage limit: Int) throws -> QueryExplanation {
        let exceedsLimit = try exceedsLimit()
        if !exceedsLimit { _ = try page(after: nil, limit: limit) }
        var explanation = explanation
        explanation.exceedsLimit = exceedsLimit
        return explanation
    }

    /// Which indexes are used, and what was read so far.
    private var explanation: QueryExplanation {
        var (indexes, missing) = (plan.source?.indexes ?? [], plan.missing)
        var isSorted = false
        switch orderSource {
        case .memory(let lacking):
            isSorted = true
            missing += lacking.filter { !missing.contains($0) }
        case .field(let field):
            let index = QueryExplanation.Index(field.attribute.name, .sortable)
            if !indexes.contains(index) { indexes.append(index) }
        case .time(let time, _):
            let attribute = time == .creation ? QueryAttribute.createdAt : .modifiedAt
            let index = QueryExplanation.Index(attribute.name, .sortable)
            if !indexes.contains(index) { indexes.append(index) }
        case .number: break
        }
        return QueryExplanation(
            indexes: indexes,
            missingIndexes: missing,
            evaluatesRecords: !plan.isExact,
            sortsRecords: isSorted,
            entriesRead: work.entriesRead,
            recordsOpened: work.recordsOpened,
            recordsDiscarded: work.recordsDiscarded
        )
    }
}
