/// The lower-case letters of the most used scripts. A name of only these letters and ASCII is already canonical, so the lookups
/// in the Unicode tables can be skipped.
///
/// They are in the IdentifierClass in any context, and NFC does not change a text that consists only of them.
package enum PlainLetters {
    /// Whether a lower-case name consists only of these letters and ASCII.
    static func containsAll(of name: [UInt32]) -> Bool {
        for codePoint in name where codePoint >= 0x80 {
            guard contains(codePoint) else { return false }
        }
        return true
    }

    package static func contains(_ codePoint: UInt32) -> Bool {
        switch codePoint {
        case 0xE0...0xF6, 0xF8...0xFF: true  // Latin-1
        case 0x3AC...0x3CE: true  // Greek
        case 0x430...0x45F: true  // Cyrillic
        case 0x5D0...0x5EA: true  // Hebrew
        case 0x621...0x63A, 0x641...0x64A: true  // Arabic
        case 0x3041...0x3096, 0x30A1...0x30FA: true  // Hiragana, Katakana
        case 0x4E00...0x9FFF: true  // Han
        case 0xAC00...0xD7A3: true  // Hangul
        default: false
        }
    }
}
