import KinfolkModel

/// What the parameters of a property say about its value: `ENCODING=QUOTED-PRINTABLE`, `CHARSET=…`.
///
/// vCard 2.1 allows a parameter without its name: `;QUOTED-PRINTABLE` means `;ENCODING=QUOTED-PRINTABLE`.
struct VCardEncoding {
    private(set) var isQuotedPrintable = false
    /// The range of the charset's name; empty if there is none.
    private(set) var charset = 0..<0

    init(parameters: Range<Int>, of line: Span<UInt8>) {
        ReadingSteps.take(2 * parameters.count)
        var start = parameters.lowerBound
        while start < parameters.upperBound {
            var end = start
            var isQuoted = false
            while end < parameters.upperBound, isQuoted || line[end] != UInt8(ascii: ";") {
                if line[end] == UInt8(ascii: "\"") { isQuoted.toggle() }
                end += 1
            }
            read(start..<end, of: line)
            start = end + 1
        }
    }

    private mutating func read(_ parameter: Range<Int>, of line: Span<UInt8>) {
        var equals = parameter.lowerBound
        while equals < parameter.upperBound, line[equals] != UInt8(ascii: "=") { equals += 1 }
        guard equals < parameter.upperBound else {
            isQuotedPrintable = isQuotedPrintable || line.isASCII("quoted-printable", ignoringCaseIn: parameter)
            return
        }
        var value = equals + 1..<parameter.upperBound
        if value.count >= 2, line[value.lowerBound] == UInt8(ascii: "\"") {
            value = value.lowerBound + 1..<value.upperBound - 1
        }
        let name = parameter.lowerBound..<equals
        if line.isASCII("charset", ignoringCaseIn: name) {
            charset = value
        } else if line.isASCII("encoding", ignoringCaseIn: name) {
            isQuotedPrintable =
                isQuotedPrintable || line.isASCII("quoted-printable", ignoringCaseIn: value)
                || line.isASCII("q", ignoringCaseIn: value)
        }
    }
}

extension Span<UInt8> {
    /// Whether the value means the same in every encoding of a vCard: it has no `=` of quoted-printable, and no shift sequence of
    /// a charset.
    var isPrintableASCIIWithoutEquals: Bool {
        for index in indices where self[index] &- 0x20 >= 0x5F || self[index] == UInt8(ascii: "=") { return false }
        return true
    }
}
