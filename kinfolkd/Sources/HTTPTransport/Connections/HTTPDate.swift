import Glibc

/// The current time as RFC 9110 section 5.6.7 writes it, made once a second.
struct HTTPDate {
    private var second = 0
    private var current = ""

    var text: String {
        mutating get {
            let now = HTTPDate.now
            if now != second {
                second = now
                current = HTTPDate.text(of: now)
            }
            return current
        }
    }

    static var now: Int { time(nil) }

    static func text(of second: Int) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}
