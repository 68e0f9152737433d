import KinfolkStorage

/// What reads of one connection have learnt about the store and later reads need again. It is discarded as soon as anything in
/// the store changes.
final class Known {
    struct Place: Hashable {
        let container: Int64
        let record: UserRecordID
    }

    private static let limit = 1_000
    /// A person with more blocks than this is not cached, and looked up each time.
    private static let fewBlocks = 100

    var keys: KeyRing?
    /// Identifies the list of watches whose revisions the ``AccountWatcher`` has compared.
    var comparedWatches: Int?
    private var standings: [AccountID: Standing] = [:]
    private var hidden: [Place: Set<UserRecordID>] = [:]

    /// The cache that the transaction may use; nil if it writes.
    static func of(_ db: Connection) throws -> Known? {
        guard db.keepsNotes else { return nil }
        if let known = try db.currentNotes() as? Known { return known }
        let new = Known()
        db.keep(new)
        return new
    }

    /// What was verified about an account.
    struct Standing {
        let isSuspended: Bool
        fileprivate let records: [Int64: UserRecordID]

        func record(in container: Int64) -> UserRecordID? { records[container] }
    }

    /// An account whose rows were verified.
    func standing(of account: AccountID) -> Standing? { standings[account] }

    /// Caches rows that were verified.
    func note(_ rows: AccountRows) {
        if standings.count == Known.limit { standings = [:] }
        standings[rows.account.id] = Standing(rows)
    }

    /// The people whom a person cannot find.
    func hidden(from place: Place) -> Set<UserRecordID>? { hidden[place] }

    func note(_ people: Set<UserRecordID>, hiddenFrom place: Place) {
        guard people.count <= Known.fewBlocks else { return }
        if hidden.count == Known.limit { hidden = [:] }
        hidden[place] = people
    }
}

extension Known.Standing {
    init(_ rows: AccountRows) {
        isSuspended = rows.account.isSuspended
        records = Dictionary(rows.users.map { ($0.container, $0.record) }, uniquingKeysWith: { first, _ in first })
    }
}
