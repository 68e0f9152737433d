/// RFC 4648 section 4.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            let group = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[index + $1]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? alphabet[group >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }
}
