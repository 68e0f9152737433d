import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkThreads

/// What ``CreatorDebts`` has found of accounts, so that a save does not search the history of each address again.
///
/// What is remembered about an address changes only when an account loses it. Then the row of that account changes too. So it is known
/// until the row changes, or the day ends, on which something may expire.
final class KnownDebts: ServicePart {
    struct Key: Hashable {
        let account: AccountID
        let container: Int64
    }

    /// What counts for an account in a container.
    struct Debts: Sendable {
        /// Whether the account has lost its last address, and so creates nothing.
        var isStopped = false
        /// Others whose bytes count, each up to a number of bytes.
        var creators: [UserRecordID: Int] = [:]
        /// Bytes that count in addition to those of the creators.
        var bytes = 0
    }

    private struct Kept {
        let standing: AccountStanding
        let day: Int64
        let debts: Debts
    }

    private static let limit = 1_000

    private let kept = Lock<[Key: Kept]>([:])

    func debts(of key: Key, _ standing: AccountStanding, on day: Int64) -> Debts? {
        kept.withLock { kept in
            guard let known = kept[key], known.standing == standing, known.day == day else { return nil }
            return known.debts
        }
    }

    func note(_ debts: Debts, of key: Key, _ standing: AccountStanding, on day: Int64) {
        kept.withLock { kept in
            if kept.count >= KnownDebts.limit { kept = [:] }
            kept[key] = Kept(standing: standing, day: day, debts: debts)
        }
    }
}
