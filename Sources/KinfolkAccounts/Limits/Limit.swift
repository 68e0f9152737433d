package import KinfolkModel

/// How much of something a person may have spent, and how fast the person regains it.
package struct Limit: Equatable {
    /// One permit, row or field, in the unit that the store uses.
    package static let unit: Int64 = 1_000_000

    /// How much may be spent and not yet regained at any time; never negative.
    package let ceiling: Int64
    /// How many millionths are regained in an hour; never negative.
    package let perHour: Int64

    package init(ceiling: Int64, perHour: Int64) {
        self.ceiling = min(max(ceiling, 0), Spending.most / Limit.unit)
        self.perHour = max(perHour, 0)
    }

    /// A limit that is regained within a day.
    package init(perDay: Int64) {
        let ceiling = min(max(perDay, 0), Spending.most / Limit.unit)
        self.init(ceiling: ceiling, perHour: Limit.millionths(ceiling) / 24)
    }

    package var ceilingInMillionths: Int64 { Limit.millionths(ceiling) }

    /// How many millionths are regained between two moments.
    package func regained(from start: Timestamp, to end: Timestamp) -> Int64 {
        // If the clock was set back, nothing is regained.
        guard end > start else { return 0 }
        let time = UInt64(bitPattern: end.microseconds &- start.microseconds)
        let hour: UInt64 = 3_600_000_000
        let product = UInt64(perHour).multipliedFullWidth(by: time)
        guard product.high < hour else { return .max }
        return Int64(clamping: hour.dividingFullWidth(product).quotient)
    }

    /// Seconds until this many millionths are regained: from 1 second to a year. A rate of 0 never regains any, and gives a year.
    package func seconds(toRegain millionths: Int64) -> Double {
        let year = 31_536_000.0
        guard perHour > 0 else { return year }
        return min(max(Double(millionths) / Double(perHour) * 3_600, 1), year)
    }

    package static func millionths(_ count: Int64) -> Int64 {
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        return overflow ? Spending.most : min(max(product, 0), Spending.most)
    }
}
