import KinfolkModel

/// Quoted-printable (RFC 2045, section 6.7), as vCard 2.1 uses it. Soft line breaks have already been removed.
enum QuotedPrintable {
    /// Decodes `=` followed by two hexadecimal digits; keeps all other bytes.
    static func decoded(_ value: Span<UInt8>) -> [UInt8] {
        ReadingSteps.take(value.count)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(value.count)
        var index = 0
        while index < value.count {
            if value[index] == UInt8(ascii: "="), value.count - index > 2,
                let high = Hexadecimal.value(value[index + 1]), let low = Hexadecimal.value(value[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(value[index])
                index += 1
            }
        }
        return bytes
    }
}
