import Kinfolk

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
    let name: String
    let zone: String
    let origin: Origin?
    let tag: Int?
    private(set) var fields: [String: ModelValue]
    private(set) var changed: Set<String> = []

    /// A new record.
    init(type: String, name: String, zone: String) {
        (self.type, self.name, self.zone, origin, tag, fields) = (type, name, zone, nil, nil, [:])
    }

    /// A record that was fetched or saved.
    init(_ record: ModelRecord, from origin: Origin) {
        (type, name, zone, tag, fields) = (record.type, record.name, record.zone, record.tag, record.fields)
        self.origin = origin
    }

    /// Sets or removes a field. False if there is no field to remove.
    mutating func change(_ field: String, to value: ModelValue?) -> Bool {
        guard value != nil || fields[field] != nil else { return false }
        fields[field] = value
        changed.insert(field)
        return true
    }
}
