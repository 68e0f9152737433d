/// A field's pointer to another record of the same database and zone, or to a user record.
///
/// ```swift
/// try item.set("list", to: .reference(Reference(list, action: .deleteSelf)))
/// try item.set("author", to: .reference(session.userRecordID()))
/// if case .reference(let list)? = item["list"] { print(try database.fetch(list.target)) }
/// ```
public struct Reference: Hashable, Sendable {
    /// The record that it names. If ``action`` is `none`, there may be no such record.
    public let target: RecordID

    /// What happens when the target is deleted.
    public let action: ReferenceAction

    /// A reference to the record with an ID.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for a user record with another action than `none`.
    public init(_ target: RecordID, action: ReferenceAction = .none) throws(KinfolkError) {
        guard action == .none || target.user == nil else {
            throw KinfolkError(.invalidArgument, "A reference to a user record has the action none.")
        }
        self.init(valid: target, action: action)
    }

    /// A reference to a record, which need not be saved yet.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for a user record with another action than `none`.
    public init(_ target: Record, action: ReferenceAction = .none) throws(KinfolkError) {
        try self.init(target.id, action: action)
    }

    /// A reference to a user record.
    public init(_ user: UserRecordID) { self.init(valid: RecordID(user), action: .none) }

    package init(valid target: RecordID, action: ReferenceAction) {
        self.target = target
        self.action = action
    }

    /// The user record ID, if the target is a user record.
    public var user: UserRecordID? { target.user }

    /// The bytes that it takes in a record: 16 for a user record, else those of the name and four more.
    package var size: Int { target.name.utf8.first == UInt8(ascii: "_") ? 16 : target.name.utf8.count + 4 }

    /// The reference to a record whose name and zone a caller gives.
    ///
    /// - Parameter zone: Nil for the zone of the record that the reference will be set in: see ``placed(in:)``.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name or the zone is malformed, or it is a user record and the action is
    ///   not `none`.
    package init(named name: String, zone: String?, action: ReferenceAction) throws(KinfolkError) {
        let id = try RecordID(name)
        if let zone { try ZoneName.validate(zone) }
        try self.init(id.user == nil ? RecordID(valid: name, zone: zone ?? "") : id, action: action)
    }

    /// The same reference with this zone, if it has none yet and is not to a user record.
    package func placed(in zone: String) -> Reference {
        guard target.zone.isEmpty else { return self }
        return Reference(valid: RecordID(valid: target.name, zone: zone), action: action)
    }
}

extension Reference: Redacted {
    /// The action.
    public var description: String { "Reference(\(action))" }
}
