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
            try updateIndexes(after: [AccountChange.damaged(account)], db)
            rows = AccountRows(damaged: account)
            return try change(&rows)
        }
        let before = rows
        let result = try change(&rows)
        try renew([before], [rows], db)
        return result
    }

    /// The same for many accounts, which must not be damaged. All of them are read before the first is changed, so that a server
    /// takes few round trips, and the rows of each table are written together.
    ///
    /// - Parameter change: Changes the rows of the accounts that exist, in the order of `accounts`.
    package func changing(
        _ accounts: [AccountID],
        _ db: Connection,
        _ change: (inout [AccountRows]) throws -> Void
    ) throws {
        var rows: [AccountRows] = []
        for first in stride(from: 0, to: accounts.count, by: Service.accountsAhead) {
            let part = accounts[first..<min(first + Service.accountsAhead, accounts.count)]
            try db.askAhead { for account in part { try AccountRows.askAhead(account, db) } }
            for account in part {
                if let verified = try AccountRows.verified(account, self, db) { rows.append(verified) }
            }
        }
        let before = rows
        try change(&rows)
        try renew(before, rows, db)
    }

    /// How many accounts are prefetched together.
    private static let accountsAhead = 50

    private func renew(_ before: [AccountRows], _ changed: [AccountRows], _ db: Connection) throws {
        let after = try AccountRows.renewed(changed, keys(db), db)
        try updateIndexes(after: zip(before, after).map { AccountChange.changed(from: $0, to: $1) }, db)
    }

    private static func isDamage(_ error: any Error) -> Bool {
        error is CryptoError || (error as? KinfolkError)?.code == .storeCorrupt
    }
}
