import KinfolkCrypto
import KinfolkModel

/// What the store keeps sealed of a zone: a version (one byte, 1), the key of the zone (32 bytes), and its name.
enum ZoneContent {
    private static let version: UInt8 = 1
    private static let start = 1 + SecretKey.length

    /// The content of a new zone, with a random key. The caller wipes it.
    static func new(named name: String) -> [UInt8] {
        [version] + SecureRandom.bytes(SecretKey.length) + Array(name.utf8)
    }

    /// The name in a content, which is wiped.
    static func name(wiping content: inout [UInt8]) throws -> String {
        defer { content.withUnsafeMutableBytes(wipe) }
        try check(content)
        return String(decoding: content[start...], as: UTF8.self)
    }

    /// The name and the key in a content, which is wiped.
    static func open(wiping content: inout [UInt8]) throws -> (name: String, key: SecretKey) {
        defer { content.withUnsafeMutableBytes(wipe) }
        try check(content)
        let key = try content.withUnsafeBytes { content in
            try SecretKey(copying: UnsafeRawBufferPointer(rebasing: content[1..<start]))
        }
        return (String(decoding: content[start...], as: UTF8.self), key)
    }

    private static func check(_ content: [UInt8]) throws {
        guard content.count > start, content[0] == version else {
            throw KinfolkError.damaged("A zone cannot be read.")
        }
    }
}
