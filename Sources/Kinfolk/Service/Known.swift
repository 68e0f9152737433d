import KinfolkStorage

/// What reads of one connection have found out about the store, and others need again. It is forgotten as soon as anybody has
/// changed anything in the store.
final class Known {
    struct Place: Hashable {
        let container: Int64
        let record: UserRecordID
    }

    private static let limit = 1_000
    /// Whoever has more blocks around them than this is looked up each time.
    private static let fewBlocks = 100

    var keys: KeyRing?
    private var standings: [AccountID: Standing] = [:]
    private var hidden: [Place: Set<UserRecordID>] = [:]

    /// What the transaction may rely on; nil if it writes.
    static func of(_ db: Connection) throws -> Known? {
        guard db.keepsNotes else { return nil }
        if let known = try db.currentNotes() as? Known { return known }
        let new = Known()
        db.keep(new)
        return new
    }

    /// What was verified of an account.
    struct Standing {
        let isSuspended: Bool
        fileprivate let records: [Int64: UserRecordID]

        func record(in container: Int64) -> UserRecordID? { records[container] }
    }

    /// An account whose rows are verified.
    func standing(of account: AccountID) -> Standing? { standings[account] }

    /// Notes rows that are verified.
    func note(_ rows: AccountRows) {
        if standings.count == Known.limit { standings = [:] }
        standings[rows.account.id] = Standing(rows)
    }

    /// Whom a person does not find.
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
