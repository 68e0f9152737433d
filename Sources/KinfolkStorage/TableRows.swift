/// The rows of a table in the order of its primary key, which is the same on all engines: for work on every table.
package struct TableRows: Sendable {
    /// The keys greater than `above` and up to `through`; nil for no limit.
    package struct KeyRange: Sendable {
        package let above: [Value]?
        package let through: [Value]?

        package static let all = KeyRange(above: nil, through: nil)

        package init(above: [Value]?, through: [Value]?) {
            self.above = above
            self.through = through
        }
    }

    /// The number of rows, and the total number of characters and bytes in their columns of variable length.
    package struct Measure: Equatable, Sendable {
        package let rows: Int
        package let length: Int
    }

    package let table: TableDescription
    private let condition: String?
    private let columns: String
    private let key: String
    private let length: String

    /// - Parameter condition: The condition, in SQL, for the rows that count; nil for all rows.
    package init(_ table: TableDescription, where condition: String? = nil) {
        self.table = table
        self.condition = condition
        columns = table.columns.map(\.name).joined(separator: ", ")
        key = table.key.map { table.columns[$0].name }.joined(separator: ", ")
        let varied = table.columns.filter { $0.type == .bytes || $0.type == .text }
        length = varied.isEmpty ? "0" : varied.map { "coalesce(length(\($0.name)), 0)" }.joined(separator: " + ")
    }

    // MARK: Queries

    /// Measures the first rows of a range, at most `limit`.
    package func measure(_ range: KeyRange, limit: Int, _ db: Connection) throws -> Measure {
        let (filter, values) = filter(range)
        let page = "SELECT \(length) AS length FROM \(table.name) \(filter) ORDER BY \(key) LIMIT $\(values.count + 1)"
        return try db.using(
            // On a server, the sum of integers has a wider type.
            composed: "SELECT count(*), CAST(coalesce(sum(length), 0) AS BIGINT) FROM (\(page)) AS page",
            values + [.integer(Int64(limit))]
        ) { row in
            guard try row.step() else { return Measure(rows: 0, length: 0) }
            return Measure(rows: Int(row.integer(0)), length: Int(row.integer(1)))
        }
    }

    /// The key of the row that has exactly `count` rows of the range before it; nil if there are not enough rows.
    package func key(after count: Int, in range: KeyRange, _ db: Connection) throws -> [Value]? {
        let (filter, values) = filter(range)
        return try db.using(
            composed: "SELECT \(key) FROM \(table.name) \(filter) ORDER BY \(key) LIMIT 1 OFFSET $\(values.count + 1)",
            values + [.integer(Int64(count))]
        ) { row in
            guard try row.step() else { return nil }
            return table.key.enumerated().map { row.value(Int32($0), table.columns[$1].type) }
        }
    }

    /// Calls `body` for each of the first rows of a range, at most `limit`.
    package func forEach(
        in range: KeyRange,
        limit: Int,
        _ db: Connection,
        _ body: (any Statement) throws -> Void
    ) throws {
        let (filter, values) = filter(range)
        try db.using(
            composed: "SELECT \(columns) FROM \(table.name) \(filter) ORDER BY \(key) LIMIT $\(values.count + 1)",
            values + [.integer(Int64(limit))]
        ) { row in
            while try row.step() { try body(row) }
        }
    }

    // MARK: Changes

    package func delete(_ range: KeyRange, _ db: Connection) throws {
        let (filter, values) = filter(range)
        try db.using(composed: "DELETE FROM \(table.name) \(filter)", values) { while try $0.step() {} }
    }

    /// How many rows one statement inserts. On a server, where each statement has a cost, this is much faster than inserting them
    /// one by one.
    private static let rowsOfInsertion = 50

    /// Inserts rows, whose columns are consecutive in `values`.
    package func insert(_ values: [Value], _ db: Connection) throws {
        let many = TableRows.rowsOfInsertion * table.columns.count
        let end = values.count - values.count % many
        try insert(values[..<end], rows: TableRows.rowsOfInsertion, db)
        try insert(values[end...], rows: 1, db)
    }

    private func insert(_ values: ArraySlice<Value>, rows: Int, _ db: Connection) throws {
        let width = table.columns.count
        let places = (0..<rows).map { row in
            "(" + (1...width).map { "$\(row * width + $0)" }.joined(separator: ", ") + ")"
        }
        let sql = "INSERT INTO \(table.name) (\(columns)) VALUES \(places.joined(separator: ", "))"
        try db.using(composed: sql, []) { statement in
            for start in stride(from: values.startIndex, to: values.endIndex, by: rows * width) {
                try statement.bind(Array(values[start..<start + rows * width]))
                try statement.enqueue { _ in }
            }
            try statement.flush()
        }
    }

    private func filter(_ range: KeyRange) -> (sql: String, values: [Value]) {
        var conditions = condition.map { [$0] } ?? []
        var values: [Value] = []
        func compare(_ sign: String, _ bound: [Value]?) {
            guard let bound else { return }
            let places = bound.indices.map { "$\(values.count + $0 + 1)" }.joined(separator: ", ")
            conditions.append("(\(key)) \(sign) (\(places))")
            values += bound
        }
        compare(">", range.above)
        compare("<=", range.through)
        return (conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "), values)
    }

    // MARK: A row

    /// Appends all columns of a row from ``forEach(in:limit:_:_:)``.
    package func append(_ row: any Statement, to values: inout [Value]) {
        for (index, column) in table.columns.enumerated() { values.append(row.value(Int32(index), column.type)) }
    }

    package func key(of row: any Statement) -> [Value] {
        table.key.map { row.value(Int32($0), table.columns[$0].type) }
    }

    /// Whether a key comes before another one of the same table.
    package static func precedes(_ key: [Value], _ other: [Value]) throws -> Bool {
        for (value, other) in zip(key, other) {
            switch (value, other) {
            case (.integer(let value), .integer(let other)) where value != other: return value < other
            case (.text(let value), .text(let other)) where !value.utf8.elementsEqual(other.utf8):
                return value.utf8.lexicographicallyPrecedes(other.utf8)
            case (.bytes(let value), .bytes(let other)) where value != other:
                return value.lexicographicallyPrecedes(other)
            case (.integer, .integer), (.text, .text), (.bytes, .bytes): continue
            default: throw StorageError(.corrupt)
            }
        }
        return false
    }

    /// Encodes a row unambiguously and in the same way for all engines: for each column whether it has a value, the length, and
    /// the bytes.
    package func append(_ row: any Statement, to bytes: inout [UInt8]) {
        for (index, column) in table.columns.enumerated() {
            let index = Int32(index)
            guard !row.isNull(index) else {
                bytes.append(0)
                continue
            }
            bytes.append(1)
            switch column.type {
            case .integer: append(UInt64(bitPattern: row.integer(index)), to: &bytes)
            case .real: append(row.real(index).bitPattern, to: &bytes)
            case .text, .bytes:
                let content = row.bytes(inPlace: index)
                append(UInt64(content.count), to: &bytes)
                bytes += content
            }
        }
    }

    private func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}
