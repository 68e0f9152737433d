import KinfolkCrypto

/// Distinguishes one state of a record from another. Callers see it as a text.
package struct ChangeTag: Hashable, Sendable {
    private static let length = 8

    /// The tag of a user record that was never saved.
    package static let first = ChangeTag(value: 0)

    /// The bytes as a number, the first one highest.
    private let value: UInt64

    private init(value: UInt64) { self.value = value }

    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == ChangeTag.length else { return nil }
        self.init(value: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    /// The tag with this text; nil if it is not one of 16 lower-case hexadecimal digits.
    package init?(_ text: String) {
        guard let tag = Hexadecimal.bytes(text.utf8)?.withUnsafeBytes(ChangeTag.init(_:)) else { return nil }
        self = tag
    }

    package static func random() -> ChangeTag {
        var value: UInt64 = 0
        withUnsafeMutableBytes(of: &value, SecureRandom.fill)
        return ChangeTag(value: value)
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    package var text: String { Hexadecimal.text(bytes) }
}
