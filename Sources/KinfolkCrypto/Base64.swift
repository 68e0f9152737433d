import CSodium

/// Base64 (RFC 4648, sections 4 and 5), by libsodium, in a time that does not depend on the content.
package enum Base64 {
    /// The text with padding, of one line.
    package static func text(_ bytes: [UInt8], urlSafe: Bool = false) -> String {
        let variant = variant(urlSafe)
        let length = sodium_base64_encoded_len(bytes.count, variant)
        var text = [CChar](repeating: 0, count: length)
        sodium_bin2base64(&text, length, bytes, bytes.count, variant)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The bytes of a text; nil if it is not exactly the text that ``text(_:urlSafe:)`` makes of them.
    package static func bytes(_ text: String, urlSafe: Bool = false) -> [UInt8]? {
        var text = text
        return text.withUTF8 { utf8 in
            var bytes = [UInt8](repeating: 0, count: utf8.count / 4 * 3 + 3)
            var (length, end) = (0, UnsafePointer<CChar>?.none)
            let isValid = utf8.withMemoryRebound(to: CChar.self) { text in
                sodium_base642bin(
                    &bytes,
                    bytes.count,
                    text.baseAddress,
                    text.count,
                    nil,
                    &length,
                    &end,
                    variant(urlSafe)
                ) == 0
                    && end == text.baseAddress.map { $0 + text.count }
            }
            guard isValid || utf8.isEmpty else { return nil }
            bytes.removeLast(bytes.count - length)
            return bytes
        }
    }

    /// Padding is left out of the form for URLs, as in JSON Web Tokens (RFC 7515, section 2).
    private static func variant(_ urlSafe: Bool) -> Int32 {
        urlSafe ? sodium_base64_VARIANT_URLSAFE_NO_PADDING : sodium_base64_VARIANT_ORIGINAL
    }
}
