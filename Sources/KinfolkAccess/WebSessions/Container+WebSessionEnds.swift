package import KinfolkAccounts
import KinfolkCore
package import KinfolkModel
import KinfolkStorage

extension Container {
    /// Signs a person out of all browsers in this container, and ends all sign-ins to it. The page of the account, and other containers, are
    /// not its business.
    package func endWebSessions(of account: Account) throws(KinfolkError) {
        try service.write { db in
            guard try AccountTable.row(account.id, db) != nil else { throw Account.unknown }
            try WebSessionTable.deleteAll(of: account.id, in: number, db)
            try SignInTable.deleteAll(of: account.id, to: number, db)
        }
    }
}
