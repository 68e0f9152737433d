import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Compares what a transaction adds with the quotas of its container, before it is written.
///
/// The limit of a public database is divided among the lanes of its counts: a lane may count up to its allowance, and takes a larger
/// one when it needs it. So writers do not meet at one counter. Transactions are serializable, so no two take the same bytes. When
/// nothing is left, the allowances of the other lanes are withdrawn; a lane without allowance keeps what it has counted.
struct QuotaCheck {
    private let quotas: Quotas
    private let service: Service
    private let db: Connection
    /// The totals of private databases and creators before this transaction.
    private var totals: [ByteChanges.Count: Int] = [:]
    private var lanes: [ByteChanges.Count: ByteCountTable.Lane] = [:]

    /// An allowance is a part of the limit as small as this, or what is needed.
    private static let parts = 64

    init(_ quotas: Quotas, _ service: Service, _ db: Connection) {
        (self.quotas, self.service, self.db) = (quotas, service, db)
    }

    /// Throws ``KinfolkError/Code/quotaExceeded`` unless there is room.
    ///
    /// - Parameters:
    ///   - new: What would be changed.
    ///   - pending: What this transaction has changed. It gets the allowances that lanes need.
    mutating func require(_ new: ByteChanges, after pending: inout ByteChanges) throws {
        // Nothing is taken unless all of it fits.
        var taken = pending
        for (count, bytes) in new.changes where bytes > 0 {
            if count.isOfPublicDatabase {
                if let limit = quotas[.publicDatabase] { try require(bytes, count, limit, &taken) }
            } else if let limit = quotas[count.kind == .creator ? .creator : .user] {
                let total = try total(of: count, limit)
                guard QuotaCheck.fits(total + pending.total(ofZonesOf: count), bytes, limit) else {
                    throw QuotaCheck.exceeded(
                        count.kind == .creator ? "of a creator in the public database" : "of the user"
                    )
                }
            }
        }
        pending = taken
    }

    private static func fits(_ total: Int, _ more: Int, _ limit: Int) -> Bool {
        total <= limit && more <= limit - total
    }

    private static func exceeded(_ whose: String) -> KinfolkError {
        KinfolkError(.quotaExceeded, "The change would exceed the quota \(whose).")
    }

    private mutating func total(of count: ByteChanges.Count, _ limit: Int) throws -> Int {
        let key = ByteChanges.Count(
            container: count.container,
            owner: count.owner,
            zone: 0,
            kind: count.kind,
            lane: 0
        )
        if let known = totals[key] { return known }
        let total =
            if count.kind == .creator, let creator = count.owner.withUnsafeBytes(RandomID.init(bytes:)) {
                try CreatorDebts(service, db).total(of: UserRecordID(creator), in: count.container, quota: limit)
            } else {
                try ByteCountTable.total(count.kind, of: count.owner, in: count.container, db)
            }
        totals[key] = total
        return total
    }

    // MARK: Lanes

    private mutating func require(
        _ bytes: Int,
        _ count: ByteChanges.Count,
        _ limit: Int,
        _ pending: inout ByteChanges
    ) throws {
        let lane = try lane(count)
        let change = pending.changes[count] ?? 0
        let needed = lane.bytes + change + bytes
        guard needed > pending.allowances[count] ?? lane.allowance else { return }
        let others = try ByteCountTable.lanes(in: count.container, db).filter { $0.lane != count.lane }
        let counted = QuotaCheck.sum(others.map(\.bytes))
        guard QuotaCheck.fits(counted + lane.bytes + change, bytes, limit) else {
            throw QuotaCheck.exceeded("of the public database")
        }
        let allowed = QuotaCheck.sum(others.map { max($0.bytes, $0.allowance) })
        if needed <= limit - allowed {
            pending.allowances[count] = min(needed + limit / QuotaCheck.parts, limit - allowed)
        } else {
            // The others keep what they have counted.
            pending.withdrawals.insert(count)
            pending.allowances[count] = needed
        }
    }

    /// Limited to 2^60: an edited store may have any number of lanes.
    private static func sum(_ counts: [Int]) -> Int { counts.reduce(0) { min(max($0 + $1, -1 << 60), 1 << 60) } }

    private mutating func lane(_ count: ByteChanges.Count) throws -> ByteCountTable.Lane {
        if let known = lanes[count] { return known }
        let lane =
            try ByteCountTable.lane(count.lane, in: count.container, db)
            ?? ByteCountTable.Lane(lane: count.lane, bytes: 0, allowance: 0)
        lanes[count] = lane
        return lane
    }
}
