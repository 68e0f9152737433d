/// What of a person's spending services have only taken ahead of a limit, to spend it from memory, and when it comes back by itself.
///
/// Time is divided into windows of a minute. Amounts are added up by the window in which they were taken, and are not spent any
/// more once the window after it is over too: between one and two minutes after they were taken. A service spends them for 50
/// seconds only (``LimitLeases/validity``). So a process that is killed loses nobody's permits.
///
/// A service that lives says what it has spent before that. One that was suspended for longer, or called by nobody, finds that
/// its amount came back, and what it spent is charged then: ``Spending/settling(_:)``.
struct LeasedAhead: Equatable {
    static let none = LeasedAhead(window: 0, recent: 0, earlier: 0, lapsed: 0)
    /// More is never stored.
    private static let most: Int64 = 1 << 40

    /// The window of `recent`: minutes after 1970-01-01, by the clock of limits.
    private(set) var window: Int64
    /// What was taken in that window.
    private(set) var recent: Int64
    /// What was taken in the window before it.
    private(set) var earlier: Int64
    /// What came back by itself, in millionths: a service may have spent it, and not said so yet.
    private(set) var lapsed: Int64

    /// The store may say anything, so all is clamped.
    init(window: Int64, recent: Int64, earlier: Int64, lapsed: Int64) {
        self.window = window
        self.recent = min(max(recent, 0), LeasedAhead.most)
        self.earlier = min(max(earlier, 0), LeasedAhead.most)
        self.lapsed = min(max(lapsed, 0), Spending.most)
    }

    private static func window(at now: Timestamp) -> Int64 { now.microseconds / 60_000_000 }

    /// Whether amounts come back by then.
    func lapses(at now: Timestamp) -> Bool {
        var copy = self
        return copy.lapse(at: now) > 0
    }

    /// Moves on to the window of a moment.
    ///
    /// - Returns: How much comes back.
    mutating func lapse(at now: Timestamp) -> Int64 {
        let current = LeasedAhead.window(at: now)
        let back: Int64
        switch current.subtractingReportingOverflow(window) {
        // The clock of another machine may be ahead of this one's by a little.
        case (0, false), (-1, false): return 0
        case (1, false): (back, earlier, recent) = (earlier, recent, 0)
        // They are over, or the clock was set back since.
        default: (back, earlier, recent) = (earlier + recent, 0, 0)
        }
        window = current
        lapsed = min(lapsed + Limit.millionths(back), Spending.most)
        return back
    }

    /// Adds what a service takes ahead now, after ``lapse(at:)``.
    mutating func take(_ count: Int64) { recent = min(recent + max(count, 0), LeasedAhead.most) }

    /// Removes what a service took ahead in a window. False if it came back by itself.
    mutating func remove(_ count: Int64, takenIn window: Int64) -> Bool {
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

    /// Notes that a service has charged what it spent of an amount that came back.
    mutating func settle(_ count: Int64) { lapsed = max(0, lapsed - Limit.millionths(count)) }

    /// Has what came back, and may have been spent, regained like all that is spent.
    mutating func regain(_ millionths: Int64) { lapsed = max(0, lapsed - max(millionths, 0)) }

    /// Of what came back, what may have been spent in addition to an amount that is charged in any case.
    func besides(_ millionths: Int64) -> LeasedAhead {
        LeasedAhead(window: window, recent: 0, earlier: 0, lapsed: max(0, lapsed - max(millionths, 0)))
    }
}
