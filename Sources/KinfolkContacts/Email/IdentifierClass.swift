import CUnistring

/// The PRECIS IdentifierClass (RFC 8264, section 4.2), for code points after NFC. ASCII is checked elsewhere.
package enum IdentifierClass {
    package static func contains(_ name: [UInt32]) -> Bool {
        var context = IdentifierContext(name)
        for index in name.indices where name[index] >= 0x80 {
            guard let isAllowed = exception(name[index]) ?? context.isSatisfied(at: index) else {
                guard isLetterOrDigit(name[index]) else { return false }
                continue
            }
            guard isAllowed else { return false }
        }
        return true
    }

    /// The Exceptions (RFC 8264, section 9.6) that do not depend on neighbouring characters.
    private static func exception(_ codePoint: UInt32) -> Bool? {
        switch codePoint {
        case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007: true
        case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: false
        default: nil
        }
    }

    /// LetterDigits (section 9.1), except code points that an earlier rule in the order of section 8 refuses.
    private static func isLetterOrDigit(_ codePoint: UInt32) -> Bool {
        let letterDigits =
            UC_CATEGORY_MASK_Ll | UC_CATEGORY_MASK_Lu | UC_CATEGORY_MASK_Lo | UC_CATEGORY_MASK_Nd | UC_CATEGORY_MASK_Lm
            | UC_CATEGORY_MASK_Mn | UC_CATEGORY_MASK_Mc
        guard uc_general_category(codePoint).bitmask & UInt32(letterDigits) != 0 else { return false }
        return !isConjoiningJamo(codePoint) && !uc_is_property_default_ignorable_code_point(codePoint)
            && !hasCompatibilityForm(codePoint)
    }

    /// OldHangulJamo (section 9.9). In NFC, modern Korean has none.
    private static func isConjoiningJamo(_ codePoint: UInt32) -> Bool {
        switch codePoint {
        case 0x1100...0x11FF, 0xA960...0xA97C, 0xD7B0...0xD7C6, 0xD7CB...0xD7FB: true
        default: false
        }
    }

    /// HasCompat (section 9.17) of a code point that is its own NFC: its NFKC differs if it decomposes for compatibility.
    private static func hasCompatibilityForm(_ codePoint: UInt32) -> Bool {
        guard codePoint >= 0xA0 else { return false }
        return withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Int(UC_DECOMPOSITION_MAX_LENGTH)) { parts in
            var tag: Int32 = 0
            let length = uc_decomposition(codePoint, &tag, parts.baseAddress)
            guard length > 0 else { return false }
            guard tag == Int32(UC_DECOMP_CANONICAL) else { return true }
            return parts[..<Int(length)].contains { $0 != codePoint && hasCompatibilityForm($0) }
        }
    }
}
