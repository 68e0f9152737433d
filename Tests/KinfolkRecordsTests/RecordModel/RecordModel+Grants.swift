import Kinfolk

/// Who may do what.
extension RecordModel {
    /// What the grants of each role allow, for a type without declared grants.
    static func standardGrants(of type: String) -> [String: Set<ModelPermission>] {
        let grants: [String: Set<ModelPermission>] = ["_world": [.read], "_creator": [.write]]
        return type == "Users" ? grants : grants.merging(["_icloud": [.create]]) { first, _ in first }
    }

    /// Whether some callers may read records of a type only because they created them.
    func isReadByCreatorOnly(_ type: String, in environment: ContainerEnvironment) -> Bool {
        let grants = grants[environment]?[type] ?? RecordModel.standardGrants(of: type)
        func mayRead(_ role: String) -> Bool { grants[role]?.contains(.read) == true }
        return mayRead("_creator") && !mayRead("_world") && !mayRead("_icloud")
    }

    /// What a caller may do with a record.
    func permissions(
        for record: ModelRecord,
        in place: ModelPlace,
        by caller: Caller
    ) -> Set<ModelPermission> {
        permissions(ofType: record.type, createdBy: record.creator, in: place, by: caller)
    }

    /// What a caller may do with the records of a type that a user created.
    func permissions(
        ofType type: String,
        createdBy creator: UserRecordID? = nil,
        in place: ModelPlace,
        by caller: Caller
    ) -> Set<ModelPermission> {
        guard place.home.owner == nil else { return Set(ModelPermission.allCases) }
        let user = try? requireGoodStanding(caller)
        var roles: Set = ["_world"]
        if let user {
            roles.insert("_icloud")
            roles.formUnion(members[caller.environment]?[user] ?? [])
            if creator == user { roles.insert("_creator") }
        }
        let grants = grants[caller.environment]?[type] ?? RecordModel.standardGrants(of: type)
        return roles.reduce(into: []) { $0.formUnion(grants[$1] ?? []) }
    }

    /// Whether a record looks like a missing one to a caller.
    func isHidden(_ record: ModelRecord, in place: ModelPlace, from caller: Caller) -> Bool {
        permissions(for: record, in: place, by: caller).isDisjoint(with: [.read, .write])
    }

    /// Throws unless the caller may save a record.
    func requirePermission(
        for request: ModelRequest,
        _ present: ModelRecord?,
        in place: ModelPlace,
        by caller: Caller
    ) throws(ModelFailure) {
        let ofType = permissions(ofType: request.draft.type, in: place, by: caller)
        let mayCreate = (try? UserRecordID(request.draft.key.name)) == nil && !request.needsRecord
        // The answer for a record that is missing, or seems to be.
        let absence = ModelFailure(ofType.contains(.read) ? .unknownItem : .permissionFailure)
        if mayCreate && (present == nil || request.expects == .missing) {
            guard ofType.contains(.create) else { throw ModelFailure(.permissionFailure) }
            return
        }
        guard let present else { throw absence }
        if permissions(for: present, in: place, by: caller).contains(.write) { return }
        let looksMissing = !mayCreate && isHidden(present, in: place, from: caller)
        throw looksMissing ? absence : ModelFailure(.permissionFailure)
    }

    /// Throws if the record is not the one that the caller knows.
    func requireUnchanged(
        _ present: ModelRecord?,
        _ request: ModelRequest,
        in place: ModelPlace,
        by caller: Caller
    ) throws(ModelFailure) {
        guard let present else { return }
        switch request.expects {
        case .anything, .present: return
        case .unchanged where request.tag == present.tag: return
        case .unchanged, .missing:
            guard permissions(for: present, in: place, by: caller).contains(.read) else {
                throw ModelFailure(.permissionFailure)
            }
            throw ModelFailure(.serverRecordChanged, server: present)
        }
    }
}
