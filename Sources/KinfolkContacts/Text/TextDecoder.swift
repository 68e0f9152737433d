package import KinfolkModel

/// Decodes the bytes of a file, as they arrive, into pieces of ASCII-compatible text.
///
/// UTF-16 becomes UTF-8. Any other text is passed through without copying; only a byte-order mark is removed. Text that is not
/// UTF-8 and does not declare its encoding is decoded later, value by value (``Windows1252``).
package struct TextDecoder {
    /// How many bytes of UTF-16 are decoded at once, so that a text in memory is not held there twice.
    private static let pieceByteCount = 1 << 16

    private var encoding: TextEncoding?
    /// The first bytes, until there are enough to detect the encoding.
    private var sample: [UInt8] = []
    private var utf16 = UTF16Decoder(isBigEndian: false)

    package init() {}

    package mutating func push(
        _ bytes: Span<UInt8>,
        _ body: (Span<UInt8>) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard encoding == nil else { return try decode(bytes, body) }
        guard sample.isEmpty, bytes.count >= TextEncoding.sampleByteCount else {
            sample.append(bytes)
            guard sample.count >= TextEncoding.sampleByteCount else { return }
            return try begin(body)
        }
        try decode(bytes.extracting(droppingFirst: detect(bytes)), body)
    }

    package mutating func finish(_ body: (Span<UInt8>) throws(KinfolkError) -> Void) throws(KinfolkError) {
        if encoding == nil { try begin(body) }
        guard encoding != .utf8, utf16.isIncomplete else { return }
        var text: [UInt8] = []
        utf16.finish(&text)
        try body(text.span)
    }

    private mutating func begin(_ body: (Span<UInt8>) throws(KinfolkError) -> Void) throws(KinfolkError) {
        let first = sample
        sample = []
        try decode(first.span.extracting(droppingFirst: detect(first.span)), body)
    }

    /// Detects the encoding, and returns the length of the byte-order mark.
    private mutating func detect(_ first: Span<UInt8>) -> Int {
        let detected = TextEncoding.detect(first)
        encoding = detected.encoding
        utf16 = UTF16Decoder(isBigEndian: detected.encoding == .utf16BigEndian)
        return detected.markByteCount
    }

    private mutating func decode(
        _ bytes: Span<UInt8>,
        _ body: (Span<UInt8>) throws(KinfolkError) -> Void
    ) throws(KinfolkError) {
        guard encoding != .utf8 else { return try body(bytes) }
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: Self.pieceByteCount) {
            text.removeAll(keepingCapacity: true)
            utf16.decode(bytes.extracting(start..<min(start + Self.pieceByteCount, bytes.count)), into: &text)
            try body(text.span)
        }
    }
}
