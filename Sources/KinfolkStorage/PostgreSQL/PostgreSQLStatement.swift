import CLibPQ

/// A prepared statement of a PostgreSQL server.
///
/// A run sends the values and receives all rows in one round trip. Columns are read from the received rows.
final class PostgreSQLStatement: Statement {
    private unowned let connection: PostgreSQLConnection
    let sql: String
    private let isQuery: Bool
    private let name: String
    private let library: kinfolk_pg
    private enum Preparation { case none, isSent, done }
    private var preparation = Preparation.none

    private var values = PostgreSQLValues()
    private var result: OpaquePointer?
    /// The prefetched answer that owns the result, if there is one: other runs may use the result too.
    private var answer: PostgreSQLAnswer?
    private var row: Int32 = -1
    private var stepCount = 0

    /// How many answers of a repeated query are in memory at once.
    private static let runLimit = 64
    /// How many keys are looked up in one round trip.
    private static let keyLimit = 20_000

    init(_ connection: PostgreSQLConnection, _ sql: String, name: String) {
        self.connection = connection
        self.sql = sql
        isQuery = sql.hasPrefix("SELECT")
        self.name = name
        library = connection.library
    }

    deinit { reset() }

    // MARK: Values

    func bind(_ values: [Value]) throws {
        for (index, value) in values.enumerated() { self.values.set(value, at: index) }
    }

    func bind(_ number: Int64, at index: Int32) throws { values.set(.integer(number), at: Int(index) - 1) }

    func bind(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) throws { values.set(bytes, at: Int(index) - 1) }

    // MARK: One run

    func step() throws -> Bool {
        if result == nil { if connection.isAskingAhead { try askAhead() } else { try run() } }
        guard let result, row + 1 < library.PQntuples(result) else { return false }
        row += 1
        stepCount += 1
        return true
    }

    private func run() throws {
        row = -1
        if !connection.answers.isEmpty, let answer = connection.answers[question] {
            if answer.result == nil { try connection.exchange() }
            if let known = answer.result {
                (self.answer, result) = (answer, known)
                return
            }
        }
        if !isQuery { noteChange() }
        try putOff { [unowned self] result in self.result = result }
        try connection.exchange()
    }

    private func noteChange() {
        connection.transaction.hasPartWritten = true
        connection.answers = [:]
    }

    private func askAhead() throws {
        guard isQuery else { throw StorageError(.misuse) }
        let question = question
        guard connection.answers[question] == nil else { return }
        let answer = PostgreSQLAnswer(library)
        try putOff { answer.result = $0 }
        connection.answers[question] = answer
    }

    private var question: PostgreSQLAnswer.Question { PostgreSQLAnswer.Question(statement: name, values: values) }

    /// Defers a run. A statement is prepared when it first runs, because then the types of its values are known.
    private func putOff(_ take: @escaping (OpaquePointer?) -> Void) throws {
        if preparation == .none {
            try connection.putOff(
                { [types = values.types] in try self.connection.send(preparing: self.name, self.sql, types: types) },
                take: { result in
                    self.preparation = result == nil ? .none : .done
                    self.library.PQclear(result)
                }
            )
            // Set only now: the call above may first have sent earlier deferred requests, and failed.
            preparation = .isSent
        }
        try connection.putOff({ [values] in try self.connection.send(self.name, values) }, take: take)
        stepCount += 1
    }

    func reset() {
        if answer == nil { library.PQclear(result) }
        (answer, result) = (nil, nil)
        row = -1
    }

    func clear() {
        reset()
        values.clear()
    }

    func isNull(_ column: Int32) -> Bool { result.map { library.PQgetisnull($0, row, column) == 1 } ?? true }

    func integer(_ column: Int32) -> Int64 {
        let bytes = bytes(inPlace: column)
        switch bytes.count {
        case 8: return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 1: return Int64(bytes[0])
        default: return 0
        }
    }

    func real(_ column: Int32) -> Double {
        let bytes = bytes(inPlace: column)
        return bytes.count == 8 ? Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))) : 0
    }

    func bytes(inPlace column: Int32) -> UnsafeRawBufferPointer {
        guard let result, row >= 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(
            start: library.PQgetvalue(result, row, column),
            count: Int(library.PQgetlength(result, row, column))
        )
    }

    /// A server never stores a value of another type than the column's.
    func checkValues() {}

    /// Counts round trips and rows.
    func takeStepCount() -> Int {
        defer { stepCount = 0 }
        return stepCount
    }

    // MARK: Many runs

    func enqueue(_ changes: @escaping (Int) -> Void) throws {
        noteChange()
        try putOff { [library] result in
            if let result { changes(library.PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0) }
            library.PQclear(result)
        }
    }

    func flush() throws { try connection.exchange() }

    func run(_ count: Int, bind: (Int) throws -> Void, _ body: (Int) throws -> Void) throws {
        for start in stride(from: 0, to: count, by: PostgreSQLStatement.runLimit) {
            let runs = start..<min(start + PostgreSQLStatement.runLimit, count)
            var results: [OpaquePointer?] = []
            defer { for result in results { library.PQclear(result) } }
            for number in runs {
                try bind(number)
                try putOff { results.append($0) }
            }
            try connection.exchange()
            for (position, number) in runs.enumerated() {
                reset()
                swap(&result, &results[position])
                try body(number)
            }
        }
        reset()
    }

    func lookUp(_ keys: KeyList, at index: Int32, _ body: (Int) throws -> Void) throws {
        for start in stride(from: 0, to: keys.count, by: PostgreSQLStatement.keyLimit) {
            let range = start..<min(start + PostgreSQLStatement.keyLimit, keys.count)
            values.set(keys, range, at: Int(index) - 1)
            let positions = Positions(of: keys, range)
            while try step() { try positions.forEach(of: bytes(inPlace: 0), body) }
            reset()
        }
    }

    /// The positions of each key that the server returns. A key may be in the list more than once.
    private struct Positions {
        private struct Key: Hashable {
            let first, second: UInt64

            init?(_ bytes: UnsafeRawBufferPointer) {
                guard bytes.count == KeyList.width else { return nil }
                first = bytes.loadUnaligned(as: UInt64.self)
                second = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            }

            /// Keys already are hashes.
            func hash(into hasher: inout Hasher) { hasher.combine(first) }
        }

        private var first: [Key: Int] = [:]
        private var others: [Key: [Int]] = [:]

        init(of keys: KeyList, _ range: Range<Int>) {
            first.reserveCapacity(range.count)
            for position in range {
                guard let key = Key(keys[position]) else { continue }
                if first[key] == nil { first[key] = position } else { others[key, default: []].append(position) }
            }
        }

        func forEach(of bytes: UnsafeRawBufferPointer, _ body: (Int) throws -> Void) rethrows {
            guard let key = Key(bytes), let position = first[key] else { return }
            try body(position)
            for position in others[key] ?? [] { try body(position) }
        }
    }
}
