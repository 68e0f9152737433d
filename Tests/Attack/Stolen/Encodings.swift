/// The forms in which a value may be in a file. Each has at least eight bytes, so that it is not there by chance.
enum Encodings {
    /// Bytes as they are, in hexadecimal and in base64.
    static func forEach(of bytes: [UInt8], _ body: ([UInt8]) -> Void) {
        body(bytes)
        // The first bytes are enough to find it.
        let start = bytes.prefix(12)
        body(hex(start, digits: lowerDigits))
        body(hex(start, digits: upperDigits))
        body(base64(start))
    }

    /// The forms of a text: as it is, in lower and in upper case, forwards and backwards; each in UTF-8, in both orders of
    /// UTF-16, in hexadecimal, and in base64 wherever it begins in a longer text.
    static func forEach(of text: String, _ body: ([UInt8]) -> Void) {
        for text in Set([text, text.lowercased(), text.uppercased()]) {
            for text in [text, String(text.reversed())] {
                let bytes = Array(text.utf8)
                body(bytes)
                body(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
                body(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] })
                body(hex(bytes, digits: lowerDigits))
                body(hex(bytes, digits: upperDigits))
                for shift in 0..<3 { body(base64(bytes, after: shift)) }
            }
        }
    }

    private static let lowerDigits = Array("0123456789abcdef".utf8)
    private static let upperDigits = Array("0123456789ABCDEF".utf8)

    private static func hex(_ bytes: some Collection<UInt8>, digits: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(2 * bytes.count)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }

    /// Base64 of bytes inside a longer text, without the digits that depend on the neighbouring bytes.
    private static func base64(_ bytes: [UInt8], after shift: Int) -> [UInt8] {
        let whole = base64([UInt8](repeating: 0, count: shift) + bytes)
        let isExact = (shift + bytes.count).isMultiple(of: 3)
        return Array(whole.dropFirst(shift == 0 ? 0 : 4).dropLast(isExact ? 0 : 4))
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func base64(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        var (bits, count) = (UInt32(0), 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> UInt32(count)) & 63])
            }
        }
        if count > 0 { text.append(digits[Int(bits << UInt32(6 - count)) & 63]) }
        while !text.count.isMultiple(of: 4) { text.append(UInt8(ascii: "=")) }
        return text
    }
}
