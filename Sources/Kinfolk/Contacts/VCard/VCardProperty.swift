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
        var name = name
        while let last = name.last, ASCII.isSpace(line[last]) { name.removeLast() }
        switch name.count {
        case 1 where line.isASCII("n", ignoringCaseIn: name): self = .name
        case 2 where line.isASCII("fn", ignoringCaseIn: name): self = .formattedName
        case 3 where line.isASCII("end", ignoringCaseIn: name): self = .end
        case 5 where line.isASCII("email", ignoringCaseIn: name): self = .email
        case 5 where line.isASCII("begin", ignoringCaseIn: name): self = .begin
        case 5 where line.isASCII("agent", ignoringCaseIn: name): self = .agent
        case 7 where line.isASCII("version", ignoringCaseIn: name): self = .version
        default: return nil
        }
    }
}
