import KinfolkStorage
import KinfolkThreads

/// Permits that were taken out of the store in blocks, to be spent from memory: so most single lookups write nothing.
///
/// A lease is worth something for a minute, in which hardly a permit is gained: so what is held in the store and in memory
/// together is never more than the limit. What is left of it goes back with the next block, or when the service closes; a crash
/// forfeits it.
final class PermitLeases: Sendable {
    struct Holder: Hashable {
        let account: AccountID
        let container: Int64
    }

    struct Lease {
        var permits: Int
        let takenAt: Timestamp

        func isValid(at now: Timestamp) -> Bool { (0..<60).contains(now.seconds(since: takenAt)) }
    }

    /// How many permits a block has.
    static let block = 256
    /// How many leases are kept in memory.
    private static let limit = 4_096

    private let leases = Lock<[Holder: Lease]>([:])

    /// Spends permits from memory. False, and none is spent, if there are not so many.
    func spend(_ count: Int, of holder: Holder, at now: Timestamp) -> Bool {
        leases.withLock { leases in
            guard let lease = leases[holder], lease.isValid(at: now), lease.permits >= count else { return false }
            leases[holder]?.permits -= count
            return true
        }
    }

    /// Adds permits to what is in memory.
    func add(_ count: Int, to holder: Holder, at now: Timestamp) {
        guard count > 0 else { return }
        leases.withLock { leases in
            // The older moment holds for all.
            leases[holder, default: Lease(permits: 0, takenAt: now)].permits += count
        }
    }

    /// How many permits of a holder are in memory.
    func count(of holder: Holder) -> Int { leases.withLock { $0[holder]?.permits ?? 0 } }

    /// Takes a holder's permits out of memory and, when there are too many leases, those of others.
    func takeOut(_ holder: Holder) -> [Holder: Lease] {
        leases.withLock { leases in
            var taken: [Holder: Lease] = [:]
            if let lease = leases.removeValue(forKey: holder) { taken[holder] = lease }
            guard leases.count >= PermitLeases.limit else { return taken }
            for (other, lease) in leases.prefix(PermitLeases.limit / 2) {
                leases[other] = nil
                taken[other] = lease
            }
            return taken
        }
    }

    /// Undoes ``takeOut(_:)``.
    func putBack(_ taken: [Holder: Lease]) {
        leases.withLock { leases in
            for (holder, lease) in taken {
                leases[holder, default: Lease(permits: 0, takenAt: lease.takenAt)].permits += lease.permits
            }
        }
    }

    /// Gives all leases back. If the store cannot be written now, they are forfeited.
    func giveBackAll(to store: Store) {
        let taken = leases.withLock { leases in
            defer { leases = [:] }
            return leases.filter { $0.value.permits > 0 }
        }
        guard !taken.isEmpty else { return }
        try? store.write { db in
            for (holder, lease) in taken { try PermitTable.giveBack(lease.permits, to: holder, db) }
        }
    }
}
