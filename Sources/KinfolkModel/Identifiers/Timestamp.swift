import Glibc

/// A time: microseconds since 1970-01-01 00:00 UTC, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970-01-01 00:00 UTC; negative before.
    public let microseconds: Int64

    /// A time, in microseconds after 1970-01-01 00:00 UTC.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// The beginning of the day, in UTC, that is `day` days after 1970-01-01; clamped to the first or last representable time.
    package init(startOfDay day: Int64) {
        let (microseconds, overflow) = day.multipliedReportingOverflow(by: 86_400_000_000)
        self.init(microseconds: overflow ? (day < 0 ? .min : .max) : microseconds)
    }

    /// The current time of the system's clock.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) &* 1_000_000 &+ Int64(time.tv_nsec) / 1_000)
    }

    /// The number of days from 1970-01-01 to this time, in UTC.
    package var day: Int64 { microseconds.floorDivided(by: 86_400_000_000).quotient }

    /// The time this many seconds later, or earlier if negative; clamped to the representable times.
    package func adding(seconds: Double) -> Timestamp {
        let offset = (seconds * 1_000_000).rounded()
        guard offset.magnitude < 0x1p62 else {
            return Timestamp(microseconds: offset < 0 ? .min : .max)
        }
        let (sum, hasOverflown) = microseconds.addingReportingOverflow(Int64(offset))
        return Timestamp(microseconds: hasOverflown ? (offset < 0 ? .min : .max) : sum)
    }

    /// The beginning of this day, in UTC.
    package var startOfDay: Timestamp {
        Timestamp(microseconds: day &* 86_400_000_000)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }

    /// Seconds from another time to this one; negative if this one is earlier.
    package func seconds(since other: Timestamp) -> Double {
        Double(microseconds) / 1_000_000 - Double(other.microseconds) / 1_000_000
    }
}

extension Timestamp: CustomStringConvertible {
    /// The time in RFC 3339, in UTC: `2026-01-31T12:00:00.000000Z`.
    public var description: String {
        let (seconds, fraction) = microseconds.floorDivided(by: 1_000_000)
        let (days, secondOfDay) = seconds.floorDivided(by: 86_400)
        let (year, month, day) = Timestamp.civil(daysSince1970: days)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number.magnitude)
            return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(secondOfDay / 3_600, 2)):"
            + "\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2)).\(padded(fraction, 6))Z"
    }

    /// The date of a day in the proleptic Gregorian calendar: years are counted from March, so that leap days come last.
    private static func civil(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).floorDivided(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    fileprivate func floorDivided(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
