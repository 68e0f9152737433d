import CUnistring
import KinfolkModel

/// The contextual rules (RFC 5892, appendix A) for characters that belong to some scripts and can deceive readers in others.
struct IdentifierContext {
    private let name: [UInt32]
    /// Properties of the whole name, each computed once, because every character of a name may need them.
    private lazy var hasJapanese = contains(Self.isJapanese)
    private lazy var hasArabicIndicDigit = contains { (0x660...0x669).contains($0) }
    private lazy var hasExtendedDigit = contains { (0x6F0...0x6F9).contains($0) }

    init(_ name: [UInt32]) { self.name = name }

    /// Whether the character at `index` is allowed at its place; nil if no contextual rule applies to it.
    mutating func isSatisfied(at index: Int) -> Bool? {
        switch name[index] {
        case 0x200C: isAfterVirama(index) || joins(index)  // A.1, zero width non-joiner
        case 0x200D: isAfterVirama(index)  // A.2, zero width joiner
        case 0xB7: isBetweenEls(index)  // A.3, middle dot
        case 0x375: index + 1 < name.count && Self.script(of: name[index + 1]) == .greek  // A.4, keraia
        case 0x5F3, 0x5F4: index > 0 && Self.script(of: name[index - 1]) == .hebrew  // A.5, A.6, geresh, gershayim
        case 0x30FB: hasJapanese  // A.7, katakana middle dot
        case 0x660...0x669: !hasExtendedDigit  // A.8, Arabic-Indic digits
        case 0x6F0...0x6F9: !hasArabicIndicDigit  // A.9, extended ones
        default: nil
        }
    }

    private func isAfterVirama(_ index: Int) -> Bool {
        index > 0 && uc_combining_class(name[index - 1]) == Int32(UC_CCC_VR)
    }

    private func isBetweenEls(_ index: Int) -> Bool {
        index > 0 && index + 1 < name.count && name[index - 1] == 0x6C && name[index + 1] == 0x6C
    }

    /// The joining types around ZWNJ match (L or D) T* ZWNJ T* (R or D).
    private func joins(_ index: Int) -> Bool {
        var before = index - 1
        while before >= 0, Self.joining(name[before]) == Int(UC_JOINING_TYPE_T) { before -= 1 }
        var after = index + 1
        while after < name.count, Self.joining(name[after]) == Int(UC_JOINING_TYPE_T) { after += 1 }
        ReadingSteps.take(after - before)
        guard before >= 0, after < name.count else { return false }
        let left = Self.joining(name[before])
        let right = Self.joining(name[after])
        return (left == Int(UC_JOINING_TYPE_L) || left == Int(UC_JOINING_TYPE_D))
            && (right == Int(UC_JOINING_TYPE_R) || right == Int(UC_JOINING_TYPE_D))
    }

    private static func joining(_ codePoint: UInt32) -> Int { Int(uc_joining_type(codePoint)) }

    private func contains(_ isMeant: (UInt32) -> Bool) -> Bool {
        ReadingSteps.take(name.count)
        return name.contains(where: isMeant)
    }

    private enum Script {
        case greek
        case hebrew
        case japanese
        case other
    }

    private static func isJapanese(_ codePoint: UInt32) -> Bool { script(of: codePoint) == .japanese }

    private static func script(of codePoint: UInt32) -> Script {
        guard let found = uc_script(codePoint), let name = found.pointee.name else { return .other }
        return switch String(cString: name) {
        case "Greek": .greek
        case "Hebrew": .hebrew
        case "Hiragana", "Katakana", "Han": .japanese
        default: .other
        }
    }
}
