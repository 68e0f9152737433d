package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// A change of an account, as indexes that are derived from accounts see it.
package enum AccountChange {
    /// Both states are authentic.
    case changed(from: AccountRows, to: AccountRows)
    /// The account's rows were edited without the key. An index removes what it has of the account and adds nothing.
    case damaged(AccountID)
}

extension Service {
    /// Verifies the account, lets `change` change its rows, writes a new revision of the account, and updates the indexes that are
    /// derived from accounts.
    ///
    /// Every change of an authenticated row of an account is made in here, except by an import, which creates complete accounts.
    ///
    /// - Parameters:
    ///   - known: The account's rows, if this transaction has verified them and changed nothing since.
    ///   - allowsDamage: Whether to change even an account whose rows were edited without the key: a person must be able to leave.
    ///     Such an account is removed from the indexes, and stays damaged.
    ///   - change: Changes the rows in the store and in memory, or loads them again at its end (``AccountRows/reload(_:)``).
    package func changing<Result>(
        _ account: AccountID,
        known: AccountRows? = nil,
        allowsDamage: Bool = false,
        _ db: Connection,
        _ change: (inout AccountRows) throws -> Result
    ) throws -> Result {
        var rows: AccountRows
        do {
            guard let verified = try known ?? AccountRows.verified(account, self, db) else { throw Account.unknown }
            // An account without a user record ID is in no index.
            if !verified.users.isEmpty { _ = try verified.addresses(with: keys(db)) }
            rows = verified
        } catch  where allowsDamage && Service.isDamage(error) {
            try updateIndexes(after: AccountChange.damaged(account), db)
            rows = AccountRows(damaged: account)
            return try change(&rows)
        }
        let before = rows
        let result = try change(&rows)
        try rows.renew(self, db)
        try updateIndexes(after: AccountChange.changed(from: before, to: rows), db)
        return result
    }

    private static func isDamage(_ error: any Error) -> Bool {
        error is CryptoError || (error as? KinfolkError)?.code == .storeCorrupt
    }
}
