/// What a person has spent of a limit and not regained yet, as of a moment.
///
/// Not what is left: then a ceiling may rise, and fall, and nothing is gained or lost by that.
struct Spending: Equatable {
    /// More is never stored.
    static let most: Int64 = 1 << 61
    static func none(at now: Timestamp) -> Spending { Spending(millionths: 0, countedAt: now) }

    /// In millionths; never negative. What services have taken ahead is part of it.
    let millionths: Int64
    let countedAt: Timestamp
    let leased: LeasedAhead

    /// The store may say anything, so it is clamped.
    init(millionths: Int64, countedAt: Timestamp, leased: LeasedAhead = .none) {
        self.millionths = min(max(millionths, 0), Spending.most)
        self.countedAt = countedAt
        self.leased = leased
    }

    /// What of it is not regained at a later moment, without what was taken ahead and has come back. If the clock was set back
    /// since, nothing is regained, and time counts from now.
    func at(_ now: Timestamp, _ limit: Limit) -> Spending {
        let spent = lapsed(at: now)
        let regained = limit.regained(from: countedAt, to: now)
        let used = min(regained, spent.millionths)
        var leased = spent.leased
        leased.regain(regained - used)
        return Spending(millionths: spent.millionths - used, countedAt: now, leased: leased)
    }

    /// The same without what was taken ahead and has come back by a moment.
    func lapsed(at now: Timestamp) -> Spending {
        var leased = leased
        let back = Limit.millionths(leased.lapse(at: now))
        return Spending(millionths: millionths - back, countedAt: countedAt, leased: leased)
    }

    /// The same after so much more, or less, was spent.
    func adding(_ count: Int64) -> Spending { adding(count, leased: leased) }

    private func adding(_ count: Int64, leased: LeasedAhead) -> Spending {
        let difference = Limit.millionths(Int64(clamping: count.magnitude))
        let sum = count < 0 ? millionths - difference : millionths + difference
        return Spending(millionths: sum, countedAt: countedAt, leased: leased)
    }

    /// The same after a service took so much ahead. Only as of now: see ``at(_:_:)``.
    func takingAhead(_ count: Int64) -> Spending {
        var leased = leased
        leased.take(count)
        return adding(count, leased: leased)
    }

    /// The same after a service gave its lease back: what is left of it was not spent. If the lease has come back by itself
    /// already, what was spent of it is charged. To be called before ``at(_:_:)``.
    func settling(_ lease: LimitLeases.Lease?) -> Spending {
        guard let lease else { return self }
        let (taken, count) = (Int64(lease.taken), Int64(lease.count))
        guard taken > 0 else { return adding(-count) }
        var leased = leased
        if leased.remove(taken, takenIn: lease.window) { return adding(-count, leased: leased) }
        leased.settle(taken)
        return adding(taken - count, leased: leased)
    }

    /// The same after an account took over what was spent with one of its addresses, which is more.
    func raised(to debt: Spending) -> Spending {
        // What may have been spent in addition is remembered, beyond the part that the debt covers.
        let covered = max(0, debt.millionths - millionths)
        return Spending(millionths: debt.millionths, countedAt: debt.countedAt, leased: leased.besides(covered))
    }

    /// What was spent at most: as if all that has come back by itself was spent.
    var millionthsAtMost: Int64 { min(millionths + leased.lapsed, Spending.most) }

    /// How many millionths are left of a limit.
    func left(of limit: Limit) -> Int64 { max(0, limit.ceilingInMillionths - millionths) }
}
