import KinfolkCore
import KinfolkCrypto
import KinfolkFiles
import KinfolkModel
import KinfolkStorage

/// Copies one store to another.
///
/// It compares before it writes: ranges of keys, by number of rows and checksum. So what the copy already contains does not
/// matter, and no position has to be stored: after an interruption most ranges agree. See
/// `docs/decisions/0016-copies-are-compared.md`.
struct StoreCopier {
    /// Rows of the source with consecutive keys.
    private struct Part {
        let range: TableRows.KeyRange
        let measure: TableRows.Measure
        let checksum: [UInt8]
    }

    /// The parts of a table in the source, and the parts that the copy lacks.
    private struct Survey {
        let rows: TableRows
        var parts: [Part] = []
        var missing: [Part] = []
    }

    /// The most rows and bytes in a part, which is held in memory. A part with a single row may have more bytes.
    private static let partRows = 2_000
    private static let partLength = 8 << 20

    private let source: Store
    private let copy: Store
    private let identity: RandomID
    private let runID = RandomID.make()
    private let tables: [TableRows]
    private let progress: (StoreCopy.Progress) throws(KinfolkError) -> Void

    /// Creates the tables of the copy, or takes over a copy that was begun.
    init(
        from source: Store,
        to path: FilePath,
        wait: Double,
        progress: @escaping (StoreCopy.Progress) throws(KinfolkError) -> Void
    ) throws {
        self.source = source
        self.progress = progress
        tables = try Tables.described().map { TableRows($0.description, where: $0.table.copiedRows) }
        let (identity, runID) = (try source.read(CopyMark.identity), runID)
        self.identity = identity
        copy = try StoreCopier.atDestination {
            try CopyMark.demandNoStore(at: path, wait: wait)
            let mark = CopyMark.insertion(source: identity, run: runID)
            let copy = try Store(
                path: path,
                existingOnly: false,
                wait: wait,
                migrations: Schema.migrations(followedBy: mark)
            )
            try copy.write { try CopyMark.claim(source: identity, run: runID, $0) }
            return copy
        }
    }

    /// - Parameters:
    ///   - prove: Throws if the key does not open the copy. It runs in a transaction of the copy.
    ///   - finish: Writes the values that each copy has of its own, in the transaction that marks the copy as complete.
    func run(prove: (Connection) throws -> Void, finish: (Connection) throws -> Void) throws -> StoreCopy {
        let surveys = try copy.withLargeCache { try source.read(bringUpToDate) }
        try StoreCopier.atDestination {
            try copy.read { db in
                try verify(surveys, db)
                try prove(db)
            }
            // Makes the copy a single file whose header forbids a log. If another process has it open now, this is left to the
            // process that closes it last.
            try? copy.leaveLog()
            try copy.write { db in
                try CopyMark.noteWhole(source: identity, run: runID, db)
                try finish(db)
            }
        }
        return StoreCopier.result(surveys)
    }

    /// Brings the copy to the state of the source in one transaction of the source.
    private func bringUpToDate(_ db: Connection) throws -> [Survey] {
        var done = 0
        let surveys = try tables.map { rows in
            try survey(rows, db) { part in
                done += part.measure.rows
                try source.requireOpen()
                try progress(StoreCopy.Progress(step: .comparing, rows: done, total: nil))
            }
        }
        let total = surveys.reduce(0) { $0 + $1.missing.reduce(0) { $0 + $1.measure.rows } }
        done = 0
        for survey in surveys {
            // A row may have moved to another key, so all ranges of a table that differ are deleted before any row of it is
            // written.
            for part in survey.missing {
                try source.requireOpen()
                try write(part, survey.rows, db)
                done += part.measure.rows
                try progress(StoreCopy.Progress(step: .copying, rows: done, total: total))
            }
        }
        return surveys
    }

    // MARK: Comparing

    /// Divides a table of the source into parts, and deletes from the copy the parts that differ.
    private func survey(_ rows: TableRows, _ db: Connection, _ step: (Part) throws -> Void) throws -> Survey {
        var survey = Survey(rows: rows)
        let copyIsEmpty = try inCopy { try rows.measure(.all, limit: 1, $0).rows == 0 }
        var above: [Value]?
        var isAtEnd = false
        while !isAtEnd {
            let part: Part
            (part, isAtEnd) = try nextPart(above: above, rows, db)
            above = part.range.through
            survey.parts.append(part)
            if try copyIsEmpty || !inCopy({ try agrees(part, rows, $0) }) {
                if !copyIsEmpty { try delete(part.range, rows) }
                if part.measure.rows > 0 { survey.missing.append(part) }
            }
            try step(part)
        }
        return survey
    }

