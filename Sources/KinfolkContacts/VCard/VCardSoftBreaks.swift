import KinfolkModel

/// Determines whether a property declares its value as quoted-printable, while lines are still appended to the property.
///
/// Each byte is examined only once, no matter how often this is called: a property may have as many lines as bytes.
struct VCardSoftBreaks {
    private enum Part {
        case name
        case parameters
        case value
    }

    private var part = Part.name
    /// How many bytes of the property have been examined.
    private var position = 0
    private var firstParameter = 0
    private var isQuoted = false
    /// The first colon within quotes. It ends the parameters if there is no colon outside of quotes.
    private var quotedColon: Int?
    private var isQuotedPrintable = false

    /// Examines what was appended to the property. Returns whether the property so far declares quoted-printable, by the rules of
    /// ``VCardLine``.
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
