import CUnistring

/// The Bidi Rule (RFC 5893, section 2), which keeps a name from looking like another one.
enum BidiRule {
    /// Whether `name` may stand in a right-to-left context; true of every name without a right-to-left character.
    static func isSatisfied(by name: [UInt32]) -> Bool {
        guard hasRightToLeft(name) else { return true }
        // Conditions 1, 5 and 6: with a right-to-left character in it, the name must begin with one.
        guard isStrongRightToLeft(uc_bidi_class(name[0])) else { return false }

        var hasEuropeanNumber = false
        var hasArabicNumber = false
        var endsWell = false
        for index in name.indices {
            let direction = uc_bidi_class(name[index])
            switch Int(direction) {
            case Int(UC_BIDI_R), Int(UC_BIDI_AL):
                endsWell = true
            case Int(UC_BIDI_EN):
                endsWell = true
                hasEuropeanNumber = true
            case Int(UC_BIDI_AN):
                endsWell = true
                hasArabicNumber = true
            case Int(UC_BIDI_ES), Int(UC_BIDI_CS), Int(UC_BIDI_ET), Int(UC_BIDI_ON), Int(UC_BIDI_BN):
                endsWell = false
            case Int(UC_BIDI_NSM):
                break
            default:
                return false  // Condition 2
            }
        }
        // Conditions 3 and 4
        return endsWell && !(hasEuropeanNumber && hasArabicNumber)
    }

    private static func hasRightToLeft(_ name: [UInt32]) -> Bool {
        for index in name.indices where name[index] >= 0x590 {
            let direction = uc_bidi_class(name[index])
            if isStrongRightToLeft(direction) || direction == Int32(UC_BIDI_AN) { return true }
        }
        return false
    }

    private static func isStrongRightToLeft(_ direction: Int32) -> Bool {
        direction == Int32(UC_BIDI_R) || direction == Int32(UC_BIDI_AL)
    }
}
