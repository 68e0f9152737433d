import KinfolkModel

/// The encoding assumed for files that are not UTF-8 and do not declare an encoding: Latin-1 with the additions of Windows.
package enum Windows1252 {
    /// Calls `body` with a value in UTF-8: the value itself, or decoded as Windows-1252 if it is not UTF-8.
    package static func withRepaired<Result, Failure: Error>(
        _ value: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let repaired = repaired(value) else { return try body(value) }
        return try body(repaired.span)
    }

    /// A value decoded as Windows-1252, in UTF-8; nil if the value already is UTF-8.
    package static func repaired(_ value: Span<UInt8>) -> [UInt8]? {
        if value.isASCII { return nil }
        ReadingSteps.take(2 * value.count)
        if (try? UTF8Span(validating: value)) != nil { return nil }
        var text: [UInt8] = []
        text.reserveCapacity(2 * value.count)
        for index in value.indices {
            if let bytes = UTF8.encode(scalar(value[index])) { text.append(contentsOf: bytes) }
        }
        return text
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return switch byte {
        case 0x80: "€"
        case 0x82: "‚"
        case 0x83: "ƒ"
        case 0x84: "„"
        case 0x85: "…"
        case 0x86: "†"
        case 0x87: "‡"
        case 0x88: "ˆ"
        case 0x89: "‰"
        case 0x8A: "Š"
        case 0x8B: "‹"
        case 0x8C: "Œ"
        case 0x8E: "Ž"
        case 0x91: "‘"
        case 0x92: "’"
        case 0x93: "“"
        case 0x94: "”"
        case 0x95: "•"
        case 0x96: "–"
        case 0x97: "—"
        case 0x98: "˜"
        case 0x99: "™"
        case 0x9A: "š"
        case 0x9B: "›"
        case 0x9C: "œ"
        case 0x9E: "ž"
        case 0x9F: "Ÿ"
        default: "\u{FFFD}"
        }
    }
}
