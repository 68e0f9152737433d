package import KinfolkAccounts
package import KinfolkModel

/// What one caller may do with the records of a database, in one transaction.
///
/// In the public database, the grants of the record types decide. A caller has the permissions of `_world`, a signed-in account in good
/// standing also those of `_icloud` and of its roles, and for a record that it created those of `_creator`. In a private
/// database, its user may do everything.
///
/// A record is hidden from a caller who may neither read nor write it: the caller gets the same answers as if it did not exist. Only
/// that its name is taken cannot be hidden from callers who may create records.
package struct RecordAccess: Sendable {
    private struct Caller {
        let user: UserRecordID
        let roles: Set<String>
    }

    /// Nil in a private database.
    private let schema: ContainerSchema?
    /// Nil for an anonymous session, and for an account that is suspended or was erased.
    private let caller: Caller?

    /// The access of a user to their private database.
    package static let ofOwner = RecordAccess(schema: nil, caller: nil)

    /// The access to a public database.
    ///
    /// - Parameter user: The user of an account in good standing; nil for all others.
    package init(_ user: Session.User?, _ schema: ContainerSchema) {
        self.init(schema: schema, caller: user.map { Caller(user: $0.record, roles: $0.roles.names) })
    }

    private init(schema: ContainerSchema?, caller: Caller?) {
        self.schema = schema
        self.caller = caller
    }

    // MARK: A record

    package func mayRead(_ row: RecordRow) throws -> Bool { try permissions(for: row).contains(.read) }

    /// Whether the caller might read a record of this type and creator, which was deleted.
    package func mayRead(recordOf type: TypeDefinition, createdBy creator: UserRecordID?) -> Bool {
        switch reading(of: type) {
        case .all: true
        case .createdBy(let user): user == creator
        case .none: false
        }
    }

    package func mayWrite(_ row: RecordRow) throws -> Bool { try permissions(for: row).contains(.write) }

    /// Whether the caller gets the answers of a missing record for this one.
    package func isHidden(_ row: RecordRow) throws -> Bool {
        try permissions(for: row).isDisjoint(with: [.read, .write])
    }

    /// What the caller may do with a record: to read it and to write it, which includes deleting it.
    private func permissions(for row: RecordRow) throws -> Grants.Permissions {
        guard let schema else { return .all }
        guard let type = schema.type(row.type) else { throw RecordAccess.unknownType }
        let permissions = permissions(of: type.grants)
        guard let caller, row.content.creator == caller.user else { return permissions }
        return permissions.union(type.grants.permissions["_creator"] ?? [])
    }

    // MARK: A record type

    /// Whether the caller may create records of a type, which the schema may not have yet.
    package func mayCreate(_ type: String) -> Bool { permissions(forType: type).contains(.create) }

    /// The error for a record that is missing, or hidden from the caller, when it is saved as a record of this type. A caller who may
    /// not read all records of the type gets the error for a record that exists.
    package func absence(ofType type: String) -> KinfolkError {
        permissions(forType: type).contains(.read) ? RecordTransaction.noRecord : RecordAccess.refusal
    }

    /// What the caller may do with records of a type that others created. A record that does not exist has no creator.
    private func permissions(forType name: String) -> Grants.Permissions {
        guard let schema else { return .all }
        return permissions(of: schema.types[name]?.grants ?? .standard(for: name))
    }

    /// Which records of a type the caller may read.
    package enum Reading: Sendable, Hashable {
        case all
        case createdBy(UserRecordID)
        case none
    }

    /// Whether the caller may read some records of a type.
    func mayRead(someOfType number: Int64) throws -> Bool {
        guard let schema else { return true }
        guard let type = schema.type(number) else { throw RecordAccess.unknownType }
        return reading(of: type) != .none
    }

    package func reading(of type: TypeDefinition) -> Reading {
        if schema == nil || permissions(of: type.grants).contains(.read) { return .all }
        guard let caller, type.grants.permissions["_creator"]?.contains(.read) == true else { return .none }
        return .createdBy(caller.user)
    }

    /// Whether the caller may give an asset to some record. The schema may get further types until it is deployed, with the grants of a
    /// new type.
    ///
    /// - Parameter hasCreated: Whether the caller has created a record of a type. It is asked last.
    func mayUpload(_ hasCreated: (TypeDefinition) throws -> Bool) rethrows -> Bool {
        guard let schema, schema.isFixed else { return true }
        let types = schema.types.values.filter { type in type.fields.values.contains { $0.type.element == .asset } }
        // Nobody creates user records.
        let mayWrite = types.contains { type in
            !permissions(of: type.grants).isDisjoint(with: type.name == RecordType.users ? .write : [.create, .write])
        }
        return try mayWrite
            || types.contains { type in
                guard caller != nil, type.grants.permissions["_creator"]?.contains(.write) == true else { return false }
                return try type.name == RecordType.users || hasCreated(type)
            }
    }

    private func permissions(of grants: Grants) -> Grants.Permissions {
        var found = grants.permissions["_world"] ?? []
        guard let caller else { return found }
        found.formUnion(grants.permissions["_icloud"] ?? [])
        for role in caller.roles { found.formUnion(grants.permissions[role] ?? []) }
        return found
    }

    // MARK: Errors

    package static var refusal: KinfolkError {
        KinfolkError(.permissionFailure, "The grants of the record type do not allow this.")
    }

    static var unknownType: KinfolkError { .damaged("The type of a record is not in the schema.") }
}
