import CIDN

/// The contextual rules (RFC 5892, appendix A): characters that are part of some scripts and a trick in others.
enum IdentifierContext {
    /// Whether the character at `index` may stand where it stands, or nil if no rule is about it.
    static func isSatisfied(in name: [UInt32], at index: Int) -> Bool? {
        switch name[index] {
        case 0x200C: isAfterVirama(name, index) || joins(name, index)  // A.1, zero width non-joiner
        case 0x200D: isAfterVirama(name, index)  // A.2, zero width joiner
        case 0xB7: isBetweenEls(name, index)  // A.3, middle dot
        case 0x375: index + 1 < name.count && isScript("Greek", name[index + 1])  // A.4, keraia
        case 0x5F3, 0x5F4: index > 0 && isScript("Hebrew", name[index - 1])  // A.5, A.6, geresh, gershayim
        case 0x30FB: hasJapanese(name)  // A.7, katakana middle dot
        case 0x660...0x669: !name.indices.contains { (0x6F0...0x6F9).contains(name[$0]) }  // A.8, Arabic-Indic digits
        case 0x6F0...0x6F9: !name.indices.contains { (0x660...0x669).contains(name[$0]) }  // A.9, extended ones
        default: nil
        }
    }

    private static func isAfterVirama(_ name: [UInt32], _ index: Int) -> Bool {
        index > 0 && uc_combining_class(name[index - 1]) == Int32(UC_CCC_VR)
    }

    private static func isBetweenEls(_ name: [UInt32], _ index: Int) -> Bool {
        index > 0 && index + 1 < name.count && name[index - 1] == 0x6C && name[index + 1] == 0x6C
    }

    /// (L or D) T* ZWNJ T* (R or D), where letters join
    private static func joins(_ name: [UInt32], _ index: Int) -> Bool {
        var before = index - 1
        while before >= 0, joining(name[before]) == Int(UC_JOINING_TYPE_T) { before -= 1 }
        var after = index + 1
        while after < name.count, joining(name[after]) == Int(UC_JOINING_TYPE_T) { after += 1 }
        guard before >= 0, after < name.count else { return false }
        let left = joining(name[before])
        let right = joining(name[after])
        return (left == Int(UC_JOINING_TYPE_L) || left == Int(UC_JOINING_TYPE_D))
            && (right == Int(UC_JOINING_TYPE_R) || right == Int(UC_JOINING_TYPE_D))
    }

    private static func joining(_ codePoint: UInt32) -> Int { Int(uc_joining_type(codePoint)) }

    private static func hasJapanese(_ name: [UInt32]) -> Bool {
        name.indices.contains { index in
            ["Hiragana", "Katakana", "Han"].contains { isScript($0, name[index]) }
        }
    }

    private static func isScript(_ script: String, _ codePoint: UInt32) -> Bool {
        guard let found = uc_script(codePoint), let name = found.pointee.name else { return false }
        return String(cString: name) == script
    }
}
