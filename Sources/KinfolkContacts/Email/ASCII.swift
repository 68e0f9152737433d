import KinfolkModel

/// Classifies ASCII bytes for parsing addresses, without lookup tables or branches.
package enum ASCII {
    /// Letters, digits and ``!#$%&'*+-/=?^_`{|}~``: `atext` of RFC 5321, section 4.1.2.
    static func isAtomText(_ byte: UInt8) -> Bool {
        byte < 0x80 && (byte < 0x40 ? atomTextBelow64 >> UInt64(byte) : atomTextFrom64 >> UInt64(byte & 0x3F)) & 1 == 1
    }

    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// Space, tab, line feed, vertical tab, form feed, carriage return.
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 9 < 5 }

    /// Bits 33 (`!`), 35-39, 42-43, 45, 47, the digits, 61 (`=`) and 63 (`?`).
    private static let atomTextBelow64: UInt64 = 0xA3FF_ACFA_0000_0000
    /// Everything from `A` to `~` except `[`, `\` and `]`; not `@`.
    private static let atomTextFrom64: UInt64 = 0x7FFF_FFFF_C7FF_FFFE
}

extension Span<UInt8> {
    var isASCII: Bool {
        ReadingSteps.take(count)
        var all: UInt8 = 0
        for index in indices { all |= self[index] }
        return all < 0x80
    }
}
