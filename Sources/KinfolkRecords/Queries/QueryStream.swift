import KinfolkModel
import KinfolkStorage

/// Reads the records of one scope in the order of a query, from one position on.
struct QueryStream {
    /// The most positions that are read at once to look for candidates.
    private static let walkedEntries = 512
    /// How many positions are read first to look for candidates.
    private static func firstWalk(_ answer: QueryAnswer) -> Int { min(max(2 * answer.room, 16), walkedEntries) }

    /// The most records that one statement reads: all of a standard page.
    private static let rowsAtOnce = Database.standardPage + 1

    let reader: QueryReader
    let order: QueryOrder
    let condition: QueryCondition
    private let scans: Int
    private var db: Connection { reader.db }
    private var scope: IndexScope { reader.scope }
    private var type: TypeDefinition { reader.type }

    init(reader: QueryReader, order: QueryOrder, condition: QueryCondition) {
        self.reader = reader
        self.order = order
        self.condition = condition
        scans = condition.scans
    }

    /// The record; nil if it does not satisfy the condition.
    private func found(_ row: RecordRow) throws -> QueryFound? {
        reader.work.open()
        try reader.work.compare(bytes: row.size, scans: scans)
        // An index that was edited must not show records of others.
        guard let number = row.number, row.type == type.number, scope.contains(row.content), satisfies(row) else {
            reader.work.discard()
            return nil
        }
        return QueryFound(row: row, number: number, reader: reader)
    }

    private func satisfies(_ row: RecordRow) -> Bool {
        if case .constant(let holds) = condition.root { return holds }
        return condition.holds(for: QuerySubject(row.content, in: scope.place, remembers: condition.isComposed))
    }

    /// Calls `read` for more rows until the answer is full, or there are no more.
    ///
    /// - Parameter read: Calls its last argument for the next rows, at most so many, until that returns false.
    private func collect(
        into answer: inout QueryAnswer,
        _ read: (_ limit: Int, _ body: (RecordRow) throws -> Bool) throws -> Void
    ) throws {
        while !answer.isFull {
            let limit = min(answer.room, QueryStream.rowsAtOnce)
            var count = 0
            try read(limit) { row in
                count += 1
                if let found = try found(row) { answer.append(found) }
                return !answer.isFull
            }
            try reader.work.read(entries: count)
            guard count == limit else { break }
        }
    }

    // MARK: By number

    /// The next records of a source, in the order of their numbers.
    func byNumber(_ source: QuerySource?, after position: QueryPosition?, into answer: inout QueryAnswer) throws {
        let start = position?.number ?? Int64.min
        if let tags = reader.tags(of: source), tags.count == 1 {
            var last = start
            return try collect(into: &answer) { limit, body in
                try IndexTable.forEachRow(
                    under: tags[0],
                    type: type.number,
                    after: last,
                    limit: limit,
                    in: scope,
                    db
                ) { row in
                    last = row.number ?? last
                    return try body(row)
                }
            }
        }
        var (last, limit) = (start, answer.room)
        while !answer.isFull {
            let (numbers, end) = try reader.next(source, after: last, limit: limit)
            try rows(of: numbers, into: &answer)
            guard let end else { break }
            // Few of the candidates may satisfy the condition.
            (last, limit) = (end, min(2 * limit, QueryStream.walkedEntries))
        }
    }

    /// The first of these records that satisfy the condition.
    private func rows(of numbers: [Int64], into answer: inout QueryAnswer) throws {
        guard !answer.isFull else { return }
        try reader.forEachRow(of: numbers, atOnce: answer.room) { row in
            if let found = try found(row) { answer.append(found) }
            return !answer.isFull
        }
    }

    // MARK: Sorted

