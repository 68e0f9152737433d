package import KinfolkModel

/// The part of a limit that a person has spent and that has not accrued again, at a given time.
///
/// The spent amount is stored, not the remaining one, so that raising and lowering a ceiling neither gives nor takes anything.
package struct Spending: Equatable {
    /// The maximum that is stored.
    package static let most: Int64 = 1 << 61
    package static func none(at now: Timestamp) -> Spending { Spending(millionths: 0, countedAt: now) }

    /// In millionths; never negative. Includes leased amounts.
    package let millionths: Int64
    package let countedAt: Timestamp
    package let leased: LeasedAmounts

    /// Values from the store may be anything, so the amount is clamped.
    package init(millionths: Int64, countedAt: Timestamp, leased: LeasedAmounts = .none) {
        self.millionths = min(max(millionths, 0), Spending.most)
        self.countedAt = countedAt
        self.leased = leased
    }

    /// The spending at a later time, after amounts have accrued again. Lapsed leases are not counted. If the clock was set
    /// back, nothing accrues, and time counts from `now`.
    package func at(_ now: Timestamp, _ limit: Limit) -> Spending {
        let spent = lapsed(at: now)
        let regained = limit.regained(from: countedAt, to: now)
        let used = min(regained, spent.millionths)
        var leased = spent.leased
        leased.regain(regained - used)
        return Spending(millionths: spent.millionths - used, countedAt: now, leased: leased)
    }

    /// The spending without leases that have lapsed at a time.
    package func lapsed(at now: Timestamp) -> Spending {
        var leased = leased
        let back = Limit.millionths(leased.lapse(at: now))
        return Spending(millionths: millionths - back, countedAt: countedAt, leased: leased)
    }

    /// The spending after `count` more was spent.
    package func adding(_ count: Int64) -> Spending { changed(by: max(count, 0), leased: leased) }

    /// The spending after `count` was given back.
    package func removing(_ count: Int64) -> Spending { changed(by: -max(count, 0), leased: leased) }

    private func changed(by count: Int64, leased: LeasedAmounts) -> Spending {
        let difference = Limit.millionths(Int64(clamping: count.magnitude))
        let sum = count < 0 ? millionths - difference : millionths + difference
        return Spending(millionths: sum, countedAt: countedAt, leased: leased)
    }

    /// The spending after a service leased `count`. Call it only on a value for the current time: see ``at(_:_:)``.
    func takingAhead(_ count: Int64) -> Spending {
        var leased = leased
        leased.take(count)
        return changed(by: max(count, 0), leased: leased)
    }

    /// The spending after a service settled its lease: what is left of the lease was not spent. If the lease was already returned
    /// automatically, what was spent of it is charged. Call this before ``at(_:_:)``.
    package func settling(_ lease: LimitLeases.Lease?) -> Spending {
        guard let lease else { return self }
        let (taken, count) = (Int64(lease.taken), Int64(lease.count))
        guard taken > 0 else { return removing(count) }
        var leased = leased
        if leased.remove(taken, takenIn: lease.window) { return changed(by: -count, leased: leased) }
        leased.settle(taken)
        return changed(by: taken - count, leased: leased)
    }

    /// The spending after an account inherited a larger amount that was spent with one of its addresses.
    package func raised(to debt: Spending) -> Spending {
        // Returned amounts that may have been spent in addition are remembered, beyond the part that the debt covers.
        let covered = max(0, debt.millionths - millionths)
        return Spending(millionths: debt.millionths, countedAt: debt.countedAt, leased: leased.lapsedBeyond(covered))
    }

    /// The upper bound of what was spent, in millionths: as if every leased permit that was returned automatically had been spent.
    package var millionthsAtMost: Int64 { min(millionths + leased.lapsed, Spending.most) }

    /// How many millionths are left of a limit.
    package func left(of limit: Limit) -> Int64 { max(0, limit.ceilingInMillionths - millionths) }
}
