import KinfolkModel

/// The properties that contacts are read from.
enum VCardProperty {
    case begin
    case end
    case version
    case email
    case formattedName
    case name
    case agent

    /// The longest property name, with its group, that is recognised.
    static let maximumNameByteCount = 128

    /// Recognises the property of a line by its name. Nil for a property that is not used.
    ///
    /// - Parameter end: Set to the end of the name: a colon, a semicolon, or else the end of the line or of the limit.
    init?(of line: Span<UInt8>, nameEnd end: inout Int) {
        let limit = min(line.count, Self.maximumNameByteCount)
        var letters: UInt64 = 0
        end = 0
        while end < limit {
            let byte = line[end]
            // The bytes that end a name or a group, and white space, all have lower codes than the letters.
            if byte > UInt8(ascii: ";") || !Self.isMark(byte) {
                // Of a longer name the last eight letters remain; they match no property, because none has more than seven.
                letters = letters << 8 | UInt64(byte | 0x20)
            } else if byte == UInt8(ascii: ".") {
                // The letters so far are a group.
                letters = 0
            } else if byte == UInt8(ascii: ":") || byte == UInt8(ascii: ";") {
                break
            }
            end += 1
        }
        ReadingSteps.take(end)
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

    /// Whether a byte ends a name or a group, or is white space, which is ignored.
    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "."), 0x20, 0x09: true
        default: false
        }
    }
}
