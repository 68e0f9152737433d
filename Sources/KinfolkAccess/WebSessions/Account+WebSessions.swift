public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Account {
    /// The browsers and other clients of the network service in which the person is signed in, in all containers, the oldest first.
    public func webSessions() throws(KinfolkError) -> [WebSession] {
        try service.read { db in
            _ = try row(db)
            return try WebSessionTable.sessions(of: id, at: service.clock(), service.keys(db), db)
        }
    }

    /// Signs the person out in one browser. Does nothing if the account has no such web session, as when it has ended.
    ///
    /// - Parameter session: The ID of the web session.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the ID is not 32 lower-case hexadecimal digits.
    public func endWebSession(_ session: String) throws(KinfolkError) {
        guard let session = RandomID(hex: session) else {
            throw KinfolkError(.invalidArgument, "The ID of a web session must be 32 lower-case hexadecimal digits.")
        }
        try service.write { db in
            guard try AccountTable.row(id, db) != nil else { throw Account.unknown }
            try WebSessionTable.delete(session, of: id, db)
        }
    }

    /// Signs the person out everywhere: ends all web sessions, in all containers, at once in all processes, and all sign-ins that are not
    /// complete.
    ///
    /// It works even if the rows of the account or of the sessions were changed without the key.
    public func endWebSessions() throws(KinfolkError) {
        try service.write { db in
            guard try AccountTable.row(id, db) != nil else { throw Account.unknown }
            try WebSessionTable.deleteAll(of: id, db)
            try SignInTable.deleteAll(of: id, db)
        }
    }
}
