import Kinfolk
import KinfolkModel

/// A record as a caller holds it.
struct ModelDraft {
    /// The database from which it was fetched.
    struct Origin: Hashable {
        let environment: ContainerEnvironment
        let scope: DatabaseScope
        /// Whose private database; nil for the public one.
        let owner: UserRecordID?

        init(environment: ContainerEnvironment, scope: DatabaseScope, user: UserRecordID?) {
            (self.environment, self.scope) = (environment, scope)
            owner = scope == .private ? user : nil
        }
    }

    let type: String
    let key: ModelKey
    let origin: Origin?
    let tag: Int?
    private(set) var fields: [String: ModelValue]
    private(set) var parent: ModelValue?
    private(set) var changed: Set<String> = []

    var size: Int { ModelRecord.size(fields, parent) }

    /// Whether it refers to a record of another zone, or names an asset of one.
    var refersElsewhere: Bool {
        (fields.values + [parent].compactMap(\.self)).contains(where: \.isElsewhere)
            || fields.values.contains { $0.assets.contains { $0.zone != key.zone } }
    }

    /// A new record.
    init(type: String, key: ModelKey) {
        (self.type, self.key, origin, tag, fields) = (type, key, nil, nil, [:])
    }

    /// A record that was fetched or saved.
    init(_ record: ModelRecord, from origin: Origin) {
        (type, tag, fields, parent) = (record.type, record.tag, record.fields, record.parent)
        key = ModelKey(zone: record.zone, name: record.name)
        self.origin = origin
    }

    /// Sets or removes a field, or the parent. False if there is no field to remove, or a user record cannot be the parent.
    mutating func change(_ field: String, to value: ModelValue?) -> Bool {
        if field == Record.parentKey {
            guard value?.isUser != true else { return false }
            parent = value
        } else {
            guard value != nil || fields[field] != nil else { return false }
            fields[field] = value
        }
        changed.insert(field)
        return true
    }
}
