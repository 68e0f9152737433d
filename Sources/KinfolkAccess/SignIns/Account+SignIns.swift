package import KinfolkAccounts
import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

extension Account {
    /// Notes that a sign-in at the pages of a network service has begun. It ends with ``endSignIn(_:)``, when the person signs out everywhere,
    /// when the account is suspended, when 100 others have begun that end later, and by itself.
    ///
    /// - Parameters:
    ///   - container: The container of the application; nil for the page of the account.
    ///   - end: When it ends by itself.
    package func beginSignIn(to container: Container? = nil, until end: Timestamp) throws(KinfolkError) -> RandomID {
        let signIn = RandomID.make()
        try service.write { db in
            _ = try row(db)
            try SignInTable.makeRoom(for: id, db)
            try SignInTable.insert(signIn, of: id, isProved: true, to: container?.number ?? 0, until: end, db)
        }
        return signIn
    }

    /// Notes which browser has asked for the code of the newest mail. Only that one may present it, so that nobody else can use up its tries.
    ///
    /// - Parameter browser: A random number of the sign-in in that browser.
    package func expectCode(from browser: RandomID, until end: Timestamp, _ db: Connection) throws {
        try SignInTable.deleteUnproved(of: id, db)
        try SignInTable.insert(browser, of: id, isProved: false, to: 0, until: end, db)
    }

    package func expectsCode(from browser: RandomID) throws(KinfolkError) -> Bool {
        try service.read { db in try expectsCode(from: browser, db) }
    }

    package func expectsCode(from browser: RandomID, _ db: Connection) throws -> Bool {
        try SignInTable.exists(browser, of: id, isProved: false, at: service.clock(), db)
    }

    /// Whether a sign-in has not ended.
    package func isSignedIn(_ signIn: RandomID) throws(KinfolkError) -> Bool {
        try service.read { db in try SignInTable.exists(signIn, of: id, isProved: true, at: service.clock(), db) }
    }

    /// Ends a sign-in.
    ///
    /// - Returns: Whether it had not ended before.
    @discardableResult
    package func endSignIn(_ signIn: RandomID) throws(KinfolkError) -> Bool {
        try service.write { db in
            let isCurrent = try SignInTable.exists(signIn, of: id, isProved: true, at: service.clock(), db)
            return try SignInTable.delete(signIn, of: id, db) && isCurrent
        }
    }
}
