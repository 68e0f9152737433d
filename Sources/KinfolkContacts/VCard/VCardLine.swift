/// The ranges of the parts of one unfolded vCard line: `group.NAME;PARAMETER=value;PARAMETER:value` (RFC 6350, section 3.3).
struct VCardLine {
    let parameters: Range<Int>
    let value: Range<Int>

    /// Finds the parts of a line. Nil if the line has no colon, as in unindented base64.
    init?(_ line: Span<UInt8>) {
        var nameEnd = 0
        while nameEnd < line.count, line[nameEnd] != UInt8(ascii: ":"), line[nameEnd] != UInt8(ascii: ";") {
            nameEnd += 1
        }
        guard nameEnd < line.count else { return nil }
        var colon = nameEnd
        if line[nameEnd] == UInt8(ascii: ";") {
            colon = line.firstIndex(of: UInt8(ascii: ":"), from: nameEnd)
            guard colon < line.count else { return nil }
            if line.extracting(nameEnd..<colon).contains(UInt8(ascii: "\"")) {
                colon = Self.unquotedColon(in: line, from: nameEnd) ?? colon
            }
        }
        parameters = min(nameEnd + 1, colon)..<colon
        value = colon + 1..<line.count
    }

    /// The colon before the value if quoted parameters contain other colons; nil if a quotation mark is never closed.
    private static func unquotedColon(in line: Span<UInt8>, from start: Int) -> Int? {
        var isQuoted = false
        for index in start..<line.count {
            if line[index] == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if line[index] == UInt8(ascii: ":"), !isQuoted {
                return index
            }
        }
        return nil
    }
}
