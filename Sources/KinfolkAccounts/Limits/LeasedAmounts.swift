package import KinfolkModel

/// The leased part of a person's spending: amounts that services may still spend from memory, and the times at which they
/// lapse, that is, stop counting as spent.
///
/// Time is divided into windows of one minute. Amounts are added up by the window in which they were taken. When the following
/// window is over too, they no longer count as spent: one to two minutes after they were taken. A service spends them only for 50
/// seconds (``LimitLeases/validity``). So nobody loses permits when a process is killed.
///
/// A running service reports before that what it has spent. If it was suspended for longer, or received no calls, its amount was
/// already returned, and what it spent is charged later: ``Spending/settling(_:)``.
package struct LeasedAmounts: Equatable {
    package static let none = LeasedAmounts(window: 0, recent: 0, earlier: 0, lapsed: 0)
    /// The maximum that is stored.
    private static let most: Int64 = 1 << 40

    /// The window of `recent`: minutes since 1970-01-01, by the clock of limits.
    package private(set) var window: Int64
    /// The amount taken in that window.
    package private(set) var recent: Int64
    /// The amount taken in the window before it.
    package private(set) var earlier: Int64
    /// The amount that was returned automatically, in millionths. A service may have spent some of it without having reported
    /// that yet.
    package private(set) var lapsed: Int64

    /// Values from the store may be anything, so all are clamped.
    package init(window: Int64, recent: Int64, earlier: Int64, lapsed: Int64) {
        self.window = window
        self.recent = min(max(recent, 0), LeasedAmounts.most)
        self.earlier = min(max(earlier, 0), LeasedAmounts.most)
        self.lapsed = min(max(lapsed, 0), Spending.most)
    }

    private static func window(at now: Timestamp) -> Int64 { now.microseconds / 60_000_000 }

    /// Advances to the window of `now`.
    ///
    /// - Returns: The amount that is returned automatically.
    package mutating func lapse(at now: Timestamp) -> Int64 {
        let current = LeasedAmounts.window(at: now)
        let back: Int64
        switch current.subtractingReportingOverflow(window) {
        // The clock of another machine may be slightly ahead of this one's.
        case (0, false), (-1, false): return 0
        case (1, false): (back, earlier, recent) = (earlier, recent, 0)
        // Both windows are over, or the clock was set back.
        default: (back, earlier, recent) = (earlier + recent, 0, 0)
        }
        window = current
        lapsed = min(lapsed + Limit.millionths(back), Spending.most)
        return back
    }

    /// Adds an amount that a service leases now. Call ``lapse(at:)`` first.
    package mutating func take(_ count: Int64) { recent = min(recent + max(count, 0), LeasedAmounts.most) }

    /// Removes an amount that a service leased in a window. Returns false if it has already lapsed.
    package mutating func remove(_ count: Int64, takenIn window: Int64) -> Bool {
        if window == self.window, recent >= count {
            recent -= count
            return true
        }
        if window == self.window &- 1, earlier >= count {
            earlier -= count
            return true
        }
        return false
    }

    /// Records that a service has charged what it spent of an amount that had been returned automatically.
    package mutating func settle(_ count: Int64) { lapsed = max(0, lapsed - Limit.millionths(count)) }

    /// Lets returned amounts that may have been spent be regained over time, as everything that is spent.
    mutating func regain(_ millionths: Int64) { lapsed = max(0, lapsed - max(millionths, 0)) }

    /// The state after a debt is charged that covers `millionths` of the returned amounts: only the rest may have been spent in
    /// addition.
    func lapsedBeyond(_ millionths: Int64) -> LeasedAmounts {
        LeasedAmounts(window: window, recent: 0, earlier: 0, lapsed: max(0, lapsed - max(millionths, 0)))
    }
}
