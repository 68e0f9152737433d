import Kinfolk

/// The operator makes roles, gives them to people, and says what they may do.
extension RecordModel {
    mutating func createRole(_ role: String, in environment: ContainerEnvironment) {
        roles[environment, default: []].insert(role)
    }

    /// Removes a role, with its grants, from the schema and from all users.
    mutating func removeRole(_ role: String, in environment: ContainerEnvironment) throws(ModelFailure) {
        // A text cannot say that nobody may do anything. Without grants, a type keeps those that it has.
        guard !(grants[environment] ?? [:]).values.contains(where: { Set($0.keys) == [role] }) else {
            throw ModelFailure(.invalidArgument)
        }
        roles[environment]?.remove(role)
        for (type, var known) in grants[environment] ?? [:] {
            known[role] = nil
            set(known, on: type, in: environment)
        }
        for (user, known) in members[environment] ?? [:] {
            members[environment]?[user] = known.subtracting([role])
        }
    }

    /// Applies a text that declares the grants of a type.
    mutating func declare(
        _ declared: [String: Set<ModelPermission>],
        on type: String,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        let known = (roles[environment] ?? []).union(["_world", "_icloud", "_creator"])
        guard Set(declared.keys).isSubset(of: known) else { throw ModelFailure(.invalidArgument) }
        if schemas[environment]?[type] == nil { schemas[environment]?[type] = [:] }
        set(declared, on: type, in: environment)
    }

    /// Adds the roles and grants of development to those of production.
    ///
    /// - Parameter known: The types that production had.
    mutating func deployGrants(to known: Set<String>) {
        roles[.production, default: []].formUnion(roles[.development] ?? [])
        for (type, added) in grants[.development] ?? [:] {
            let before = grants[.production]?[type] ?? RecordModel.standardGrants(of: type)
            set(known.contains(type) ? before.merging(added) { $0.union($1) } : added, on: type, in: .production)
        }
    }

    private mutating func set(
        _ declared: [String: Set<ModelPermission>],
        on type: String,
        in environment: ContainerEnvironment
    ) {
        let isStandard = declared == RecordModel.standardGrants(of: type)
        grants[environment, default: [:]][type] = isStandard ? nil : declared
    }

    // MARK: Members

    mutating func giveRole(
        _ role: String,
        to user: UserRecordID,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        guard roles[environment]?.contains(role) == true else { throw ModelFailure(.unknownItem) }
        members[environment, default: [:]][user, default: []].insert(role)
    }

    mutating func takeRole(
        _ role: String,
        from user: UserRecordID,
        in environment: ContainerEnvironment
    ) throws(ModelFailure) {
        guard members[environment]?[user]?.remove(role) != nil else { throw ModelFailure(.unknownItem) }
    }
}
