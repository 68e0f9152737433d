import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Reads the numbers of records from the indexes of one scope.
final class QueryReader {
    /// With at most this many candidates left, it costs less to open them than to read another index.
    private static let fewCandidates = 8
    /// How many entries of an index cost as much as looking up one number in it.
    private static let lookUpCost = 8
    private static let pageSize = 4_096
    /// How many records a server is asked for at once.
    private static let rowsAtOnce = 50

    let scope: IndexScope
    let type: TypeDefinition
    let work: QueryWork
    let db: Connection
    private var positions: [QuerySource: Range<Int64>] = [:]
    private var estimates: [Estimate: Int] = [:]

    private struct Estimate: Hashable {
        let source: QuerySource?
        let limit: Int
    }

    init(_ scope: IndexScope, _ type: TypeDefinition, _ work: QueryWork, _ db: Connection) {
        self.scope = scope
        self.type = type
        self.work = work
        self.db = db
    }

    // MARK: Tags

    /// The tags of a source under all keys of the container; nil if it has none.
    func tags(of source: QuerySource?) -> [Tag]? {
        switch source {
        case .values(let values, _, let field):
            scope.tags.flatMap { tags in values.map { tags.value($0, ofField: field) } }
        case .missing(_, let field): scope.tags.map { $0.missing(field) }
        case .creators(let users): scope.tags.flatMap { tags in users.map { tags.creator($0, ofType: type.number) } }
        case nil where scope.isOfCreator: scope.tags.map { $0.type(type.number) }
        default: nil
        }
    }

    // MARK: Counts

    /// How many records a source has, up to a limit. Of a combination it may be too high.
    func estimate(_ source: QuerySource?, limit: Int) throws -> Int {
        let key = Estimate(source: source, limit: limit)
        if let known = estimates[key] { return known }
        let count = try count(source, limit: limit)
        estimates[key] = count
        return count
    }

    private func count(_ source: QuerySource?, limit: Int) throws -> Int {
        if let tags = tags(of: source) {
            var count = 0
            for tag in tags where count < limit {
                count += try IndexTable.count(under: tag, limit: limit - count, in: scope, db)
            }
            work.entriesRead += count
            return count
        }
        switch source {
        case nil:
            return try RecordTable.count(
                ofType: type.number,
                by: .creation,
                in: Int64.min...Int64.max,
                limit: limit,
                in: scope.place,
                db
            )
        case .range(let range, let attribute, let field)?:
            let positions = try self.positions(of: range, attribute, field)
            let list = list(of: field)
            return positions.isEmpty ? 0 : try OrderTable.count(positions, limit: limit, of: list, db)
        case .times(let range, let attribute)?:
            guard let times = range.times else { return 0 }
            let time = attribute.time
            return try RecordTable.count(ofType: type.number, by: time, in: times, limit: limit, in: scope.place, db)
        case .nothing?: return 0
        case .ids(let ids)?: return ids.count
        case .words(let words, let fields)?:
            let counts = try WordIndex(fields.values.map(\.number), in: scope, db).counts(of: Array(words))
            return min(limit, counts.min() ?? 0)
        case .circle(let test, _, let field)?:
            return try test.search(field: field, in: scope)?.count(atMost: limit, db) ?? 0
        case .all(let sources)?:
            return try sources.reduce(limit) { try min($0, estimate($1, limit: limit)) }
        case .any(let sources)?:
            return try sources.reduce(0) { count, source in
                count < limit ? try count + estimate(source, limit: limit - count) : count
            }
        case .values?, .missing?, .creators?: return 0
        }
    }

    // MARK: Numbers

