/// The DER form of an ECDSA signature with P-256 (RFC 3279, section 2.2.3).
enum ECDSASignature {
    private static let length = 32

    /// The number r as 32 bytes. Nil if the form is not exactly the one that DER prescribes: a second form of the same signature would not
    /// be recognised as its repetition.
    static func r(of der: [UInt8]) -> [UInt8]? {
        var rest = der[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst(), Int(length) == rest.count, length < 0x80 else {
            return nil
        }
        guard let r = integer(&rest), integer(&rest) != nil, rest.isEmpty else { return nil }
        return r
    }

    private static func integer(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.popFirst() == 0x02, let count = rest.popFirst().map(Int.init), count > 0, count <= rest.count else {
            return nil
        }
        var digits = rest.prefix(count)
        rest = rest.dropFirst(count)
        guard let first = digits.first, first < 0x80 else { return nil }
        if first == 0 {
            digits = digits.dropFirst()
            // A zero byte comes only before a byte that would look like a sign.
            guard let next = digits.first, next >= 0x80 else { return nil }
        }
        guard digits.count <= length else { return nil }
        return [UInt8](repeating: 0, count: length - digits.count) + digits
    }
}
