/// Tells whether a property says that its value is quoted-printable, while the property still grows line by line.
///
/// Each byte is looked at once, however often it is asked: a property may have as many lines as it has bytes.
struct VCardSoftBreaks {
    private enum Part {
        case name
        case parameters
        case value
    }

    private var part = Part.name
    /// How much of the property was looked at.
    private var position = 0
    private var firstParameter = 0
    private var isQuoted = false
    /// The first colon, if it stood in quotes: it ends the parameters after all, unless another one does.
    private var quotedColon: Int?
    private var isQuotedPrintable = false

    /// Takes what was appended to the property, and tells what it says by now. The same as ``VCardLine`` would.
    mutating func isQuotedPrintable(_ property: Span<UInt8>) -> Bool {
        let start = position
        while position < property.count, part != .value { take(property[position], property) }
        ReadingSteps.take(position - start)
        return isQuotedPrintable
    }

    private mutating func take(_ byte: UInt8, _ property: Span<UInt8>) {
        switch byte {
        case UInt8(ascii: ":") where part == .name:
            part = .value
        case UInt8(ascii: ";") where part == .name:
            part = .parameters
            firstParameter = position + 1
        case UInt8(ascii: "\"") where part == .parameters:
            isQuoted.toggle()
        case UInt8(ascii: ":") where part == .parameters && !isQuoted:
            part = .value
            endParameters(of: property)
        case UInt8(ascii: ":") where part == .parameters && quotedColon == nil:
            quotedColon = position
            endParameters(of: property)
        default: break
        }
        position += 1
    }

    private mutating func endParameters(of property: Span<UInt8>) {
        isQuotedPrintable = VCardEncoding(parameters: firstParameter..<position, of: property).isQuotedPrintable
    }
}