    /// The next records of a source, all of which are read and sorted.
    func sorted(_ source: QuerySource?, after position: QueryPosition?, into answer: inout QueryAnswer) throws {
        let count = answer.room
        var next: [QueryPosition] = []
        func keepFirst() {
            next.sort(by: order.isInOrder)
            next.removeLast(max(0, next.count - count))
        }
        try reader.forEachRow(of: reader.numbers(source, isExact: false)) { row in
            guard let found = try found(row) else { return true }
            let own = order.position(of: found)
            if let position, !order.isInOrder(position, own) { return true }
            next.append(own)
            // Neither all records nor all positions fit into memory.
            if next.count >= 4 * count { keepFirst() }
            return true
        }
        keepFirst()
        try reader.forEachRow(of: next.map(\.number)) { row in
            if let number = row.number { answer.append(QueryFound(row: row, number: number, reader: reader)) }
            return !answer.isFull
        }
    }

    /// How many records of a source satisfy the condition.
    func count(_ source: QuerySource?) throws -> Int {
        var count = 0
        try reader.forEachRow(of: reader.numbers(source, isExact: false)) { row in
            if try found(row) != nil { count += 1 }
            return true
        }
        return count
    }

    // MARK: Times

    /// The next records in the order of a time.
    func byTime(
        _ time: RecordTable.Time,
        _ range: QueryRange,
        isAscending: Bool,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        guard let times = range.times else { return }
        var last =
            position.flatMap { position in
                position.values.first.flatMap(\.self)?.microseconds.map {
                    RecordTable.TimePosition(time: $0, number: position.number)
                }
            }
            ?? (isAscending
                ? RecordTable.TimePosition(time: times.lowerBound, number: Int64.min)
                : RecordTable.TimePosition(time: times.upperBound, number: Int64.max))
        try collect(into: &answer) { limit, body in
            func next(_ row: RecordRow) throws -> Bool {
                if let number = row.number { last = RecordTable.TimePosition(time: row.time(time), number: number) }
                return try body(row)
            }
            if isAscending {
                try RecordTable.forEachRow(
                    ofType: type.number,
                    by: time,
                    after: last,
                    through: times.upperBound,
                    limit: limit,
                    in: scope.place,
                    db,
                    next
                )
            } else {
                try RecordTable.forEachRow(
                    ofType: type.number,
                    by: time,
                    before: last,
                    downTo: times.lowerBound,
                    limit: limit,
                    in: scope.place,
                    db,
                    next
                )
            }
        }
    }

    /// The next candidates in the order of a time. Others are not opened.
    func byTime(
        _ time: RecordTable.Time,
        isAscending: Bool,
        among candidates: QueryCandidates,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        var limit = QueryStream.firstWalk(answer)
        var last =
            position.flatMap { position in
                position.values.first.flatMap(\.self)?.microseconds.map {
                    RecordTable.TimePosition(time: $0, number: position.number)
                }
            } ?? (isAscending ? .start : .end)
        while !answer.isFull, candidates.mayHaveMore {
            let positions = try RecordTable.positions(
                ofType: type.number,
                by: time,
                isAscending: isAscending,
                after: last,
                limit: limit,
                in: scope.place,
                db
            )
            try reader.work.read(entries: positions.count)
            try rows(of: candidates.among(positions.map(\.number)), into: &answer)
            guard let end = positions.last, positions.count == limit else { break }
            (last, limit) = (end, min(2 * limit, QueryStream.walkedEntries))
        }
    }

    // MARK: The order of a field

    /// The next records in the order of a SORTABLE field.
    ///
    /// - Parameters:
    ///   - range: The range of values.
    ///   - hasMissing: Whether records without a value are meant too.
    ///   - candidates: The records that may satisfy the condition; nil for all.
    func byField(
        _ field: SortedField,
        _ range: QueryRange,
        hasMissing: Bool,
        among candidates: QueryCandidates?,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        for part in field.isAscending ? [Part.missing, .values] : [.values, .missing] {
            // The position may be in a later part.
            let isInPart = position.map { ($0.orderKey == nil) == (part == .missing) } ?? false
            let isOver = position != nil && !isInPart && (part == .missing) == field.isAscending
            guard !isOver, !answer.isFull else { continue }
            let start = isInPart ? position : nil
            switch part {
            case .missing where hasMissing:
                try withoutValue(field, among: candidates, after: start, into: &answer)
            case .missing: continue
            case .values:
                try withValue(field, range, among: candidates, after: start, into: &answer)
            }
        }
    }

