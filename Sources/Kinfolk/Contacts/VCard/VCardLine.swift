/// Where the parts of one unfolded vCard line lie: `group.NAME;PARAMETER=value;PARAMETER:value` (RFC 6350, section 3.3).
struct VCardLine {
    let name: Range<Int>
    let parameters: Range<Int>
    let value: Range<Int>

    /// Nil if there is no colon, which lines of unindented base64 have not.
    init?(_ line: Span<UInt8>) {
        let name = Self.name(of: line, within: line.count)
        guard name.upperBound < line.count else { return nil }
        guard let colon = Self.colon(in: line, from: name.upperBound) else { return nil }
        self.name = name
        parameters = min(name.upperBound + 1, colon)..<colon
        value = colon + 1..<line.count
    }

    /// The name without its group; it ends at a colon, a semicolon, or where the line or the limit does.
    static func name(of line: Span<UInt8>, within limit: Int) -> Range<Int> {
        let end = min(limit, line.count)
        var start = 0
        var index = 0
        while index < end {
            let byte = line[index]
            if byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";") { break }
            if byte == UInt8(ascii: ".") { start = index + 1 }
            index += 1
        }
        return start..<index
    }

    /// The colon before the value: quoted parameters may hold others. If a quotation mark is never closed it means nothing.
    private static func colon(in line: Span<UInt8>, from start: Int) -> Int? {
        var isQuoted = false
        for index in start..<line.count {
            if line[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if line[index] == UInt8(ascii: ":"), !isQuoted {
                return index
            }
        }
        let first = line.firstIndex(of: UInt8(ascii: ":"), from: start)
        return first < line.count ? first : nil
    }
}
