import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Reads the numbers of records from the indexes of one scope.
final class QueryReader {
    /// With at most this many candidates left, it costs less to open them than to read another index.
    private static let fewCandidates = 8
    /// How many entries of an index cost as much as looking up one number in it.
    private static let lookUpCost = 8
    fileprivate static let pageSize = 4_096
    /// How many records a server is asked for at once.
    private static let rowsAtOnce = 50

    let scope: IndexScope
    let type: TypeDefinition
    let work: QueryWork
    let db: Connection
    private var positions: [QuerySource: Range<Int64>] = [:]
    private var estimates: [QuerySource?: (count: Int, limit: Int)] = [:]
    /// The numbers of sources that were read whole for a page.
    private var known: [QuerySource?: [Int64]] = [:]

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
        if let known = estimates[source], known.count < known.limit || limit <= known.limit {
            return min(known.count, limit)
        }
        let count = try count(source, limit: limit)
        estimates[source] = (count, limit)
        return count
    }

    private func count(_ source: QuerySource?, limit: Int) throws -> Int {
        if let tags = tags(of: source) {
            var count = 0
            for tag in tags where count < limit {
                count += try IndexTable.count(under: tag, limit: limit - count, in: scope, db)
            }
            work.count(entries: count)
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
            return try ordered(sources, upTo: limit).first.map { try estimate($0, limit: limit) } ?? 0
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
            try work.read(entries: words.count * fields.count)
            let found = try WordIndex(fields.values.map(\.number), in: scope, db).numbers(of: Array(words))
            try work.read(entries: found.count)
            return found
        case .circle(let test, _, let field)?:
            guard let search = test.search(field: field, in: scope) else { return [] }
            let found = try search.run(db)
            try work.read(entries: found.candidates)
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
            try work.read(entries: page.count)
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
        try work.read(entries: numbers.count)
        return Array(numbers.prefix(limit))
    }

    private func numbers(by time: RecordTable.Time, in times: ClosedRange<Int64>) throws -> [Int64] {
        let found = try RecordTable.numbers(ofType: type.number, by: time, in: times, in: scope.place, db)
        try work.read(entries: found.count)
        return found.sorted()
    }

    private func numbers(at positions: Range<Int64>, of field: Int64) throws -> [Int64] {
        var numbers: [Int64] = []
        var last = positions.lowerBound - 1
        let list = list(of: field)
        while true {
            let page = try OrderTable.entries(after: last, of: list, limit: QueryReader.pageSize, db)
            let inside = page.prefix { $0.position < positions.upperBound }
            try work.read(entries: inside.count)
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

    // MARK: Pages

    /// The next numbers of a source, in order.
    ///
    /// Of values it reads about as many entries as `limit`. Other indexes are not in the order of the numbers, and are read whole, once.
    ///
    /// - Returns: The numbers, and up to which number these are all; nil if there are no more. There may be others among few numbers.
    func next(_ source: QuerySource?, after start: Int64, limit: Int) throws -> (numbers: [Int64], end: Int64?) {
        if let tags = tags(of: source) {
            let pages = try tags.map { tag in
                let page = try IndexTable.numbers(under: tag, after: start, limit: limit, in: scope, db)
                try work.read(entries: page.count)
                return (numbers: page, end: page.count == limit ? page.last : nil)
            }
            return QueryReader.joined(pages)
        }
        switch source {
        case .any(let sources)?: return QueryReader.joined(try sources.map { try next($0, after: start, limit: limit) })
        case .all(let sources)?:
            let sources = try ordered(sources, upTo: QueryReader.pageSize / 8)
            guard let first = sources.first else { return ([], nil) }
            let (numbers, end) = try next(first, after: start, limit: limit)
            return (try filter(numbers, by: sources.dropFirst(), isExact: false), end)
        default:
            let numbers = try known[source] ?? numbers(source, isExact: false)
            known[source] = numbers
            guard start < Int64.max else { return ([], nil) }
            return (Array(numbers[SortedPositions.index(of: start + 1, in: numbers)...]), nil)
        }
    }

    private static func joined(_ pages: [(numbers: [Int64], end: Int64?)]) -> (numbers: [Int64], end: Int64?) {
        guard pages.count > 1 else { return pages.first ?? ([], nil) }
        let end = pages.compactMap(\.end).min()
        let numbers = Set(pages.lazy.flatMap(\.numbers)).filter { $0 <= end ?? Int64.max }
        return (numbers.sorted(), end)
    }

    // MARK: Intersections

    /// Begins with the source that has the fewest numbers, and looks these up in the others.
    private func intersection(of sources: [QuerySource], isExact: Bool) throws -> [Int64] {
        let sources = try ordered(sources)
        guard let first = sources.first else { return [] }
        return try filter(numbers(first), by: sources.dropFirst(), isExact: isExact)
    }

    /// Those of the numbers that all sources have.
    private func filter(
        _ numbers: [Int64],
        by sources: ArraySlice<QuerySource>,
        isExact: Bool
    ) throws -> [Int64] {
        var numbers = numbers
        for source in sources {
            guard !numbers.isEmpty, isExact || numbers.count > QueryReader.fewCandidates else { break }
            numbers = try filter(numbers, by: source)
        }
        return numbers
    }

    /// Those of the numbers that a source has. Large indexes are not read: the numbers are looked up in them.
    ///
    /// - Parameter numbers: In order, as those that are returned.
    func filter(_ numbers: [Int64], by source: QuerySource) throws -> [Int64] {
        switch source {
        case .all(let sources): return try filter(numbers, by: sources[...], isExact: true)
        case .any(let sources):
            var (rest, found) = (numbers, Set<Int64>())
            for source in sources where !rest.isEmpty {
                found.formUnion(try filter(rest, by: source))
                rest.removeAll(where: found.contains)
            }
            return found.sorted()
        case .words(let words, let fields):
            let index = WordIndex(fields.values.map(\.number), in: scope, db)
            try work.read(entries: numbers.count)
            return try index.numbers(of: Array(words), among: numbers)
        default: break
        }
        let cost = numbers.count * QueryReader.lookUpCost
        guard known[source] == nil, try estimate(source, limit: cost) == cost else {
            let found = Set(try known[source] ?? self.numbers(source))
            return numbers.filter(found.contains)
        }
        switch source {
        case .range(let range, let attribute, let field):
            let positions = try positions(of: range, attribute, field)
            let list = list(of: field)
            return try numbers.lookedUp(with: self) { number in
                try OrderTable.position(of: number, in: list, db).map(positions.contains) ?? false
            }
        case .times(let range, let attribute):
            guard let times = range.times else { return [] }
            return try numbers.lookedUp(with: self) { [type] number in
                try RecordTable.time(attribute.time, of: number, type: type.number, in: scope.place, db)
                    .map(times.contains) ?? false
            }
        case .circle(let test, let field, _):
            var found: [Int64] = []
            try forEachRow(of: numbers) { row in
                work.open()
                if let number = row.number, case .location(let place)? = row.content.fields[field],
                    test.holds(for: place)
                {
                    found.append(number)
                }
                return true
            }
            return found
        default:
            guard let tags = tags(of: source) else { return numbers.filter(Set(try self.numbers(source)).contains) }
            return try numbers.lookedUp(with: self) { number in
                try tags.contains { tag in
                    let entry = IndexEntry(scope: scope.key, tag: tag)
                    return try IndexTable.has(entry, of: number, in: scope.container, db)
                }
            }
        }
    }

    /// The sources with the one with the fewest numbers first. Counts no more entries of the others than that one has, times eight.
    ///
    /// - Parameter enough: Sources with at least so many numbers are in any order.
    private func ordered(_ sources: [QuerySource], upTo enough: Int = 1 << 40) throws -> [QuerySource] {
        guard sources.count > 1 else { return sources }
        var limit = 64
        while true {
            let counts = try sources.map { try estimate($0, limit: limit) }
            if counts.contains(where: { $0 < limit }) || limit >= enough {
                return zip(sources, counts).sorted { $0.1 < $1.1 }.map(\.0)
            }
            limit *= 8
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

    /// The position of the record with a key; nil if the record was deleted, or has another value now.
    func position(of key: OrderKey, _ attribute: QueryAttribute, _ field: Int64) throws -> Int64? {
        let list = list(of: field)
        guard let position = try OrderTable.position(of: key.number, in: list, db),
            OrderPositions.all.contains(position),
            let row = try row(key.number), scope.contains(row.content),
            OrderKey(of: row.content, number: key.number, in: attribute.name) == key
        else { return nil }
        work.open()
        return position
    }

    /// The entries around a key, which may itself be in the list: it is the lower one then.
    func gap(
        of key: OrderKey,
        _ attribute: QueryAttribute,
        _ field: Int64
    ) throws -> (lower: Int64?, upper: Int64?) {
        var search = OrderSearch(key, mayExist: true, attribute.name, list(of: field), db)
        try search.run()
        work.open(records: search.openedCount)
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

extension [Int64] {
    /// Those for which `isFound` returns true. A server is asked for several at once.
    fileprivate func lookedUp(with reader: QueryReader, _ isFound: (Int64) throws -> Bool) throws -> [Int64] {
        var found: [Int64] = []
        for start in stride(from: 0, to: count, by: QueryReader.pageSize) {
            let page = self[start..<Swift.min(start + QueryReader.pageSize, count)]
            try reader.work.read(entries: page.count)
            try reader.db.askAhead { for number in page { _ = try isFound(number) } }
            found += try page.filter(isFound)
        }
        return found
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
