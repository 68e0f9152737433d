import Kinfolk
import KinfolkJSON

/// `records/modify`: creates, changes and deletes records.
enum RecordsModify {
    static func answer(_ call: Call) throws(WebError) -> WebAnswer {
        let zone = try call.zones.name(in: call.members) ?? RecordZone.defaultName
        let isAtomic = try call.members.flag("atomic") ?? (zone != RecordZone.defaultName)
        let desiredKeys = try call.members.desiredKeys()
        let writer = try call.recordWriter()
        let items = try call.members.list("operations") { json throws(WebError) in
            try OperationItem(json, zone: zone, desiredKeys: desiredKeys, call.zones)
        }
        guard let items else { throw .missing("operations") }
        guard items.count <= Database.maximumBatch else {
            throw WebError(.badRequest, "A request has at most \(Database.maximumBatch) operations.")
        }
        let results = try run(items, isAtomic: isAtomic, call)
        let records = zip(items, results).map { item, result in item.json(result, writer) }
        let hasFailed = results.contains { if case .failure = $0 { true } else { false } }
        guard isAtomic, hasFailed else { return WebAnswer(["records": .array(records)]) }
        // Some clients read only the error of the whole request, and others those of its records.
        let error = WebError(.atomicError, "Nothing was changed, because one of the operations failed.")
        return WebAnswer(.object(error.members + [("records", .array(records))]), status: error.code.status)
    }

    private static func run(
        _ items: [OperationItem],
        isAtomic: Bool,
        _ call: Call
    ) throws(WebError) -> [Result<Record?, WebError>] {
        let stored = try stored(items, call)
        let schema = try call.schema()
        let operations = items.map { item in
            Result { () throws(WebError) in
                try item.operation(item.id.flatMap { stored[$0] }, schema, in: call.database, call.zones)
            }
        }
        let valid = operations.compactMap { try? $0.get() }
        guard valid.count == operations.count || !isAtomic else {
            let other = WebError(.atomicError, "Another operation of the request failed.")
            return operations.map { $0.flatMap { _ in .failure(other) } }
        }
        let results = try calling { () throws(KinfolkError) in
            try call.database.run(valid, atomically: isAtomic)
        }
        var next = results.makeIterator()
        return zip(items, operations).map { item, operation in
            operation.flatMap { _ in
                let missing = KinfolkError(.internalError, "A batch returned no result.")
                return (next.next() ?? .failure(missing)).mapError(item.error)
            }
        }
    }

    /// The present records of the operations that need them: those that leave out the record type, or send dates.
    private static func stored(_ items: [OperationItem], _ call: Call) throws(WebError) -> [RecordID: Record] {
        let ids = Set(items.filter(\.needsStored).compactMap(\.id))
        guard !ids.isEmpty else { return [:] }
        let found = try calling { () throws(KinfolkError) in try call.database.fetch(Array(ids)) }
        return Dictionary(found.compactMap { try? $0.get() }.map { ($0.id, $0) }) { first, _ in first }
    }
}
