/// Bytes as hexadecimal digits.
package enum Hexadecimal {
    /// Two lower-case digits for each byte.
    package static func text(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            var length = 0
            for byte in bytes {
                text.initializeElement(at: length, to: digit(byte >> 4))
                text.initializeElement(at: length + 1, to: digit(byte & 15))
                length += 2
            }
            return length
        }
    }

    /// The digits one by one, so that the digits of a key are not stored in memory.
    package static func digits(_ bytes: some Collection<UInt8>) -> some Sequence<UInt8> {
        (0..<2 * bytes.count).lazy.map { place in
            let byte = bytes[bytes.index(bytes.startIndex, offsetBy: place / 2)]
            return digit(place.isMultiple(of: 2) ? byte >> 4 : byte & 15)
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 + value - 10 }

    /// The bytes that lower-case digits encode, so that each value has only one text. Nil for other characters or an odd number
    /// of digits.
    package static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
        // Contiguous memory, which most texts have, is read faster than single elements.
        digits.withContiguousStorageIfAvailable(read) ?? Array(digits).withUnsafeBufferPointer(read)
    }

    private static func read(_ digits: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = [UInt8](repeating: 0, count: digits.count / 2)
        for (offset, digit) in digits.enumerated() {
            guard let value = value(digit), !(0x41...0x46).contains(digit) else { return nil }
            bytes[offset / 2] = bytes[offset / 2] << 4 | value
        }
        return bytes
    }

    /// The value of a digit of either case.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
