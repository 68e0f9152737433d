/// Bytes as hexadecimal digits.
package enum Hexadecimal {
    /// Two lower-case digits for each byte.
    package static func text(_ bytes: some Collection<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that lower-case digits stand for, so that each value has one text. Nil if one is none, or half a byte is left.
    package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = [UInt8](repeating: 0, count: digits.count / 2)
        for (offset, digit) in digits.enumerated() {
            guard let value = value(digit), !(0x41...0x46).contains(digit) else { return nil }
            bytes[offset / 2] = bytes[offset / 2] << 4 | value
        }
        return bytes
    }

    /// What a digit of either case stands for.
    static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
