import KinfolkModel

/// One operation on one record, checked as far as that is possible without the store.
struct RecordRequest {
    /// What must be in the store.
    enum Expectation {
        case missing
        case present
        /// The record, with the change tag of the request.
        case unchanged
        case anything
    }

    enum Action {
        case save(Save)
        case delete
    }

    /// The fields to write.
    struct Save {
        let type: String
        let values: Fields
        /// The fields to set or to remove; nil to write all of `values` and to remove all others.
        let names: Set<String>?

        /// The record's fields after the save.
        func fields(over server: Fields) -> Fields {
            guard let names else { return values }
            var fields = server
            for name in names.sorted() { fields[name] = values[name] }
            return fields
        }

        /// The names and types of the fields that are set.
        var typed: [(name: String, type: FieldType)] {
            zip(values.names, values.values).compactMap { name, value in
                names?.contains(name) == false ? nil : (name, value.type)
            }
        }
    }

    let id: RecordID
    let action: Action
    let expects: Expectation
    let changeTag: String?

    /// The operation of a batch.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the type and the ID do not fit, or the change tag is missing,
    ///   ``KinfolkError/Code/unknownItem`` if the record belongs elsewhere.
    init(_ operation: RecordOperation, in home: RecordHome) throws(KinfolkError) {
        id = operation.id
        switch operation {
        case .create: expects = .missing
        case .update, .replace, .delete: expects = .unchanged
        case .forceUpdate, .forceReplace, .forceDelete: expects = .anything
        }
        switch operation {
        case .create(let record), .replace(let record), .forceReplace(let record):
            action = .save(Save(type: record.type, values: record.fields, names: nil))
        case .update(let record), .forceUpdate(let record):
            action = .save(Save(type: record.type, values: record.fields, names: record.changedKeys))
        case .delete, .forceDelete: action = .delete
        }
        if case .delete(_, let tag) = operation { changeTag = tag } else { changeTag = operation.record?.changeTag }
        try operation.record.map { record throws(KinfolkError) in
            try RecordRequest.check(record, in: home)
        }
        guard expects != .unchanged || changeTag != nil else {
            throw KinfolkError(
                .invalidArgument,
                "This operation needs the change tag of the record: fetch it first, or use create or a force operation."
            )
        }
    }

    /// A save with one of CloudKit's policies.
    init(
        _ record: Record,
        _ policy: SavePolicy,
        in home: RecordHome
    ) throws(KinfolkError) {
        try RecordRequest.check(record, in: home)
        id = record.id
        changeTag = record.changeTag
        switch policy {
        case .ifServerRecordUnchanged: expects = record.state == nil ? .missing : .unchanged
        case .changedKeys, .allKeys: expects = .anything
        }
        let names = policy == .allKeys ? record.changedKeys.union(record.keys) : record.changedKeys
        action = .save(Save(type: record.type, values: record.fields, names: names))
    }

    /// A deletion.
    ///
    /// - Parameter changeTag: The tag that the record must have; nil for any.
    init(deleting id: RecordID, changeTag: String?) {
        self.id = id
        self.changeTag = changeTag
        action = .delete
        expects = changeTag == nil ? .present : .unchanged
    }

    /// Whether a record may be inserted.
    var mayInsert: Bool { if case .save = action { !needsRecord || id.user != nil } else { false } }

    /// Whether the record must exist.
    var needsRecord: Bool { expects == .present || expects == .unchanged }

    private static func check(_ record: Record, in home: RecordHome) throws(KinfolkError) {
        try UserRecordRule.check(record.type, record.id)
        guard let state = record.state else { return }
        guard state.home == home else {
            throw KinfolkError(.unknownItem, "The record was fetched from another database.")
        }
    }
}
