package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage
package import KinfolkThreads

/// Permits and other limited amounts that this service has leased: they count as spent in the store, and are spent from memory.
/// So most of many single look-ups write nothing.
///
/// The first look-ups of a person lease nothing. So a program that makes a few look-ups and exits in any way has spent exactly
/// those. From the fourth look-up within a minute on, each look-up that writes leases more than the previous one, if the
/// previous lease was used up: 4, 8, 16, 32, 64.
///
/// A lease is settled by the next charge of its holder that writes. After it has expired, it is settled by the next such charge
/// of any holder, or when the service closes or the process exits. If none of these happens, the amount is returned
/// automatically: see ``LeasedAmounts``.
package final class LimitLeases: Sendable {
    package struct Lease {
        /// How much may still be spent, including amounts that were given back.
        package fileprivate(set) var count: Int
        /// The leased amount in the store's count; 0 for amounts that were only returned.
        package fileprivate(set) var taken: Int
        /// The window of ``LeasedAmounts`` in which it was taken.
        package fileprivate(set) var window: Int64
        fileprivate let takenAt: Timestamp

        package init(count: Int, taken: Int, window: Int64, takenAt: Timestamp) {
            self.count = count
            self.taken = taken
            self.window = window
            self.takenAt = takenAt
        }

        fileprivate func isValid(at now: Timestamp) -> Bool {
            (0..<LimitLeases.validity).contains(now.seconds(since: takenAt))
        }
    }

    /// A series of small charges of a holder that were written, each within a minute after the previous one.
    private struct Streak {
        var charges: Int
        var lastAt: Timestamp
        /// The amount that the last charge leased, including the charge itself; 0 if it leased nothing.
        var size: Int

        func isUnbroken(at now: Timestamp) -> Bool { (0..<LimitLeases.minute).contains(now.seconds(since: lastAt)) }
    }

    private struct State {
        var leases: [LimitHolder: Lease] = [:]
        var streaks: [LimitHolder: Streak] = [:]
        /// When expired leases were last removed.
        var sweptAt: Timestamp?
        /// When another service of the process last had expired leases settled.
        var settledAt: Timestamp?

        /// Adds a lease, or a given-back amount, to the lease of a holder. A holder has at most one lease: two are merged, with
        /// the earlier time.
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

    /// The number of seconds for which a lease may be spent. The store waits at least ten seconds longer (``LeasedAmounts``).
    static let validity = 50.0
    private static let minute = 60.0
    /// The interval in seconds for looking for expired leases. They must be settled before the store counts them as not spent.
    private static let sweepInterval = 5.0
    /// The number of small charges that are written before the first lease.
    private static let chargesBefore = 3
    /// How many leases are kept in memory.
    private static let limit = 4_096

    private let state = Lock(State())
    private let fork = Fork.generation

    /// Spends from memory. If the lease has less than `count`, it spends nothing and returns false.
    package func spend(_ count: Int, of holder: LimitHolder, at now: Timestamp) -> Bool {
        // In a forked child the leases are the parent's, and may have been copied in the middle of a change.
        guard fork == Fork.generation else { return false }
        return state.withLock { state in
            guard let lease = state.leases[holder], lease.isValid(at: now), lease.count >= count else { return false }
            state.leases[holder]?.count -= count
            return true
        }
    }

    /// Returns an amount to the lease because the work that it paid for failed. False if the holder has no lease.
    package func giveBack(_ count: Int, to holder: LimitHolder) -> Bool {
        guard fork == Fork.generation else { return false }
        return state.withLock { state in
            guard state.leases[holder] != nil else { return false }
            state.leases[holder]?.count += count
            return true
        }
    }

    /// Adds permits to the lease in memory. The store has counted them as spent, but they were not. If the process ends before the
    /// next charge, they are lost.
    package func add(_ count: Int, to holder: LimitHolder, at now: Timestamp) {
        guard count > 0, fork == Fork.generation else { return }
        state.withLock { $0.add(Lease(count: count, taken: 0, window: 0, takenAt: now), of: holder) }
    }

    /// The holder's lease in memory, if any.
    package func lease(of holder: LimitHolder) -> Lease? {
        guard fork == Fork.generation else { return nil }
        return state.withLock { $0.leases[holder] }
    }

    /// How much of the holder's lease is left in memory.
    package func count(of holder: LimitHolder) -> Int { lease(of: holder)?.count ?? 0 }

    // MARK: Leasing

    /// How much to take from the store for a charge, including the charge: only the charge, unless it belongs to a series of
    /// small charges.
    ///
    /// - Parameter before: The lease that the holder had until now.
    package func size(for count: Int, of holder: LimitHolder, after before: Lease?, at now: Timestamp) -> Int {
        let streak = state.withLock { $0.streaks[holder] }
        guard count <= holder.kind.single, let streak, streak.isUnbroken(at: now),
            streak.charges >= LimitLeases.chargesBefore
        else { return count }
        let sizes = holder.kind.lease
        guard streak.size > 0 else { return sizes.lowerBound }
        guard let before, before.taken > 0 else { return streak.size }
        // The whole lease was spent, so it was too small.
        if before.count < count { return min(streak.size * 2, sizes.upperBound) }
        var size = sizes.lowerBound
        while size < before.taken - before.count, size < sizes.upperBound { size *= 2 }
        return size
    }

    /// Records a charge that was written, and the amount that was leased with it.
    ///
    /// - Parameters:
    ///   - size: The result of ``size(for:of:after:at:)``.
    ///   - ahead: The leased amount, without the charge. It is less than planned if little was left.
    ///   - window: The window in which the store counts the amount.
    package func noteCharge(
        _ count: Int,
        size: Int,
        ahead: Int,
        in window: Int64,
        of holder: LimitHolder,
        at now: Timestamp
    ) {
        state.withLock { state in
            if count <= holder.kind.single {
                // A holder whose series was dropped here does a few more look-ups that write.
                if state.streaks.count >= LimitLeases.limit { state.streaks = [:] }
                var streak = state.streaks[holder] ?? Streak(charges: 0, lastAt: now, size: 0)
                if !streak.isUnbroken(at: now) { streak = Streak(charges: 0, lastAt: now, size: 0) }
                streak.charges = min(streak.charges + 1, LimitLeases.chargesBefore)
                streak.lastAt = now
                streak.size = size > count ? size : 0
                state.streaks[holder] = streak
            }
            guard ahead > 0 else { return }
            state.add(Lease(count: ahead, taken: ahead, window: window, takenAt: now), of: holder)
        }
    }

    // MARK: Settling

    /// Removes the lease of a holder from memory and, from time to time, the expired leases of others. If there are too many
    /// leases, it also removes some that are valid.
    func takeOut(_ holder: LimitHolder, at now: Timestamp) -> [LimitHolder: Lease] {
        state.withLock { state in
            var taken: [LimitHolder: Lease] = [:]
            func take(_ holder: LimitHolder) { taken[holder] = state.leases.removeValue(forKey: holder) }
            take(holder)
            if LimitLeases.isDue(after: state.sweptAt, at: now) {
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

    /// Removes only the lease of this holder from memory.
    func takeOut(only holder: LimitHolder) -> [LimitHolder: Lease] {
        state.withLock { state in state.leases.removeValue(forKey: holder).map { [holder: $0] } ?? [:] }
    }

    /// Settles all leases. If the store cannot be written now, the leases stay in memory, and the store returns the amounts
    /// automatically.
    ///
    /// - Parameter deadline: How long to wait for other writers; nil for the store's own limit.
    package func settle(in store: Store, _ keys: (Connection) throws -> KeyRing, until deadline: Deadline? = nil) {
        guard fork == Fork.generation else { return }
        let taken = state.withLock { state in
            defer { state.leases = [:] }
            return state.leases
        }
        settle(taken, in: store, keys, until: deadline)
    }

    /// Settles the leases that have expired by `now`, unless that was done a few seconds ago. If the store cannot be written now,
    /// they stay in memory.
    package func settle(
        endedAt now: Timestamp,
        in store: Store,
        _ keys: (Connection) throws -> KeyRing,
        until deadline: Deadline
    ) {
        guard fork == Fork.generation else { return }
        let taken = state.withLock { state -> [LimitHolder: Lease] in
            guard LimitLeases.isDue(after: state.settledAt, at: now) else { return [:] }
            state.settledAt = now
            let taken = state.leases.filter { !$0.value.isValid(at: now) }
            for holder in taken.keys { state.leases[holder] = nil }
            return taken
        }
        settle(taken, in: store, keys, until: deadline)
    }

    /// Whether expired leases must be looked for again. They are found before the store returns them: that takes ten seconds more
    /// than their validity, which is longer than the interval.
    private static func isDue(after last: Timestamp?, at now: Timestamp) -> Bool {
        last.map { !(0..<sweepInterval).contains(now.seconds(since: $0)) } ?? true
    }

    private func settle(
        _ taken: [LimitHolder: Lease],
        in store: Store,
        _ keys: (Connection) throws -> KeyRing,
        until deadline: Deadline?
    ) {
        guard !taken.isEmpty else { return }
        do {
            try store.write(until: deadline) { db in try LimitTable.settle(taken, keys(db), db) }
        } catch {
            putBack(taken)
        }
    }
}

extension LimitLeases: ServicePart {
    package func writePending(of service: Service, until deadline: Deadline?) {
        settle(in: service.store, service.keychain.ring, until: deadline)
    }
}

extension Service {
    package var leases: LimitLeases { part(LimitLeases.self) }

    /// Makes other services of this process on the same store charge what they spent of leases that have expired. Otherwise the
    /// store would count those permits as not spent.
    ///
    /// If another writer has the store for longer than a second, that is left to a later charge.
    func settleEndedLeasesOfOthers() {
        for service in others {
            service.leases.settle(
                endedAt: service.steadyClock(),
                // Not in its own store, which may just be closed.
                in: store,
                keychain.ring,
                until: Deadline(in: 1)
            )
        }
    }
}
