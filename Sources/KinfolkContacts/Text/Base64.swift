import KinfolkModel

/// Base64 (RFC 4648, section 4).
package enum Base64 {
    /// Decodes a text, ignoring white space; nil if it is not valid base64.
    package static func decoded(_ text: Span<UInt8>) -> [UInt8]? {
        ReadingSteps.take(text.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var digits = 0
        var padding = 0
        for index in text.indices {
            let byte = text[index]
            if ASCII.isSpace(byte) { continue }
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(byte) else { return nil }
            bits = bits << 6 & 0xFF_FFFF | value
            digits += 1
            if digits % 4 == 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
            }
        }
        switch (digits % 4, padding) {
        case (0, 0):
            break
        // Some programs leave the padding out.
        case (2, 0), (2, 2):
            bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 0), (3, 1):
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        default:
            return nil
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case 0x41...0x5A: UInt32(digit - 0x41)
        case 0x61...0x7A: UInt32(digit - 0x61 + 26)
        case 0x30...0x39: UInt32(digit - 0x30 + 52)
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
