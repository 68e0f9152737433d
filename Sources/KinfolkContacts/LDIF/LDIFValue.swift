/// The value of one joined line of LDIF: `name: text`, `name:: base64` or `name:< URL` (RFC 2849).
enum LDIFValue {
    /// The range of the text in the line.
    case plain(Range<Int>)
    case decoded([UInt8])
    case invalidBase64
    /// The value is a URL, which is not fetched.
    case link

    init(of line: Span<UInt8>) {
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        var start = min(colon + 1, line.count)
        let mark = start < line.count ? line[start] : 0
        if mark == UInt8(ascii: "<") {
            self = .link
        } else if mark == UInt8(ascii: ":") {
            start += 1
            guard let bytes = Base64.decoded(line.extracting(start..<line.count)) else {
                self = .invalidBase64
                return
            }
            self = .decoded(Windows1252.repaired(bytes.span) ?? bytes)
        } else if let text = Windows1252.repaired(line.extracting(start..<line.count)) {
            self = .decoded(text)
        } else {
            self = .plain(start..<line.count)
        }
    }

    /// Calls `body` with the text. Returns nil for a URL or invalid base64.
    func withText<Result, Failure: Error>(
        of line: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        switch self {
        case .plain(let range):
            let text = line.extracting(range)
            return try body(text.extracting(text.trimmedASCIIRange))
        case .decoded(let bytes):
            let text = bytes.span
            return try body(text.extracting(text.trimmedASCIIRange))
        case .invalidBase64, .link:
            return nil
        }
    }
}