    /// The numbers of all records of a source, in order.
    ///
    /// - Parameter isExact: Whether the numbers are not looked at afterwards. Otherwise there may be others among few numbers.
    func numbers(_ source: QuerySource?, isExact: Bool = true) throws -> [Int64] {
        if let tags = tags(of: source) {
            if tags.count == 1 { return try numbers(under: tags[0]) }
            return Array(Set(try tags.flatMap(numbers(under:)))).sorted()
        }
        switch source {
        case nil: return try numbers(by: .creation, in: Int64.min...Int64.max)
        case .nothing?, .values?, .missing?, .creators?: return []
        case .range(let range, let attribute, let field)?:
            return try numbers(at: positions(of: range, attribute, field), of: field)
        case .times(let range, let attribute)?:
            return try range.times.map { try numbers(by: attribute.time, in: $0) } ?? []
        case .ids(let ids)?: return try numbers(of: ids)
        case .words(let words, let fields)?:
            let found = try WordIndex(fields.values.map(\.number), in: scope, db).numbers(of: Array(words))
            work.entriesRead += found.count
            return found
        case .circle(let test, _, let field)?:
            guard let search = test.search(field: field, in: scope) else { return [] }
            let found = try search.run(db)
            work.entriesRead += found.candidates
            return found.matches.map(\.number).sorted()
        case .any(let sources)?:
            return Array(try sources.reduce(into: Set()) { try $0.formUnion(numbers($1)) }).sorted()
        case .all(let sources)?: return try intersection(of: sources, isExact: isExact)
        }
    }

    private func numbers(under tag: Tag) throws -> [Int64] {
        var numbers: [Int64] = []
        while true {
            let page = try IndexTable.numbers(
                under: tag,
                after: numbers.last ?? Int64.min,
                limit: QueryReader.pageSize,
                in: scope,
                db
            )
            work.entriesRead += page.count
            numbers += page
            guard page.count == QueryReader.pageSize else { return numbers }
        }
    }

    /// The next numbers of records without a value in a SORTABLE field, in the direction of the order.
    func numbersWithoutValue(_ field: SortedField, after number: Int64, limit: Int) throws -> [Int64] {
        // During a rotation, a record is under one of two tags.
        let pages = try scope.tags.map { tags in
            let tag = tags.missing(field.number)
            return field.isAscending
                ? try IndexTable.numbers(under: tag, after: number, limit: limit, in: scope, db)
                : try IndexTable.numbers(under: tag, before: number, limit: limit, in: scope, db)
        }
        let numbers = pages.count == 1 ? pages[0] : pages.joined().sorted(by: field.isAscending ? (<) : (>))
        work.entriesRead += numbers.count
        return Array(numbers.prefix(limit))
    }

    private func numbers(by time: RecordTable.Time, in times: ClosedRange<Int64>) throws -> [Int64] {
        let found = try RecordTable.numbers(ofType: type.number, by: time, in: times, in: scope.place, db)
        work.entriesRead += found.count
        return found.sorted()
    }

    private func numbers(at positions: Range<Int64>, of field: Int64) throws -> [Int64] {
        var numbers: [Int64] = []
        var last = positions.lowerBound - 1
        let list = list(of: field)
        while true {
            let page = try OrderTable.entries(after: last, of: list, limit: QueryReader.pageSize, db)
            let inside = page.prefix { $0.position < positions.upperBound }
            work.entriesRead += inside.count
            numbers += inside.map(\.number)
            guard let end = inside.last, page.count == QueryReader.pageSize, inside.count == page.count else {
                return numbers.sorted()
            }
            last = end.position
        }
    }

    private func numbers(of ids: Set<RecordID>) throws -> [Int64] {
        var numbers: Set<Int64> = []
        for id in ids where id.zone.isEmpty || id.zone == scope.place.zoneName {
            guard let found = try RecordTable.number(id, in: scope.place, db), found.type == type.number else {
                continue
            }
            numbers.insert(found.number)
        }
        return numbers.sorted()
    }

    // MARK: Intersections

    /// Begins with the source that has the fewest numbers, and looks these up in the others.
    private func intersection(of sources: [QuerySource], isExact: Bool) throws -> [Int64] {
        var rest = try ordered(sources)[...]
        guard let first = rest.popFirst() else { return [] }
        var numbers = try numbers(first)
        while !numbers.isEmpty, isExact || numbers.count > QueryReader.fewCandidates, let next = rest.popFirst() {
            let others = numbers.count * QueryReader.lookUpCost
            if let tags = tags(of: next), try estimate(next, limit: others) == others {
                numbers = try self.numbers(numbers, under: tags)
            } else {
                let found = Set(try self.numbers(next))
                numbers.removeAll { !found.contains($0) }
            }
        }
        return numbers
    }

