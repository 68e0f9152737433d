import KinfolkWebServices
import NIOCore

/// Numbers as people write them.
enum Quantities {
    static func count(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number > 0 else {
            return nil
        }
        return number
    }

    static let mostThreads = 1_024

    static func threads(_ text: String) -> Int? { count(text).flatMap { $0 <= mostThreads ? $0 : nil } }

    /// `6000000`, `6M`, `64K` or `2G`; K is 1024.
    static func bytes(_ text: String) -> Int? {
        let factors: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
        guard let last = text.last, let factor = factors[last] else { return count(text) }
        guard let number = count(String(text.dropLast())), number <= Int.max / factor else { return nil }
        return number * factor
    }

    /// Seconds, also with a fraction: `30` or `0.5`.
    static func seconds(_ text: String) -> TimeAmount? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }),
            let seconds = Double(text), seconds > 0,
            seconds <= 86_400
        else { return nil }
        return .nanoseconds(Int64(seconds * 1e9))
    }

    /// `200/s`, `30/m 100` or `20/h`: a number in a second, minute or hour, and how many at once.
    static func rate(_ text: String) -> RequestLimits.Rate? {
        let parts = text.split(separator: " ")
        guard (1...2).contains(parts.count), let unit = ["/s": 1.0, "/m": 60, "/h": 3_600][parts[0].suffix(2)],
            let number = count(String(parts[0].dropLast(2))),
            let burst = parts.count == 2 ? count(String(parts[1])) : number
        else { return nil }
        return RequestLimits.Rate(perSecond: Double(number) / unit, burst: Double(burst))
    }

    /// Headers that clients and proxies send for other reasons.
    private static let otherHeaders: Set<String> = [
        "authorization", "connection", "cookie", "forwarded", "from", "host", "origin", "referer", "user-agent", "via",
        "x-forwarded-for", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto", "x-real-ip",
    ]

    /// The name of a header, in lower case.
    static func header(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy { byte in
            (0x61...0x7a).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
        }
        let name = text.lowercased()
        let isOther = otherHeaders.contains(name) || ["accept", "content-", "x-apple-"].contains(where: name.hasPrefix)
        return isName && !name.isEmpty && !isOther ? name : nil
    }

    static func choice(_ text: String) -> Bool? { ["yes": true, "no": false][text] }
}
