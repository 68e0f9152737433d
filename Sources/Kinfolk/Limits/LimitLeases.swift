import KinfolkStorage
import KinfolkThreads

/// Permits, and what else is limited, that were taken out of the store ahead, to be spent from memory: so most single look-ups of
/// a row write nothing.
///
/// Nothing is taken ahead for the first look-ups of a person, so a program that looks up a few and ends, however it ends, has spent
/// just those. From the fourth within a minute on, each look-up that writes takes more ahead than the one before, as long as all of
/// it is spent: 4, 8, 16, 32, 64.
///
/// A lease is settled with the next charge of its holder, or with the next one of anybody once it is not valid any more, or when
/// the service closes or the process exits. If nobody does, what was taken ahead comes back by itself: see ``LeasedAhead``.
final class LimitLeases: Sendable {
    struct Lease {
        /// How much may be spent, what was given back included.
        fileprivate(set) var count: Int
        /// How much of the limit the store counts as taken ahead; 0 for what was only given back.
        fileprivate(set) var taken: Int
        /// The window in which it was taken.
        fileprivate(set) var window: Int64
        fileprivate let takenAt: Timestamp

        fileprivate func isValid(at now: Timestamp) -> Bool {
            (0..<LimitLeases.validity).contains(now.seconds(since: takenAt))
        }
    }

    /// Small charges of a holder that were written, each within a minute after the one before.
    private struct Row {
        var charges: Int
        var lastAt: Timestamp
        /// How much was taken ahead last, that charge included; 0 if nothing was.
        var size: Int

        func isUnbroken(at now: Timestamp) -> Bool { (0..<LimitLeases.minute).contains(now.seconds(since: lastAt)) }
    }

    private struct State {
        var leases: [LimitHolder: Lease] = [:]
        var rows: [LimitHolder: Row] = [:]
        /// When those that are not valid any more were last taken out.
        var sweptAt: Timestamp?

        /// Adds a lease, or what was given back, to what a holder has. Of two leases, which would be one too many, the older
        /// moment holds for both.
        mutating func add(_ lease: Lease, of holder: LimitHolder) {
            guard let other = leases[holder] else {
                leases[holder] = lease
                return
            }
            var sum = other.taken > 0 ? other : lease
            sum.count = other.count + lease.count
            sum.taken = other.taken + lease.taken
            leases[holder] = sum
        }
    }

    /// For how many seconds a lease is spent. The store counts with at least ten more (``LeasedAhead``).
    static let validity = 50.0
    private static let minute = 60.0
    /// How often leases that are not valid any more are looked for: before the store counts them as not spent.
    private static let sweepInterval = 5.0
    /// How many small charges are written before anything is taken ahead.
    private static let chargesBefore = 3
    /// How many leases are kept in memory.
    private static let limit = 4_096

    private let state = Lock(State())
    private let fork = Fork.generation

    /// Spends from memory. False, and none is spent, if there are not so many.
    func spend(_ count: Int, of holder: LimitHolder, at now: Timestamp) -> Bool {
        // In a forked child they are the parent's, and may have been copied in the middle of a change.
        guard fork == Fork.generation else { return false }
        return state.withLock { state in
            guard let lease = state.leases[holder], lease.isValid(at: now), lease.count >= count else { return false }
            state.leases[holder]?.count -= count
            return true
        }
    }

    /// Adds to a lease what was spent of it in vain. False if the holder has none.
    func giveBack(_ count: Int, to holder: LimitHolder) -> Bool {
        guard fork == Fork.generation else { return false }
        return state.withLock { state in
            guard state.leases[holder] != nil else { return false }
            state.leases[holder]?.count += count
            return true
        }
    }

    /// Adds to what is in memory what the store counts as spent and was not. If the process ends before the next charge, it is
    /// forfeited.
    func add(_ count: Int, to holder: LimitHolder, at now: Timestamp) {
        guard count > 0, fork == Fork.generation else { return }
        state.withLock { $0.add(Lease(count: count, taken: 0, window: 0, takenAt: now), of: holder) }
    }

    /// What of a holder is in memory.
    func lease(of holder: LimitHolder) -> Lease? {
        guard fork == Fork.generation else { return nil }
        return state.withLock { $0.leases[holder] }
    }

