import Glibc

/// One line of the log.
struct LogLine {
    private let isJSON: Bool
    private var bytes: [UInt8] = []

    init(isJSON: Bool) {
        self.isJSON = isJSON
        bytes.reserveCapacity(256)
    }

    /// With the line break.
    var finished: [UInt8] { bytes + (isJSON ? "}\n" : "\n").utf8 }

    mutating func begin(level: String, message: String) {
        guard isJSON else {
            bytes += "\(LogLine.now) \(level.uppercased()) ".utf8
            return addShown(message)
        }
        bytes += #"{"time":"\#(LogLine.now)","level":"\#(level)","message":""#.utf8
        addEscaped(message)
        bytes.append(UInt8(ascii: "\""))
    }

    /// A number is written without quotation marks.
    mutating func add(_ name: String, _ value: String) {
        guard isJSON else {
            bytes += " \(name)=".utf8
            return addShown(value)
        }
        bytes += #","\#(name)":"#.utf8
        guard !LogLine.isNumber(value) else {
            bytes += value.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        addEscaped(value)
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isNumber(_ text: String) -> Bool {
        (1...15).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (text.utf8.count == 1 || text.utf8.first != 0x30)
    }

    private mutating func addEscaped(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case ..<0x20, 0x7f: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
    }

    private mutating func addShown(_ text: String) {
        for byte in text.utf8 { bytes.append(byte < 0x20 || byte == 0x7f ? 0x3f : byte) }
    }

    /// The time in UTC, as RFC 3339 writes it, with milliseconds.
    private static var now: String {
        var (time, parts) = (timespec(), tm())
        clock_gettime(CLOCK_REALTIME, &time)
        gmtime_r(&time.tv_sec, &parts)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let date = "\(1900 + parts.tm_year)-\(digits(Int(parts.tm_mon) + 1, 2))-\(digits(Int(parts.tm_mday), 2))"
        let clock = "\(digits(Int(parts.tm_hour), 2)):\(digits(Int(parts.tm_min), 2)):\(digits(Int(parts.tm_sec), 2))"
        return "\(date)T\(clock).\(digits(time.tv_nsec / 1_000_000, 3))Z"
    }
}
