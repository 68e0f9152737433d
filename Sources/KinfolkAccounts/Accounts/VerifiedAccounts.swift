import KinfolkModel
import KinfolkStorage

/// The accounts whose rows a writing connection has verified.
///
/// Other connections' changes of the store discard all of this. The connection's own changes do not, but each of them that concerns
/// an account changes the row of the account too. So an account is known while that row stays the same.
final class VerifiedAccounts {
    private static let limit = 1_000

    private var accounts: [AccountID: (row: AccountStanding, standing: KnownAccounts.Standing)] = [:]

    /// The standing of an account whose rows were verified by a write before this one; nil if it has to be verified again.
    /// It is also nil if the account had no user record ID in `container` then, since a first session does not change its row.
    static func standing(
        of account: AccountID,
        in container: Container,
        _ db: Connection
    ) throws -> KnownAccounts.Standing? {
        guard let known = (db.writeNotes as? VerifiedAccounts)?.accounts[account],
            known.standing.record(in: container.number) != nil,
            try AccountTable.row(account, db)?.standing == known.row
        else { return nil }
        return known.standing
    }

    /// Notes rows that were verified in a write.
    static func note(_ rows: AccountRows, _ db: Connection) {
        guard !db.keepsNotes else { return }
        let known = db.writeNotes as? VerifiedAccounts ?? VerifiedAccounts()
        if known.accounts.count == limit { known.accounts = [:] }
        known.accounts[rows.account.id] = (rows.account.standing, KnownAccounts.Standing(rows))
        db.writeNotes = known
    }
}
