/// The encoding of a file, detected from its first bytes.
enum TextEncoding {
    /// UTF-8, or an 8-bit encoding that includes ASCII.
    case utf8
    case utf16LittleEndian
    case utf16BigEndian

    /// How many bytes ``detect(_:)`` needs, unless the text is shorter.
    static let sampleByteCount = 4

    /// The encoding, and the length of the byte-order mark to skip.
    ///
    /// UTF-16 without a mark is recognised because every other byte is zero: cards and tables begin in ASCII.
    static func detect(_ sample: Span<UInt8>) -> (encoding: TextEncoding, markByteCount: Int) {
        func byte(_ index: Int) -> UInt8? { index < sample.count ? sample[index] : nil }
        return switch (byte(0), byte(1), byte(2), byte(3)) {
        case (0xEF, 0xBB, 0xBF, _): (.utf8, 3)
        case (0xFF, 0xFE, _, _): (.utf16LittleEndian, 2)
        case (0xFE, 0xFF, _, _): (.utf16BigEndian, 2)
        case (let first?, 0, let third?, 0) where first != 0 && third != 0: (.utf16LittleEndian, 0)
        case (0, let second?, 0, let fourth?) where second != 0 && fourth != 0: (.utf16BigEndian, 0)
        default: (.utf8, 0)
        }
    }
}
