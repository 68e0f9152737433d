import KinfolkModel
import KinfolkStorage

/// Reads the records of one scope in the order of a query, from one position on.
struct QueryStream {
    /// The most positions that are read at once to look for candidates.
    private static let walkedEntries = 512
    /// The most records that one statement reads: all of a standard page.
    private static let rowsAtOnce = Database.standardPage + 1

    let reader: QueryReader
    let order: QueryOrder
    let condition: QueryCondition
    private var db: Connection { reader.db }
    private var scope: IndexScope { reader.scope }
    private var type: TypeDefinition { reader.type }

    /// The record; nil if it does not satisfy the condition.
    private func found(_ row: RecordRow) -> QueryFound? {
        reader.work.recordsOpened += 1
        // An index that was edited must not show records of others.
        let subject = QuerySubject(row.content, in: scope.place, remembers: condition.isComposed)
        guard let number = row.number, row.type == type.number, scope.contains(row.content),
            condition.holds(for: subject)
        else {
            reader.work.recordsDiscarded += 1
            return nil
        }
        return QueryFound(row: row, number: number, reader: reader)
    }

    /// Calls `read` for more rows until the answer is full, or there are no more.
    ///
    /// - Parameter read: Returns the rows after one of them, at most so many.
    private func collect(
        into answer: inout QueryAnswer,
        _ read: (_ last: RecordRow?, _ limit: Int) throws -> [RecordRow]
    ) throws {
        var last: RecordRow?
        while !answer.isFull {
            let limit = min(answer.room, QueryStream.rowsAtOnce)
            let rows = try read(last, limit)
            for row in rows where !answer.isFull {
                if let found = found(row) { answer.append(found) }
            }
            last = rows.last
            guard rows.count == limit else { break }
        }
    }

    // MARK: By number

    /// The next records of a source, in the order of their numbers.
    func byNumber(_ source: QuerySource?, after position: QueryPosition?, into answer: inout QueryAnswer) throws {
        let start = position?.number ?? Int64.min
        if let tags = reader.tags(of: source), tags.count == 1 {
            return try collect(into: &answer) { last, limit in
                let rows = try IndexTable.rows(
                    under: tags[0],
                    type: type.number,
                    after: last?.number ?? start,
                    limit: limit,
                    in: scope,
                    db
                )
                reader.work.entriesRead += rows.count
                return rows
            }
        }
        let numbers = try reader.numbers(source, isExact: false)
        try rows(of: Array(numbers[numbers.partitioningIndex { $0 > start }...]), into: &answer)
    }

