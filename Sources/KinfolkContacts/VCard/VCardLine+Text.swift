extension VCardLine {
    /// Calls `body` with the value in UTF-8: decoded as the parameters say, or as Windows-1252 if they say nothing and it is not UTF-8.
    package func withText<Result, Failure: Error>(
        of line: Span<UInt8>,
        _ charsets: Charsets,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let value = line.extracting(value)
        if value.isPrintableASCIIWithoutEquals { return try body(value) }
        let encoding = VCardEncoding(parameters: parameters, of: line)
        let charset = line.extracting(encoding.charset)
        guard encoding.isQuotedPrintable else { return try Self.withConverted(value, from: charset, charsets, body) }
        return try Self.withConverted(QuotedPrintable.decoded(value).span, from: charset, charsets, body)
    }

    private static func withConverted<Result, Failure: Error>(
        _ value: Span<UInt8>,
        from name: Span<UInt8>,
        _ charsets: Charsets,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if !name.isEmpty, !name.isASCII("utf-8"), let text = charsets.charset(name)?.decoded(value) {
            return try body(text.span)
        }
        return try Windows1252.withRepaired(value, body)
    }
}