    /// How much of a holder is in memory.
    func count(of holder: LimitHolder) -> Int { lease(of: holder)?.count ?? 0 }

    // MARK: Taking ahead

    /// How much is to be taken out of the store for a charge, itself included: no more than it costs unless it is one of a row.
    ///
    /// - Parameter before: The lease that the holder had until now.
    func size(for count: Int, of holder: LimitHolder, after before: Lease?, at now: Timestamp) -> Int {
        let row = state.withLock { $0.rows[holder] }
        guard count <= holder.kind.single, let row, row.isUnbroken(at: now), row.charges >= LimitLeases.chargesBefore
        else { return count }
        let sizes = holder.kind.lease
        guard row.size > 0 else { return sizes.lowerBound }
        guard let before, before.taken > 0 else { return row.size }
        // All was spent: it was too small.
        if before.count < count { return min(row.size * 2, sizes.upperBound) }
        var size = sizes.lowerBound
        while size < before.taken - before.count, size < sizes.upperBound { size *= 2 }
        return size
    }

    /// Notes a charge that was written, and what was taken ahead with it.
    ///
    /// - Parameters:
    ///   - size: What ``size(for:of:after:at:)`` said.
    ///   - ahead: How much was taken ahead, without the charge: less, where little is left.
    ///   - window: The window in which the store counts it.
    func noteCharge(_ count: Int, size: Int, ahead: Int, in window: Int64, of holder: LimitHolder, at now: Timestamp) {
        state.withLock { state in
            if count <= holder.kind.single {
                // Who comes back after they were forgotten has some look-ups more that write.
                if state.rows.count >= LimitLeases.limit { state.rows = [:] }
                var row = state.rows[holder] ?? Row(charges: 0, lastAt: now, size: 0)
                if !row.isUnbroken(at: now) { row = Row(charges: 0, lastAt: now, size: 0) }
                row.charges = min(row.charges + 1, LimitLeases.chargesBefore)
                row.lastAt = now
                row.size = size > count ? size : 0
                state.rows[holder] = row
            }
            guard ahead > 0 else { return }
            state.add(Lease(count: ahead, taken: ahead, window: window, takenAt: now), of: holder)
        }
    }

    // MARK: Settling

    /// Takes what a holder has out of memory and, now and then, those of others that are not valid any more. When there are too
    /// many leases, also some that are.
    func takeOut(_ holder: LimitHolder, at now: Timestamp) -> [LimitHolder: Lease] {
        state.withLock { state in
            var taken: [LimitHolder: Lease] = [:]
            func take(_ holder: LimitHolder) { taken[holder] = state.leases.removeValue(forKey: holder) }
            take(holder)
            if state.sweptAt.map({ !(0..<LimitLeases.sweepInterval).contains(now.seconds(since: $0)) }) ?? true {
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
        guard !taken.isEmpty else { return }
        state.withLock { state in
            for (holder, lease) in taken { state.add(lease, of: holder) }
        }
    }

    /// Takes only what a holder has out of memory.
    func takeOut(only holder: LimitHolder) -> [LimitHolder: Lease] {
        state.withLock { state in state.leases.removeValue(forKey: holder).map { [holder: $0] } ?? [:] }
    }

    /// Settles all leases, or those that are not valid any more. If the store cannot be written now, what was taken ahead comes
    /// back by itself.
    ///
    /// - Parameters:
    ///   - now: Leases that are valid at that moment are kept; nil to settle all.
    ///   - deadline: Until when to wait for others; nil for as long as the store does.
    func settle(
        endedAt now: Timestamp? = nil,
        in store: Store,
        _ keys: (Connection) throws -> KeyRing,
        until deadline: Deadline? = nil
    ) {
        guard fork == Fork.generation else { return }
        let taken = state.withLock { state in
            let taken = state.leases.filter { lease in now.map { !lease.value.isValid(at: $0) } ?? true }
            for holder in taken.keys { state.leases[holder] = nil }
            return taken
        }
        guard !taken.isEmpty else { return }
        do {
            try store.write(until: deadline) { db in try LimitTable.settle(taken, keys(db), db) }
        } catch {
            putBack(taken)
        }
    }
}
