/// A time in the format of RFC 3339: `2026-01-31T12:00:00.25+01:00`.
///
/// Digits beyond microseconds are left off. A leap second counts as the second after it.
package struct RFC3339 {
    package let timestamp: Timestamp

    package init?(_ text: String) {
        var rest = text.utf8[...]
        guard let year = RFC3339.number(4, &rest), RFC3339.take("-", &rest),
            let month = RFC3339.number(2, &rest), RFC3339.take("-", &rest),
            let day = RFC3339.number(2, &rest), RFC3339.take("Tt ", &rest),
            let hour = RFC3339.number(2, &rest), RFC3339.take(":", &rest),
            let minute = RFC3339.number(2, &rest), RFC3339.take(":", &rest),
            let second = RFC3339.number(2, &rest),
            let microseconds = RFC3339.fraction(&rest),
            let offset = RFC3339.offset(&rest), rest.isEmpty
        else { return nil }
        guard (1...12).contains(month), (1...RFC3339.days(in: month, of: year)).contains(day), hour < 24, minute < 60,
            second <= 60
        else { return nil }
        let days = RFC3339.daysSince1970(year, month, day)
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
        timestamp = Timestamp(microseconds: seconds * 1_000_000 + microseconds)
    }

    private static func number(_ digits: Int, _ rest: inout Substring.UTF8View) -> Int64? {
        let part = rest.prefix(digits)
        guard part.count == digits, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return Int64(Substring(part))
    }

    private static func take(_ characters: StaticString, _ rest: inout Substring.UTF8View) -> Bool {
        guard let next = rest.first, characters.withUTF8Buffer({ $0.contains(next) }) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Microseconds.
    private static func fraction(_ rest: inout Substring.UTF8View) -> Int64? {
        guard take(".", &rest) else { return 0 }
        var value: Int64 = 0
        var scale: Int64 = 100_000
        var count = 0
        while let digit = number(1, &rest) {
            value += digit * scale
            scale /= 10
            count += 1
        }
        return count > 0 ? value : nil
    }

    /// Seconds east of UTC.
    private static func offset(_ rest: inout Substring.UTF8View) -> Int64? {
        if take("Zz", &rest) { return 0 }
        let sign: Int64 = rest.first == UInt8(ascii: "-") ? -1 : 1
        guard take("+-", &rest), let hours = number(2, &rest), take(":", &rest), let minutes = number(2, &rest),
            hours < 24, minutes < 60
        else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// In the proleptic Gregorian calendar. Years are counted from March, so that leap days come last.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        // The calendar repeats itself every 400 years; one more keeps the year 0 positive.
        let shifted = marchYear + 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468 - 146_097
    }
}
