import NIOCore

/// Numbers as people write them.
enum Quantities {
    static func count(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), number > 0 else {
            return nil
        }
        return number
    }

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

    static func choice(_ text: String) -> Bool? { ["yes": true, "no": false][text] }
}
