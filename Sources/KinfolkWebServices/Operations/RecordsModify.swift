import Kinfolk
import KinfolkJSON

/// `records/modify`: creates, changes and deletes records.
enum RecordsModify {
    static func answer(_ call: Call) throws(WebError) -> WebAnswer {
        let zone = try call.zones.name(in: call.members) ?? RecordZone.defaultName
        let desiredKeys = try call.members.desiredKeys()
        let writer = try call.recordWriter()
        let items = try call.members.list("operations") { json throws(WebError) in
            try OperationItem(json, zone: zone, desiredKeys: desiredKeys, call.zones)
        }
        guard let items else { throw .missing("operations") }
        // Some clients name the zone in each record.
        let isCustom = items.contains { $0.id.map { $0.zone != RecordZone.defaultName } ?? false }
        let isAtomic = try call.members.flag("atomic") ?? isCustom
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

    /// What is in the store of the records whose operations need it: those that leave out the record type, or send dates.
    private static func stored(_ items: [OperationItem], _ call: Call) throws(WebError) -> [RecordID: StoredRecord] {
        var missing = Array(Set(items.filter(\.needsStored).compactMap(\.id)))
        var stored: [RecordID: StoredRecord] = [:]
        // Large records come in several answers.
        while !missing.isEmpty {
            let found = try calling { () throws(KinfolkError) in try call.database.fetch(missing) }
            var rest: [RecordID] = []
            for (id, result) in zip(missing, found) {
                switch result {
                case .success(let record): stored[id] = StoredRecord(record)
                case .failure(let error): if error.code == .limitExceeded { rest.append(id) }
                }
            }
            guard rest.count < missing.count else { break }
            missing = rest
        }
        return stored
    }
}