    /// The sources with the one with the fewest numbers first. Counts no more entries of the others than that one has, times eight.
    private func ordered(_ sources: [QuerySource]) throws -> [QuerySource] {
        guard sources.count > 1 else { return sources }
        var limit = 64
        while true {
            let counts = try sources.map { try estimate($0, limit: limit) }
            if counts.contains(where: { $0 < limit }) || limit > 1 << 40 {
                return zip(sources, counts).sorted { $0.1 < $1.1 }.map(\.0)
            }
            limit *= 8
        }
    }

    /// Those of the numbers that are under one of the tags. A server is asked for several at once.
    private func numbers(_ numbers: [Int64], under tags: [Tag]) throws -> [Int64] {
        var found: [Int64] = []
        for start in stride(from: 0, to: numbers.count, by: QueryReader.pageSize) {
            let page = numbers[start..<min(start + QueryReader.pageSize, numbers.count)]
            work.entriesRead += page.count * tags.count
            // While it is asked ahead, nothing is found, and so all tags are asked for.
            try db.askAhead { for number in page { _ = try has(number, under: tags) } }
            found += try page.filter { try has($0, under: tags) }
        }
        return found
    }

    private func has(_ number: Int64, under tags: [Tag]) throws -> Bool {
        try tags.contains { tag in
            let entry = IndexEntry(scope: scope.key, tag: tag)
            return try IndexTable.has(entry, of: number, in: scope.container, db)
        }
    }

    // MARK: Positions

    /// The positions of a range of values in a SORTABLE index.
    func positions(of range: QueryRange, _ attribute: QueryAttribute, _ field: Int64) throws -> Range<Int64> {
        let source = QuerySource.range(range, of: attribute, number: field)
        if let known = positions[source] { return known }
        let (first, end) = (OrderPositions.all.lowerBound, OrderPositions.all.upperBound)
        let lower = try range.lower.map { bound in
            let key = OrderKey(value: bound.value, isBeforeEqualValues: bound.isIncluded)
            return try gap(of: key, attribute, field).upper ?? end
        }
        let upper = try range.upper.map { bound in
            let key = OrderKey(value: bound.value, isBeforeEqualValues: !bound.isIncluded)
            return try gap(of: key, attribute, field).upper ?? end
        }
        let found = (lower ?? first)..<max(lower ?? first, upper ?? end)
        positions[source] = found
        return found
    }

    /// The entries around a key, which may itself be in the list: it is the lower one then.
    func gap(
        of key: OrderKey,
        _ attribute: QueryAttribute,
        _ field: Int64
    ) throws -> (lower: Int64?, upper: Int64?) {
        var search = OrderSearch(key, mayExist: true, attribute.name, list(of: field), db)
        try search.run()
        work.recordsOpened += search.openedCount
        return (search.lower, search.upper)
    }

    /// The order of a SORTABLE field.
    func list(of field: Int64) -> OrderTable.List { OrderTable.List(of: field, ofType: type.number, in: scope) }

    // MARK: Records

    private func row(_ number: Int64) throws -> RecordRow? {
        guard let row = try RecordTable.row(number: number, in: scope.place, db), row.type == type.number else {
            return nil
        }
        return row
    }

    /// Calls `body` for the records with these numbers, in this order, until it returns false. A server is asked for several at once.
    func forEachRow(of numbers: [Int64], atOnce count: Int = rowsAtOnce, _ body: (RecordRow) throws -> Bool) throws {
        let size = min(max(1, count), QueryReader.rowsAtOnce)
        for start in stride(from: 0, to: numbers.count, by: size) {
            let page = numbers[start..<min(start + size, numbers.count)]
            if page.count > 1 { try db.askAhead { for number in page { _ = try row(number) } } }
            for number in page {
                if let row = try row(number), try !body(row) { return }
            }
        }
    }
}

extension QueryAttribute {
    /// The time of a system field.
    fileprivate var time: RecordTable.Time { self == .modifiedAt ? .modification : .creation }
}

extension OrderKey {
    /// A key before or after all records with a value.
    fileprivate init(value: OrderValue, isBeforeEqualValues: Bool) {
        self.init(
            value: value,
            tie: isBeforeEqualValues ? 0 : UInt64.max,
            number: isBeforeEqualValues ? Int64.min : Int64.max
        )
    }
}
