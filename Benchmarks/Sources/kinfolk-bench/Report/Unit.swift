/// The unit of a figure.
enum Unit: String {
    case nanoseconds = "ns"
    case microseconds = "µs"
    case milliseconds = "ms"
    case seconds = "s"
    case perSecond = "/s"
    case kibibytes = "KiB"
    case megabytes = "MB"
    case megabytesPerSecond = "MB/s"
    case times = "×"

    /// How many of this unit make a second; 1 for other units.
    var perSecondOfTime: Double {
        switch self {
        case .nanoseconds: 1e9
        case .microseconds: 1e6
        case .milliseconds: 1e3
        case .seconds, .perSecond, .kibibytes, .megabytes, .megabytesPerSecond, .times: 1
        }
    }

    func text(_ value: Double) -> String { "\(Unit.digits(value)) \(rawValue)" }

    /// Three significant digits, with separators for thousands.
    private static func digits(_ value: Double) -> String {
        guard abs(value) < 100 else { return grouped(Int(value.rounded())) }
        let decimals = abs(value) < 10 ? 100.0 : 10.0
        let rounded = (value * decimals).rounded() / decimals
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }

    static func grouped(_ number: Int) -> String {
        guard abs(number) >= 1_000 else { return String(number) }
        let rest = String(abs(number) % 1_000)
        return grouped(number / 1_000) + "," + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
