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
        let parent: RecordID?
        /// The fields to set or to remove, and ``Record/parentKey``; nil to write all of `values` and the parent, and to remove all
        /// others.
        let names: Set<String>?

        init(_ record: Record, names: Set<String>?) {
            (type, values, parent) = (record.type, record.fields, record.parent?.target)
            self.names = names
        }

        /// The record's fields after the save.
        func fields(over server: Fields) -> Fields {
            guard let names else { return values }
            var fields = server
            for name in names.sorted() where name != Record.parentKey { fields[name] = values[name] }
            return fields
        }

        /// The record's parent after the save.
        func parent(over server: RecordID?) -> RecordID? {
            names?.contains(Record.parentKey) == false ? server : parent
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
    /// The references through `deleteSelf` or `validate` that the request sets, each once, in the order of the fields.
    let references: [Reference]

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
            action = .save(Save(record, names: nil))
        case .update(let record), .forceUpdate(let record):
            action = .save(Save(record, names: record.changedKeys))
        case .delete, .forceDelete: action = .delete
        }
        references = try RecordRequest.references(action)
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
        var names = record.changedKeys
        if policy == .allKeys {
            names.formUnion(record.keys)
            if record.parent != nil { names.insert(Record.parentKey) }
        }
        action = .save(Save(record, names: names))
        references = try RecordRequest.references(action)
    }

    /// A deletion.
    ///
    /// - Parameter changeTag: The tag that the record must have; nil for any.
    init(deleting id: RecordID, changeTag: String?) {
        self.id = id
        self.changeTag = changeTag
        action = .delete
        references = []
        expects = changeTag == nil ? .present : .unchanged
    }

    /// Whether a record may be inserted.
    var mayInsert: Bool { if case .save = action { !needsRecord || id.user != nil } else { false } }

    var isSave: Bool { if case .save = action { true } else { false } }

    /// The assets that the request sets.
    var assets: [Asset] {
        guard case .save(let save) = action else { return [] }
        return zip(save.values.names, save.values.values).flatMap { name, value in
            save.names?.contains(name) == false ? [] : value.assets
        }
    }

    /// - Throws: ``KinfolkError/Code/limitExceeded`` if they are too many, before the store does any work for them.
    private static func references(_ action: Action) throws(KinfolkError) -> [Reference] {
        guard case .save(let save) = action else { return [] }
        var known: Set<Reference> = []
        let references = zip(save.values.names, save.values.values).flatMap { name, value in
            save.names?.contains(name) == false
                ? [] : value.references.filter { $0.action != .none && known.insert($0).inserted }
        }
        guard references.count <= ReferenceChanges.maximumTargets else { throw ReferenceChanges.tooManyTargets }
        return references
    }

    /// Whether the record must exist.
    var needsRecord: Bool { expects == .present || expects == .unchanged }

    private static func check(_ record: Record, in home: RecordHome) throws(KinfolkError) {
        try UserRecordRule.check(record.type, record.id)
        try checkZones(record)
        guard let state = record.state else { return }
        guard state.home == home else {
            throw KinfolkError(.unknownItem, "The record was fetched from another database.")
        }
    }

    /// Throws unless the record refers only to records of its own zone, and to user records.
    private static func checkZones(_ record: Record) throws(KinfolkError) {
        func isElsewhere(_ reference: Reference) -> Bool {
            reference.user == nil && reference.target.zone != record.id.zone
        }
        guard record.parent.map(isElsewhere) != true,
            !record.fields.contains(where: { $0.value.references.contains(where: isElsewhere) })
        else {
            throw KinfolkError(
                .invalidArgument,
                "A record refers only to records of its own zone, and to user records."
            )
        }
        guard !record.fields.contains(where: { $0.value.assets.contains { $0.zone != record.id.zone } }) else {
            throw KinfolkError(.invalidArgument, "An asset belongs to records of the zone for which it was uploaded.")
        }
    }
}
