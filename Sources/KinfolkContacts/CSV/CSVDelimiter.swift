import KinfolkModel

/// The field delimiter of a table, detected from its first row.
enum CSVDelimiter {
    /// If the first row is longer than this many bytes, the delimiter is detected from its beginning.
    static let maximumByteCount = 1 << 16

    /// The delimiter, or nil until the first row that is not blank is complete. A comma if the row has no delimiter.
    static func detect(_ text: Span<UInt8>, isAll: Bool) -> UInt8? {
        ReadingSteps.take(text.count)
        var commas = 0
        var semicolons = 0
        var tabs = 0
        var isQuoted = false
        var isBlank = true
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\n") where !isQuoted && !isBlank, UInt8(ascii: "\r") where !isQuoted && !isBlank:
                return mostFrequent(commas, semicolons, tabs)
            case UInt8(ascii: ",") where !isQuoted: commas += 1
            case UInt8(ascii: ";") where !isQuoted: semicolons += 1
            case UInt8(ascii: "\t") where !isQuoted: tabs += 1
            default: break
            }
            isBlank = isBlank && ASCII.isSpace(byte)
        }
        return isAll || text.count >= maximumByteCount ? mostFrequent(commas, semicolons, tabs) : nil
    }

    private static func mostFrequent(_ commas: Int, _ semicolons: Int, _ tabs: Int) -> UInt8 {
        if commas >= semicolons, commas >= tabs { return UInt8(ascii: ",") }
        return semicolons >= tabs ? UInt8(ascii: ";") : UInt8(ascii: "\t")
    }
}
