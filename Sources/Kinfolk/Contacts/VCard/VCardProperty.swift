/// The properties that a contact book takes something from.
enum VCardProperty {
    case begin
    case end
    case version
    case email
    case formattedName
    case name
    case agent

    /// Nil for all the others.
    init?(_ name: Range<Int>, of line: Span<UInt8>) {
        var end = name.upperBound
        while end > name.lowerBound, ASCII.isSpace(line[end - 1]) { end -= 1 }
        guard end - name.lowerBound <= 7 else { return nil }
        var letters: UInt64 = 0
        for index in name.lowerBound..<end { letters = letters << 8 | UInt64(ASCII.lowercased(line[index])) }
        switch letters {
        case 0x6265_6769_6E: self = .begin
        case 0x65_6E64: self = .end
        case 0x76_6572_7369_6F6E: self = .version
        case 0x65_6D61_696C: self = .email
        case 0x666E: self = .formattedName
        case 0x6E: self = .name
        case 0x61_6765_6E74: self = .agent
        default: return nil
        }
    }
}
