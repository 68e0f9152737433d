import Kinfolk
import KinfolkJSON

/// What came of one record of several.
struct RecordResult {
    /// The line that asked for it; nil for a fetch.
    var line: Int?
    var operation: String?
    let id: RecordID
    /// The record; nil for a deletion.
    let result: Result<Record?, KinfolkError>

    var json: JSON {
        var members: [(String, JSON)] = []
        if let line { members.append(("line", .count(line))) }
        if let operation { members.append(("operation", .string(operation))) }
        members.append(("name", .string(id.name)))
        switch result {
        case .success(let record): members.append(("record", record.map { RecordView($0).json } ?? .null))
        case .failure(let error):
            members += [("error", .string("\(error.code)")), ("reason", .string(error.reason))]
            if let record = error.serverRecord { members.append(("server_record", RecordView(record).json)) }
        }
        return .object(members)
    }

    /// In a few words.
    var summary: String {
        switch result {
        case .success(let record?): "saved, change tag \(record.changeTag ?? "")"
        case .success(nil): "deleted"
        case .failure(let error): "\(error.code): \(error.reason)"
        }
    }

    fileprivate var error: KinfolkError? {
        if case .failure(let error) = result { error } else { nil }
    }
}

/// What came of several records, in the order in which they were asked for.
struct RecordResults {
    private let results: [RecordResult]

    /// All records that a batch deleted.
    private let deleted: [DeletedRecord]

    init(_ results: [RecordResult], deleted: [DeletedRecord] = []) {
        self.results = results
        self.deleted = deleted
    }

    /// The answer of a fetch.
    var records: Answer {
        Answer(
            ["results": .array(results.map(\.json))],
            results.enumerated().flatMap { index, result -> [Answer.Block] in
                let space: [Answer.Block] = index > 0 ? [.line("")] : []
                guard case .success(let record?) = result.result else {
                    return space + [.line("\(result.id.name)  \(result.summary)")]
                }
                return space + RecordView(record).answer.blocks
            }
        )
    }

    /// The answer of a batch.
    func changes(isAtomic: Bool) -> Answer {
        var table = Table(.number("LINE"), .fixed("OPERATION"), .flexible("NAME"), .flexible("RESULT"))
        for result in results {
            table.add("\(result.line ?? 0)", result.operation ?? "", result.id.name, result.summary)
        }
        let failed = results.count { $0.error != nil }
        let done = results.count - failed
        let asked = Set(results.map(\.id))
        return Answer(
            [
                "atomic": .boolean(isAtomic),
                "done": .count(done),
                "failed": .count(failed),
                "results": .array(results.map(\.json)),
                "deleted": .array(deleted.map(\.json)),
            ],
            [.table(table), .line(""), .line("\(done.counted("line", "lines")) done, \(failed) failed.")]
                + deleted.filter { !asked.contains($0.id) }.map {
                    .line("Deleted \($0.id.name), which referred to a deleted record.")
                }
        )
    }

    /// Throws the first error, if there was any: of an atomic batch the error that stopped it.
    func throwFailure(isAtomic: Bool = false) throws(KinfolkError) {
        let failures = results.filter { $0.error != nil }
        let cause = failures.first { $0.error?.code != .batchRequestFailed } ?? failures.first
        guard let cause, let error = cause.error else { return }
        let place = cause.line.map { "line \($0), " } ?? ""
        let count = isAtomic ? "Nothing was changed" : "\(failures.count) of \(results.count) failed"
        throw KinfolkError(
            error.code,
            "\(count): \(place)\(cause.id.name): \(error.reason)",
            retryAfter: error.retryAfter
        )
    }
}
