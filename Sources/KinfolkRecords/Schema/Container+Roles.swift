public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

/// The roles that the operator gives to accounts. A role is created in the schema (`CREATE ROLE`), which also grants it permissions.
extension Container {
    /// Gives a role to an account.
    ///
    /// ```swift
    /// try container.grantRole("Moderator", to: account)
    /// ```
    ///
    /// The role holds in this environment of the container only, from the next call of each session of the account on. An account
    /// that never used the container gets its user record ID. To give a role again changes nothing.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name is not valid, or the account belongs to another service,
    ///   ``KinfolkError/Code/unknownItem`` if the schema has no such role, ``KinfolkError/Code/notAuthenticated`` if the account was
    ///   erased, or is suspended and never used this container.
    public func grantRole(_ role: String, to account: Account) throws(KinfolkError) {
        try changeRoles(of: account, role) { names, schema in
            guard schema.roles.contains(role) else {
                throw KinfolkError(.unknownItem, "The schema has no such role: create it with CREATE ROLE.")
            }
            return names.union([role])
        }
    }

    /// Takes a role from an account, from the next call of each of its sessions on, in all processes.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name is not valid, or the account belongs to another service,
    ///   ``KinfolkError/Code/unknownItem`` if the account does not have the role, or does not use the container, or was erased.
    public func revokeRole(_ role: String, from account: Account) throws(KinfolkError) {
        try changeRoles(of: account, role) { names, _ in
            guard names.contains(role) else {
                throw KinfolkError(.unknownItem, "The account does not have this role.")
            }
            return names.subtracting([role])
        }
    }

    /// The roles of an account in this environment of the container, in the order of their names.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the account belongs to another service, ``KinfolkError/Code/unknownItem`` if
    ///   it was erased.
    public func roles(of account: Account) throws(KinfolkError) -> [String] {
        try requireSameService(account)
        return try service.read { db in
            try requireInUse(db)
            guard let rows = try AccountRows.verified(account.id, service, db) else { throw Account.unknown }
            return rows.roles(in: number).names.sorted()
        }
    }

    private func changeRoles(
        of account: Account,
        _ role: String,
        _ change: (Set<String>, ContainerSchema) throws -> Set<String>
    ) throws(KinfolkError) {
        try requireSameService(account)
        guard FieldName.isValid(role) else {
            throw KinfolkError(
                .invalidArgument,
                "A role's name has 1 to 255 ASCII letters, digits and _, and starts with a letter."
            )
        }
        try service.write { db in
            try requireInUse(db)
            let schema = try service.schemas.schema(of: number, service, db)
            guard let known = try AccountRows.verified(account.id, service, db) else { throw Account.unknown }
            let (before, after) = (known.roles(in: number).names, try change(known.roles(in: number).names, schema))
            guard after != before else { return }
            // Gives the account a user record ID, if it has none here.
            let isNew = known.record(in: number) == nil
            if isNew { _ = try join(account.id, db) }
            try service.changing(account.id, known: isNew ? nil : known, db) { rows in
                try rows.set(RoleNames(after), in: number, db)
            }
        }
    }

    private func requireSameService(_ account: Account) throws(KinfolkError) {
        guard account.service === service else {
            throw KinfolkError(.invalidArgument, "The account and the container belong to different services.")
        }
    }

    /// Takes roles that the schema loses from all accounts that have them, so that nobody has a role that is created again with the
    /// same name. Call this in the transaction that removes them.
    func removeFromAccounts(_ roles: [String], _ db: Connection) throws {
        for account in try UserTable.accountsWithRoles(in: number, db) {
            // An account whose rows were edited without the key stays damaged.
            guard let stored = try UserTable.all(of: account, db).first(where: { $0.container == number })?.roles.names,
                !stored.isDisjoint(with: roles)
            else { continue }
            try service.changing(account, allowsDamage: true, db) { rows in
                try rows.set(RoleNames(stored.subtracting(roles)), in: number, db)
            }
        }
    }
}
