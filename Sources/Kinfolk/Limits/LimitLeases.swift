import KinfolkStorage
import KinfolkThreads

/// Permits, and what else is limited, that were taken out of the store in blocks, to be spent from memory: so most single lookups
/// write nothing.
///
/// A lease is worth something for a minute, in which hardly anything is regained: so what is held in the store and in memory
/// together is never more than the limit. What is left of it goes back with the next block that anybody takes after that, or
/// when the service closes; a crash forfeits it.
final class LimitLeases: Sendable {
    struct Lease {
        var count: Int
        let takenAt: Timestamp

        func isValid(at now: Timestamp) -> Bool { (0..<LimitLeases.minute).contains(now.seconds(since: takenAt)) }
    }

    private struct State {
        var leases: [LimitHolder: Lease] = [:]
        /// When those that are worth nothing were last taken out.
        var sweptAt: Timestamp?
    }

    /// How many leases are kept in memory.
    private static let limit = 4_096
    private static let minute = 60.0

    private let state = Lock(State())
    private let fork = Fork.generation

    /// Spends from memory. False, and none is spent, if there are not so many.
    func spend(_ count: Int, of holder: LimitHolder, at now: Timestamp) -> Bool {
        state.withLock { state in
            guard let lease = state.leases[holder], lease.isValid(at: now), lease.count >= count else { return false }
            state.leases[holder]?.count -= count
            return true
        }
    }

    /// Adds to what is in memory.
    func add(_ count: Int, to holder: LimitHolder, at now: Timestamp) {
        guard count > 0 else { return }
        state.withLock { state in
            // The older moment holds for all.
            state.leases[holder, default: Lease(count: 0, takenAt: now)].count += count
        }
    }

    /// How much of a holder is in memory.
    func count(of holder: LimitHolder) -> Int { state.withLock { $0.leases[holder]?.count ?? 0 } }

    /// Takes what a holder has out of memory and, now and then, those of others that are worth nothing any more: until they
    /// are back in the store, it could fill up without them. When there are too many leases, also some that are.
    func takeOut(_ holder: LimitHolder, at now: Timestamp) -> [LimitHolder: Lease] {
        state.withLock { state in
            var taken: [LimitHolder: Lease] = [:]
            func take(_ holder: LimitHolder) { taken[holder] = state.leases.removeValue(forKey: holder) }
            take(holder)
            if state.sweptAt.map({ !(0..<LimitLeases.minute).contains(now.seconds(since: $0)) }) ?? true {
                state.sweptAt = now
                for (other, lease) in state.leases where !lease.isValid(at: now) { take(other) }
            }
            guard state.leases.count >= LimitLeases.limit else { return taken }
            for other in state.leases.keys.prefix(LimitLeases.limit / 2) { take(other) }
            return taken
        }
    }

    /// Undoes ``takeOut(_:at:)``.
    func putBack(_ taken: [LimitHolder: Lease]) {
        state.withLock { state in
            for (holder, lease) in taken {
                state.leases[holder, default: Lease(count: 0, takenAt: lease.takenAt)].count += lease.count
            }
        }
    }

    /// Gives all leases back. If the store cannot be written now, they are forfeited.
    func giveBackAll(to store: Store, _ keys: (Connection) throws -> KeyRing) {
        // In a forked child they are the parent's, and may have been copied in the middle of a change.
        guard fork == Fork.generation else { return }
        let taken = state.withLock { state in
            defer { state.leases = [:] }
            return state.leases.filter { $0.value.count > 0 }
        }
        guard !taken.isEmpty else { return }
        try? store.write { db in try LimitTable.giveBack(taken, keys(db), db) }
    }
}
