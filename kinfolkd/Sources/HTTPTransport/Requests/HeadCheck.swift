import NIOHTTP1

/// Checks the head of a request beyond what NIO's decoder checks.
///
/// A proxy in front of the service must read the same requests from a connection as the service. So everything that two programs could
/// read in two ways is refused (RFC 9112 sections 2.2, 5.1, 6.1 and 6.3).
struct HeadCheck {
    private(set) var problem: String?
    /// The length that the head announces; nil if it announces none.
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    private(set) var expectsContinue = false
    private(set) var asksForUpgrade = false

    init(_ head: HTTPRequestHead, isHTTP2: Bool) {
        problem = HeadCheck.problem(ofTarget: head.uri, head.method) ?? problem(ofHeaders: head, isHTTP2)
    }

    private mutating func problem(ofHeaders head: HTTPRequestHead, _ isHTTP2: Bool) -> String? {
        var hosts = 0
        for (name, rawValue) in head.headers {
            let value = rawValue.withoutTrailingBlanks
            guard !HeadCheck.hasForbidden(value) else { return "A header has a control character." }
            // The lengths of the names that matter.
            switch name.utf8.count {
            case 4 where name.equals("host"):
                hosts += 1
                guard HeadCheck.isHost(value) else { return "The header Host is malformed." }
            case 6 where name.equals("expect"): expectsContinue = value.equals("100-continue")
            case 7 where name.equals("upgrade"): asksForUpgrade = true
            case 14 where name.equals("content-length"):
                guard contentLength == nil else { return "The request has two headers Content-Length." }
                guard let length = HeadCheck.length(value) else { return "The header Content-Length is malformed." }
                contentLength = length
            case 17 where name.equals("transfer-encoding"):
                // For HTTP/2, NIO adds it to a request with a body of unknown length, and refuses it from a client.
                guard !isChunked, rawValue.equals("chunked") else { return "The only transfer encoding is chunked." }
                isChunked = true
            default: break
            }
        }
        if isHTTP2 { return hosts > 1 ? "The request has two headers Host." : nil }
        if isChunked && contentLength != nil { return "The request has both Content-Length and Transfer-Encoding." }
        if isChunked && head.version.minor == 0 { return "This version of HTTP has no Transfer-Encoding." }
        if hosts > 1 { return "The request has two headers Host." }
        if hosts == 0 && head.version.minor > 0 { return "The request has no header Host." }
        return nil
    }

    /// Whether a body follows the head.
    var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

    private static func problem(ofTarget target: String, _ method: HTTPMethod) -> String? {
        guard method != .CONNECT else { return "The service is no proxy." }
        guard target.utf8.first == UInt8(ascii: "/") else { return "The target of a request must begin with a slash." }
        let isVisible = target.utf8.allSatisfy {
            $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "\\")
        }
        return isVisible ? nil : "The target of the request has a forbidden character."
    }

    private static func hasForbidden(_ value: String) -> Bool {
        value.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7f }
    }

    /// Letters, digits, and what ports, IPv6 addresses and international names need.
    private static func isHost(_ value: String) -> Bool {
        !value.isEmpty
            && value.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["),
                    UInt8(ascii: "]"):
                    true
                default: false
                }
            }
    }

    /// Digits only: no sign, no list, no white space.
    private static func length(_ value: String) -> Int? {
        guard (1...18).contains(value.utf8.count), value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(value)
    }
}

extension String {
    /// NIO's decoder leaves blanks at the end of a value. They are no part of it (RFC 9110 section 5.5).
    var withoutTrailingBlanks: String {
        guard let last = utf8.last, last == 0x20 || last == 0x09 else { return self }
        var text = self[...]
        while let last = text.utf8.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return String(text)
    }

    /// Whether two texts are equal, except for the case of ASCII letters. `other` is in lower case.
    func equals(_ other: StaticString) -> Bool {
        guard utf8.count == other.utf8CodeUnitCount else { return false }
        var byte = other.utf8Start
        for own in utf8 {
            let lower = (0x41...0x5a).contains(own) ? own | 0x20 : own
            guard lower == byte.pointee else { return false }
            byte += 1
        }
        return true
    }
}
