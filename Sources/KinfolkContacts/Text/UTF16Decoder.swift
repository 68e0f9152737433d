import KinfolkModel

/// Converts UTF-16 that arrives in pieces to UTF-8. An unpaired surrogate becomes U+FFFD.
struct UTF16Decoder {
    private let isBigEndian: Bool
    private var oddByte: UInt8?
    private var highSurrogate: UInt16?

    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    /// Whether the last character is incomplete.
    var isIncomplete: Bool { oddByte != nil || highSurrogate != nil }

    mutating func decode(_ bytes: Span<UInt8>, into text: inout [UInt8]) {
        ReadingSteps.take(bytes.count)
        text.reserveCapacity(text.count + bytes.count)
        for index in bytes.indices {
            guard let first = oddByte else {
                oddByte = bytes[index]
                continue
            }
            oddByte = nil
            let second = bytes[index]
            append(isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first), to: &text)
        }
    }

    mutating func finish(_ text: inout [UInt8]) {
        if isIncomplete { Self.append("\u{FFFD}", to: &text) }
        oddByte = nil
        highSurrogate = nil
    }

    private mutating func append(_ unit: UInt16, to text: inout [UInt8]) {
        if let high = highSurrogate {
            highSurrogate = nil
            if (0xDC00...0xDFFF).contains(unit) {
                let value = 0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00)
                return Self.append(Unicode.Scalar(value) ?? "\u{FFFD}", to: &text)
            }
            Self.append("\u{FFFD}", to: &text)
        }
        if (0xD800...0xDBFF).contains(unit) {
            highSurrogate = unit
        } else {
            Self.append(Unicode.Scalar(unit) ?? "\u{FFFD}", to: &text)
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        if let bytes = UTF8.encode(scalar) { text.append(contentsOf: bytes) }
    }
}
