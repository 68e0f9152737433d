import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// What reads of one connection have learnt about accounts.
final class KnownAccounts: KnownNotes {
    struct Place: Hashable {
        let container: Int64
        let record: UserRecordID
    }

    /// What was verified about an account.
    struct Standing {
        let isSuspended: Bool
        private let users: [Int64: (record: UserRecordID, roles: RoleNames)]

        init(_ rows: AccountRows) {
            isSuspended = rows.account.isSuspended
            users = Dictionary(
                rows.users.map { ($0.container, ($0.record, $0.roles)) },
                uniquingKeysWith: { first, _ in first }
            )
        }

        func record(in container: Int64) -> UserRecordID? { users[container]?.record }

        func roles(in container: Int64) -> RoleNames { users[container]?.roles ?? RoleNames() }
    }

    private static let limit = 1_000
    /// A person with more blocks than this is not cached, and looked up each time.
    private static let fewBlocks = 100

    /// Identifies the list of watches whose revisions the ``AccountWatcher`` has compared.
    var comparedWatches: Int?
    private var standings: [AccountID: Standing] = [:]
    private var hidden: [Place: Set<UserRecordID>] = [:]

    /// The cache that the transaction may use; nil if it writes.
    static func of(_ db: Connection) throws -> KnownAccounts? { try Known.of(db)?.notes(KnownAccounts.self) }

    /// An account whose rows were verified.
    func standing(of account: AccountID) -> Standing? { standings[account] }

    /// Caches rows that were verified.
    func note(_ rows: AccountRows) {
        if standings.count == KnownAccounts.limit { standings = [:] }
        standings[rows.account.id] = Standing(rows)
    }

    /// The people whom a person cannot find.
    func hidden(from place: Place) -> Set<UserRecordID>? { hidden[place] }

    func note(_ people: Set<UserRecordID>, hiddenFrom place: Place) {
        guard people.count <= KnownAccounts.fewBlocks else { return }
        if hidden.count == KnownAccounts.limit { hidden = [:] }
        hidden[place] = people
    }
}
