import KinfolkCrypto
package import KinfolkModel

/// Reads a public key for P-256.
package enum PublicKeyReader {
    /// The bytes of a point in the uncompressed form: 4, and its two coordinates.
    static let length = 65
    /// What comes before the point in a SubjectPublicKeyInfo (RFC 5480, section 2): the algorithm, the curve, and the lengths.
    private static let header: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce,
        0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    private static let begin = "-----BEGIN PUBLIC KEY-----"
    private static let end = "-----END PUBLIC KEY-----"

    /// The 65 bytes of a key.
    ///
    /// - Parameter bytes: The same 65 bytes, or PEM text (RFC 7468, section 13). Whether the point is on the curve is not examined: a
    ///   signature is never valid for one that is not.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if it is something else.
    package static func point(_ bytes: [UInt8]) throws(KinfolkError) -> [UInt8] {
        let point = bytes.count == length ? bytes : pointOfPEM(bytes)
        guard let point, point.count == length, point.first == 4 else {
            throw KinfolkError(
                .invalidArgument,
                "A server's key is a public key for P-256: PEM text that begins with \(begin), or the 65 bytes of its point."
            )
        }
        return point
    }

    private static func pointOfPEM(_ bytes: [UInt8]) -> [UInt8]? {
        // Longer than any key, with whatever line breaks.
        guard bytes.count <= 1_024 else { return nil }
        // Split as bytes: a carriage return and a line feed are one character.
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count >= 3, lines.removeFirst().elementsEqual(begin.utf8),
            lines.removeLast().elementsEqual(end.utf8),
            !lines.contains(where: \.isEmpty)
        else { return nil }
        let base64 = String(decoding: lines.joined(), as: UTF8.self)
        guard let key = Base64.bytes(base64), key.starts(with: header) else { return nil }
        return Array(key.dropFirst(header.count))
    }
}
