import Testing

@testable import Kinfolk

/// The arithmetic of leased amounts.
@Suite struct LeasedAmountsTests {
    private func moment(_ minute: Int64) -> Timestamp { Timestamp(microseconds: minute * 60_000_000) }

    /// 30 leased in window 100 and 20 in window 99.
    private let leased = LeasedAmounts(window: 100, recent: 30, earlier: 20, lapsed: 7_000_000)

    @Test(
        arguments: [
            // The clock of another machine may be slightly ahead.
            (99, returned: 0, window: 100, recent: 30, earlier: 20),
            (100, 0, 100, 30, 20),
            (101, 20, 101, 0, 30),
            (102, 50, 102, 0, 0),
            (1_000, 50, 1_000, 0, 0),
            // The clock was set back.
            (98, 50, 98, 0, 0),
            (0, 50, 0, 0, 0),
        ] as [(Int64, Int64, Int64, Int64, Int64)]
    )
    func amountsExpireAtTheEndOfTheNextWindow(
        _ minute: Int64,
        _ returned: Int64,
        _ window: Int64,
        _ recent: Int64,
        _ earlier: Int64
    ) {
        var leased = leased
        #expect(leased.lapse(at: moment(minute)) == returned)
        let lapsed = 7_000_000 + returned * Limit.unit
        #expect(leased == LeasedAmounts(window: window, recent: recent, earlier: earlier, lapsed: lapsed))
    }

    @Test(
        arguments: [
            (30, takenIn: 100, isThere: true, recent: 0, earlier: 20),
            (31, 100, false, 30, 20),
            (20, 99, true, 30, 0),
            (21, 99, false, 30, 20),
            (1, 98, false, 30, 20),
            (1, 101, false, 30, 20),
        ] as [(Int64, Int64, Bool, Int64, Int64)]
    )
    func anAmountIsRemovedFromItsOwnWindow(
        _ count: Int64,
        _ window: Int64,
        _ isThere: Bool,
        _ recent: Int64,
        _ earlier: Int64
    ) {
        var leased = leased
        #expect(leased.remove(count, takenIn: window) == isThere)
        #expect(leased == LeasedAmounts(window: 100, recent: recent, earlier: earlier, lapsed: 7_000_000))
    }

    @Test(
        arguments: [
            // The store still counts the whole lease as spent, so its unspent part is subtracted.
            (left: 10, taken: 30, window: 100, spent: 90, lapsed: 7),
            (0, 30, 100, 100, 7),
            (5, 20, 99, 95, 7),
            // The lease was returned automatically. Its spent part is charged now, and must not be counted twice.
            (0, 5, 98, 105, 2),
            (1, 5, 98, 104, 2),
            (0, 40, 98, 140, 0),
            // More is left than was leased, because an amount was returned.
            (8, 5, 98, 97, 2),
            (8, 0, 0, 92, 7),
        ] as [(Int, Int, Int64, Int64, Int64)]
    )
    func aSettledLeaseCostsItsSpentPart(_ left: Int, _ taken: Int, _ window: Int64, _ spent: Int64, _ lapsed: Int64) {
        let spending = Spending(millionths: 100_000_000, countedAt: moment(100), leased: leased)
        let lease = LimitLeases.Lease(count: left, taken: taken, window: window, takenAt: moment(window))
        let settled = spending.settling(lease)
        #expect(settled.millionths == spent * Limit.unit)
        #expect(settled.leased.lapsed == lapsed * Limit.unit)
        #expect(spending.settling(nil) == spending)
    }

    @Test(
        arguments: [
            // Ten accrue in an hour.
            (minutes: 60, spent: 10, lapsed: 7),
            // Amounts that accrue beyond the spent ones reduce the returned amounts.
            (120, 0, 7),
            (144, 0, 3),
            (600, 0, 0),
        ] as [(Int64, Int64, Int64)]
    )
    func returnedAmountsAccrueAfterSpentOnes(_ minutes: Int64, _ spent: Int64, _ lapsed: Int64) {
        let leased = LeasedAmounts(window: 100, recent: 0, earlier: 0, lapsed: 7_000_000)
        let spending = Spending(millionths: 20_000_000, countedAt: moment(100), leased: leased)
        let then = spending.at(moment(100 + minutes), Limit(ceiling: 100, perHour: 10_000_000))
        #expect(then.millionths == spent * Limit.unit)
        #expect(then.leased.lapsed == lapsed * Limit.unit)
        #expect(then.millionthsAtMost == (spent + lapsed) * Limit.unit)
    }

    @Test(
        arguments: [
            // The debt is 5 more than what was spent, and covers as much of the returned amounts.
            (spent: 20, debt: 25, lapsed: 2),
            (20, 27, 0),
            (20, 60, 0),
            (20, 20, 7),
        ] as [(Int64, Int64, Int64)]
    )
    func aDebtCoversReturnedAmounts(_ spent: Int64, _ debt: Int64, _ lapsed: Int64) {
        let spending = Spending(millionths: spent * Limit.unit, countedAt: moment(100), leased: leased)
        let raised = spending.raised(to: Spending(millionths: debt * Limit.unit, countedAt: moment(200)))
        #expect(raised.millionths == debt * Limit.unit)
        #expect(raised.countedAt == moment(200))
        #expect(raised.leased == LeasedAmounts(window: 100, recent: 0, earlier: 0, lapsed: lapsed * Limit.unit))
    }
}