    private enum Part { case missing, values }

    private func withoutValue(
        _ field: SortedField,
        among candidates: QueryCandidates?,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        var last = position?.number ?? (field.isAscending ? Int64.min : Int64.max)
        while !answer.isFull {
            let limit = candidates == nil ? answer.room : QueryStream.walkedEntries
            let numbers = try reader.numbersWithoutValue(field, after: last, limit: limit)
            try rows(of: candidates?.among(numbers) ?? numbers, into: &answer)
            guard let end = numbers.last, numbers.count == limit else { break }
            last = end
        }
    }

    private func withValue(
        _ field: SortedField,
        _ range: QueryRange,
        among candidates: QueryCandidates?,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        var positions = try reader.positions(of: range, field.attribute, field.number)
        if let key = position?.orderKey {
            if let own = try reader.position(of: key, field.attribute, field.number) {
                positions =
                    field.isAscending
                    ? max(own + 1, positions.lowerBound)..<max(own + 1, positions.upperBound)
                    : positions.lowerBound..<max(min(own, positions.upperBound), positions.lowerBound)
            } else {
                let gap = try reader.gap(of: key, field.attribute, field.number)
                let edge = gap.upper ?? positions.upperBound
                positions =
                    field.isAscending
                    ? min(max(edge, positions.lowerBound), positions.upperBound)..<positions.upperBound
                    : positions.lowerBound..<max(min(edge, positions.upperBound), positions.lowerBound)
            }
        }
        guard let candidates else { return try all(at: positions, field, into: &answer) }
        try walk(positions, field, candidates, into: &answer)
    }

    private func all(at positions: Range<Int64>, _ field: SortedField, into answer: inout QueryAnswer) throws {
        let list = reader.list(of: field.number)
        var positions = positions
        try collect(into: &answer) { limit, body in
            let rest = positions
            if field.isAscending {
                try OrderTable.forEachRow(
                    after: rest.lowerBound - 1,
                    through: rest.upperBound - 1,
                    limit: limit,
                    of: list,
                    db
                ) { row, position in
                    positions = position + 1..<rest.upperBound
                    return try body(row)
                }
            } else {
                try OrderTable.forEachRow(
                    before: rest.upperBound,
                    downTo: rest.lowerBound,
                    limit: limit,
                    of: list,
                    db
                ) { row, position in
                    positions = rest.lowerBound..<position
                    return try body(row)
                }
            }
        }
    }

    /// Reads positions, and opens only candidates.
    private func walk(
        _ positions: Range<Int64>,
        _ field: SortedField,
        _ candidates: QueryCandidates,
        into answer: inout QueryAnswer
    ) throws {
        let list = reader.list(of: field.number)
        var (rest, limit) = (positions, QueryStream.firstWalk(answer))
        while !answer.isFull, candidates.mayHaveMore {
            let entries =
                field.isAscending
                ? try OrderTable.entries(after: rest.lowerBound - 1, of: list, limit: limit, db)
                : try OrderTable.entries(before: rest.upperBound, of: list, limit: limit, db)
            let inside = entries.prefix { rest.contains($0.position) }
            try reader.work.read(entries: inside.count)
            try rows(of: candidates.among(inside.map(\.number)), into: &answer)
            guard let last = inside.last, inside.count == limit else { break }
            rest = field.isAscending ? last.position + 1..<rest.upperBound : rest.lowerBound..<last.position
            limit = min(2 * limit, QueryStream.walkedEntries)
        }
    }
}

extension RecordRow {
    /// A time in microseconds.
    fileprivate func time(_ time: RecordTable.Time) -> Int64 {
        switch time {
        case .creation: content.createdAt.microseconds
        case .modification: content.modifiedAt.microseconds
        }
    }
}
