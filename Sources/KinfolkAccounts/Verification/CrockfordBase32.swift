/// Secrets as people read and type them: Crockford's base32, in groups of four characters with hyphens between them.
///
/// Letter case, hyphens and spaces do not matter; `O` is read as 0, `I` and `L` as 1.
package enum CrockfordBase32 {
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let bitsADigit = 5

    /// - Parameter bytes: The number of bytes is a multiple of 5, so that no bits are left over.
    package static func text(_ bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        var (bits, count) = (UInt64(0), 0)
        for byte in bytes {
            bits = bits << 8 | UInt64(byte)
            count += 8
            while count >= bitsADigit {
                count -= bitsADigit
                if characters.count % 5 == 4 { characters.append(UInt8(ascii: "-")) }
                characters.append(digits[Int(bits >> UInt64(count) & 31)])
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Decodes a text; nil if it does not encode exactly `count` bytes. `count` must be a multiple of 5.
    package static func bytes(_ text: String, count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, held) = (UInt64(0), 0)
        for character in text.utf8 {
            if character == UInt8(ascii: "-") || character == UInt8(ascii: " ") { continue }
            guard let value = value(character), bytes.count < count else { return nil }
            bits = (bits << UInt64(bitsADigit) | value) & 0xffff
            held += bitsADigit
            if held >= 8 {
                held -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(held)))
            }
        }
        return bytes.count == count && held == 0 ? bytes : nil
    }

    private static func value(_ character: UInt8) -> UInt64? {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character) ? character - 32 : character
        switch upper {
        case UInt8(ascii: "O"): return 0
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
        default: return digits.firstIndex(of: upper).map(UInt64.init)
        }
    }
}