    /// The first of these records that satisfy the condition.
    private func rows(of numbers: [Int64], into answer: inout QueryAnswer) throws {
        guard !answer.isFull else { return }
        try reader.forEachRow(of: numbers, atOnce: answer.room) { row in
            if let found = found(row) { answer.append(found) }
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
            guard let found = found(row) else { return true }
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
            if found(row) != nil { count += 1 }
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
        let start = position.flatMap { position in
            position.values.first.flatMap(\.self)?.microseconds.map {
                RecordTable.TimePosition(time: $0, number: position.number)
            }
        }
        try collect(into: &answer) { last, limit in
            let previous = last.flatMap { row in
                row.number.map { RecordTable.TimePosition(time: row.time(time), number: $0) }
            }
            let rows =
                isAscending
                ? try RecordTable.rows(
                    ofType: type.number,
                    by: time,
                    after: previous ?? start ?? RecordTable.TimePosition(time: times.lowerBound, number: Int64.min),
                    through: times.upperBound,
                    limit: limit,
                    in: scope.place,
                    db
                )
                : try RecordTable.rows(
                    ofType: type.number,
                    by: time,
                    before: previous ?? start ?? RecordTable.TimePosition(time: times.upperBound, number: Int64.max),
                    downTo: times.lowerBound,
                    limit: limit,
                    in: scope.place,
                    db
                )
            reader.work.entriesRead += rows.count
            return rows
        }
    }

    /// The next candidates in the order of a time. Others are not opened.
    func byTime(
        _ time: RecordTable.Time,
        isAscending: Bool,
        among candidates: Set<Int64>,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        let limit = QueryStream.walkedEntries
        var last =
            position.flatMap { position in
                position.values.first.flatMap(\.self)?.microseconds.map {
                    RecordTable.TimePosition(time: $0, number: position.number)
                }
            } ?? (isAscending ? .start : .end)
        var left = candidates.count
        while !answer.isFull, left > 0 {
            let positions = try RecordTable.positions(
                ofType: type.number,
                by: time,
                isAscending: isAscending,
                after: last,
                limit: limit,
                in: scope.place,
                db
            )
            reader.work.entriesRead += positions.count
            let numbers = positions.map(\.number).filter(candidates.contains)
            left -= numbers.count
            try rows(of: numbers, into: &answer)
            guard let end = positions.last, positions.count == limit else { break }
            last = end
        }
    }

    // MARK: The order of a field

    /// The next records in the order of a SORTABLE field.
    ///
    /// - Parameters:
    ///   - range: The range of values.
    ///   - hasMissing: Whether records without a value are meant too.
    ///   - candidates: The numbers of the records that may satisfy the condition; nil for all.
    func byField(
        _ field: SortedField,
        _ range: QueryRange,
        hasMissing: Bool,
        among candidates: Set<Int64>?,
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
        among candidates: Set<Int64>?,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        var last = position?.number ?? (field.isAscending ? Int64.min : Int64.max)
        while !answer.isFull {
            let limit = candidates == nil ? answer.room : QueryStream.walkedEntries
            let numbers = try reader.numbersWithoutValue(field, after: last, limit: limit)
            try rows(of: numbers.filter { candidates?.contains($0) ?? true }, into: &answer)
            guard let end = numbers.last, numbers.count == limit else { break }
            last = end
        }
    }

    private func withValue(
        _ field: SortedField,
        _ range: QueryRange,
        among candidates: Set<Int64>?,
        after position: QueryPosition?,
        into answer: inout QueryAnswer
    ) throws {
        var positions = try reader.positions(of: range, field.attribute, field.number)
        if let key = position?.orderKey {
            let gap = try reader.gap(of: key, field.attribute, field.number)
            if field.isAscending {
                let start = gap.upper ?? positions.upperBound
                positions = min(max(start, positions.lowerBound), positions.upperBound)..<positions.upperBound
            } else {
                // The key itself, if the record is still there, is the lower end of the gap.
                let list = reader.list(of: field.number)
                let own = try OrderTable.position(of: key.number, in: list, db)
                let end = own.flatMap { $0 == gap.lower ? $0 : nil } ?? gap.upper ?? positions.upperBound
                positions = positions.lowerBound..<max(min(end, positions.upperBound), positions.lowerBound)
            }
        }
        guard let candidates else { return try all(at: positions, field, into: &answer) }
        try walk(positions, field, candidates, into: &answer)
    }

    private func all(at positions: Range<Int64>, _ field: SortedField, into answer: inout QueryAnswer) throws {
        let list = reader.list(of: field.number)
        var positions = positions
        try collect(into: &answer) { _, limit in
            let rows =
                field.isAscending
                ? try OrderTable.rows(
                    after: positions.lowerBound - 1,
                    through: positions.upperBound - 1,
                    limit: limit,
                    of: list,
                    db
                )
                : try OrderTable.rows(
                    before: positions.upperBound,
                    downTo: positions.lowerBound,
                    limit: limit,
                    of: list,
                    db
                )
            reader.work.entriesRead += rows.count
            if let last = rows.last?.position {
                positions = field.isAscending ? last + 1..<positions.upperBound : positions.lowerBound..<last
            }
            return rows.map(\.row)
        }
    }

    /// Reads positions, and opens only candidates.
    private func walk(
        _ positions: Range<Int64>,
        _ field: SortedField,
        _ candidates: Set<Int64>,
        into answer: inout QueryAnswer
    ) throws {
        let list = reader.list(of: field.number)
        let limit = QueryStream.walkedEntries
        var (rest, left) = (positions, candidates.count)
        while !answer.isFull, left > 0 {
            let entries =
                field.isAscending
                ? try OrderTable.entries(after: rest.lowerBound - 1, of: list, limit: limit, db)
                : try OrderTable.entries(before: rest.upperBound, of: list, limit: limit, db)
            let inside = entries.prefix { rest.contains($0.position) }
            reader.work.entriesRead += inside.count
            let numbers = inside.map(\.number).filter(candidates.contains)
            left -= numbers.count
            try rows(of: numbers, into: &answer)
            guard let last = inside.last, inside.count == limit else { break }
            rest = field.isAscending ? last.position + 1..<rest.upperBound : rest.lowerBound..<last.position
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

extension Array where Element == Int64 {
    /// The first index whose element satisfies a condition that all later ones satisfy too.
    fileprivate func partitioningIndex(_ condition: (Int64) -> Bool) -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = condition(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
