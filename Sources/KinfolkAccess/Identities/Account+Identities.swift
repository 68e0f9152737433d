public import KinfolkAccounts
public import KinfolkCore
public import KinfolkModel
package import KinfolkStorage

extension Service {
    /// The account with an identity at an OpenID Connect provider.
    ///
    /// - Parameters:
    ///   - issuer: The provider's issuer identifier, compared byte by byte.
    ///   - subject: The provider's identifier of the person.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if no account has it, ``KinfolkError/Code/invalidArgument`` if an argument is empty or too
    ///   long.
    public func account(issuer: String, subject: String) throws(KinfolkError) -> Account {
        try LinkedIdentity.validate(issuer: issuer, subject: subject)
        let id = try read { db in
            let id = try LinkedIdentityTable.row(issuer: issuer, subject: subject, keys(db), db)?.account
            // A row that was left over, or put back, belongs to nobody.
            if let id { _ = try Account(service: self, id: id).row(db) }
            return id
        }
        guard let id else { throw KinfolkError(.unknownItem, "No account has this identity.") }
        return Account(service: self, id: id)
    }
}

extension Account {
    /// Lets the person sign in by an identity at an OpenID Connect provider, or by one that a trusted proxy vouches for. Does nothing if the
    /// account has it.
    ///
    /// Before you add an identity to an account that exists, have the person prove both: that they may use the account, and that the identity
    /// is theirs.
    ///
    /// - Parameters:
    ///   - issuer: The provider's issuer identifier, 1 to 2,048 bytes, or a name for the proxy.
    ///   - subject: The provider's identifier of the person, 1 to 255 bytes.
    /// - Throws: ``KinfolkError/Code/conflict`` if another account has it, ``KinfolkError/Code/limitExceeded`` if the account has 20,
    ///   ``KinfolkError/Code/invalidArgument`` if an argument is empty or too long.
    public func addIdentity(issuer: String, subject: String) throws(KinfolkError) {
        try service.write { db in try addIdentity(issuer: issuer, subject: subject, db) }
    }

    package func addIdentity(issuer: String, subject: String, _ db: Connection) throws {
        try LinkedIdentity.validate(issuer: issuer, subject: subject)
        _ = try row(db)
        let keys = try service.keys(db)
        if let known = try LinkedIdentityTable.row(issuer: issuer, subject: subject, keys, db) {
            guard known.account == id else { throw KinfolkError(.conflict, "Another account has this identity.") }
            return
        }
        guard try LinkedIdentityTable.all(of: id, keys, db).count < LinkedIdentityTable.limit else {
            throw KinfolkError(.limitExceeded, "An account has at most \(LinkedIdentityTable.limit) identities.")
        }
        let identity = LinkedIdentity(issuer: issuer, subject: subject, addedAt: service.clock())
        try LinkedIdentityTable.insert(identity, of: id, keys, db)
    }

    /// The identities by which the person signs in, in the order in which they were added.
    public func identities() throws(KinfolkError) -> [LinkedIdentity] {
        try service.read { db in
            _ = try row(db)
            return try LinkedIdentityTable.all(of: id, service.keys(db), db)
        }
    }

    /// Ends signing in by an identity.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the account does not have it, ``KinfolkError/Code/invalidArgument`` if an argument is
    ///   empty or too long.
    public func removeIdentity(issuer: String, subject: String) throws(KinfolkError) {
        try LinkedIdentity.validate(issuer: issuer, subject: subject)
        try service.write { db in
            _ = try row(db)
            let found = try LinkedIdentityTable.row(issuer: issuer, subject: subject, service.keys(db), db)
            guard let found, found.account == id else {
                throw KinfolkError(.unknownItem, "The account does not have this identity.")
            }
            try LinkedIdentityTable.delete(found, db)
        }
    }
}
