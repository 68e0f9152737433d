package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// A change of an account, as indexes that are derived from accounts see it.
package enum AccountChange {
    /// Both states are authentic. The second is nil if the account no longer exists.
    case changed(from: AccountRows, to: AccountRows?)
    /// The account's rows were changed from outside. An index removes what it has of the account and adds nothing.
    case damaged(AccountID)
}

extension Service {
    /// Verifies the account, lets `change` change its rows, writes a new revision of the account, and updates the indexes that are
    /// derived from accounts.
    ///
    /// Every change of an authenticated row of an account is made in here, except by an import, which creates complete accounts.
    ///
    /// - Parameter allowsDamage: Whether to change even an account whose rows were changed from outside: a person must be able to
    ///   leave. Such an account is removed from the indexes, and stays damaged.
    package func changing<Result>(
        _ account: AccountID,
        allowsDamage: Bool = false,
        _ db: Connection,
        _ change: () throws -> Result
    ) throws -> Result {
        let before: AccountRows?
        do {
            before = try AccountRows.verified(account, self, db)
            // An account without a user record ID is in no index.
            if let before, !before.users.isEmpty { _ = try before.addresses(with: keys(db)) }
        } catch  where allowsDamage && Service.isDamage(error) {
            try updateIndexes(after: AccountChange.damaged(account), db)
            return try change()
        }
        guard let before else { return try change() }
        let result = try change()
        let after = try before.renewed(self, db)
        try updateIndexes(after: AccountChange.changed(from: before, to: after), db)
        return result
    }

    private static func isDamage(_ error: any Error) -> Bool {
        error is CryptoError || (error as? KinfolkError)?.code == .storeCorrupt
    }
}
