package import KinfolkAccounts
package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

extension Account {
    /// Notes that a sign-in at the pages of a network service has begun. It ends with ``endSignIn(_:)``, when the person signs out everywhere,
    /// when the account is suspended, and by itself.
    ///
    /// - Parameter end: When it ends by itself.
    package func beginSignIn(until end: Timestamp) throws(KinfolkError) -> RandomID {
        try service.write { db in try beginSignIn(until: end, db) }
    }

    package func beginSignIn(until end: Timestamp, _ db: Connection) throws -> RandomID {
        _ = try row(db)
        let signIn = RandomID.make()
        try SignInTable.insert(signIn, of: id, until: end, db)
        return signIn
    }

    /// Whether a sign-in has not ended.
    package func isSignedIn(_ signIn: RandomID) throws(KinfolkError) -> Bool {
        try service.read { db in try SignInTable.exists(signIn, of: id, at: service.clock(), db) }
    }

    /// Ends a sign-in.
    ///
    /// - Returns: Whether it had not ended before.
    @discardableResult
    package func endSignIn(_ signIn: RandomID) throws(KinfolkError) -> Bool {
        try service.write { db in
            let isCurrent = try SignInTable.exists(signIn, of: id, at: service.clock(), db)
            return try SignInTable.delete(signIn, of: id, db) && isCurrent
        }
    }
}

extension Service {
    /// The sign-ins that have ended by themselves, some at a time. Their rows stay until ``forgetSignIn(_:of:)``.
    package func expiredSignIns() throws(KinfolkError) -> [(id: RandomID, account: AccountID)] {
        try read { db in try SignInTable.expired(at: clock(), db) }
    }

    /// Forgets a sign-in, whether or not its account exists.
    package func forgetSignIn(_ signIn: RandomID, of account: AccountID) throws(KinfolkError) {
        _ = try write { db in try SignInTable.delete(signIn, of: account, db) }
    }
}