    /// The next part of the source. The last part has no upper end, because the copy may have rows beyond the last key of the
    /// source.
    private func nextPart(above: [Value]?, _ rows: TableRows, _ db: Connection) throws -> (Part, isLast: Bool) {
        let rest = TableRows.KeyRange(above: above, through: nil)
        var limit = StoreCopier.partRows
        var measure = try rows.measure(rest, limit: limit, db)
        while measure.length > StoreCopier.partLength && limit > 1 {
            limit = max(1, min(limit, measure.rows) / 4)
            measure = try rows.measure(rest, limit: limit, db)
        }
        var last: [Value]?
        let checksum = try StoreCopier.checksum(rest, limit, rows, db) { last = rows.key(of: $0) }
        let isLast = measure.rows < limit
        let range = TableRows.KeyRange(above: above, through: isLast ? nil : last)
        return (Part(range: range, measure: measure, checksum: checksum), isLast)
    }

    /// Whether the copy has the rows of a part, and no others.
    private func agrees(_ part: Part, _ rows: TableRows, _ db: Connection) throws -> Bool {
        // Measured first, because the other rows of the copy may be of any size.
        guard try rows.measure(part.range, limit: part.measure.rows + 1, db) == part.measure else { return false }
        return try StoreCopier.checksum(part.range, part.measure.rows, rows, db) == part.checksum
    }

    private static func checksum(
        _ range: TableRows.KeyRange,
        _ limit: Int,
        _ rows: TableRows,
        _ db: Connection,
        _ body: (any Statement) -> Void = { _ in }
    ) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try rows.forEach(in: range, limit: limit, db) { row in
            rows.append(row, to: &bytes)
            body(row)
        }
        return hash(bytes)
    }

    private static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.length)
        bytes.withUnsafeBytes { bytes in digest.withUnsafeMutableBytes { SHA256.hash(bytes, into: $0) } }
        return digest
    }

    // MARK: Writing

    private func delete(_ range: TableRows.KeyRange, _ rows: TableRows) throws {
        var rest = range
        var isAtEnd = false
        while !isAtEnd {
            let end = try inCopy { try rows.key(after: StoreCopier.partRows, in: rest, $0) }
            try changingCopy { db in
                try rows.delete(TableRows.KeyRange(above: rest.above, through: end ?? rest.through), db)
            }
            isAtEnd = end == nil
            rest = TableRows.KeyRange(above: end, through: rest.through)
        }
    }

    private func write(_ part: Part, _ rows: TableRows, _ db: Connection) throws {
        var values: [Value] = []
        values.reserveCapacity(part.measure.rows * rows.table.columns.count)
        try rows.forEach(in: part.range, limit: part.measure.rows, db) { rows.append($0, to: &values) }
        try changingCopy { try rows.insert(values, $0) }
    }

    private func changingCopy(_ body: (Connection) throws -> Void) throws {
        try StoreCopier.atDestination {
            try copy.write(isLarge: true) { db in
                try CopyMark.check(run: runID, db)
                try body(db)
            }
        }
    }

    private func inCopy<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try StoreCopier.atDestination { try copy.read(body) }
    }

    /// Converts an error of the destination so that it says so, and so that the source, whose transaction is open, does not take
    /// it for an error of its own.
    private static func atDestination<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as StorageError {
            let error = KinfolkError(error)
            throw KinfolkError(error.code, "At the destination: \(error.reason)")
        }
    }

    // MARK: Finishing

    private func verify(_ surveys: [Survey], _ db: Connection) throws {
        let total = surveys.reduce(0) { $0 + $1.parts.reduce(0) { $0 + $1.measure.rows } }
        var done = 0
        for survey in surveys {
            for part in survey.parts {
                guard try agrees(part, survey.rows, db) else {
                    throw KinfolkError(
                        .storeCorrupt,
                        "The rows read back from the copy's table \(survey.rows.table.name) differ from those written. Copy again."
                    )
                }
                done += part.measure.rows
                try progress(StoreCopy.Progress(step: .verifying, rows: done, total: total))
            }
        }
    }

    private static func result(_ surveys: [Survey]) -> StoreCopy {
        StoreCopy(
            tables: surveys.map { survey in
                StoreCopy.Table(
                    name: survey.rows.table.name,
                    rows: survey.parts.reduce(0) { $0 + $1.measure.rows },
                    copiedRows: survey.missing.reduce(0) { $0 + $1.measure.rows }
                )
            },
            checksum: Hexadecimal.text(
                hash(surveys.flatMap { Array($0.rows.table.name.utf8) + $0.parts.flatMap(\.checksum) })
            )
        )
    }
}
