import KinfolkCrypto

/// 128 random bits, written as 32 lower-case hexadecimal digits.
package struct RandomID: Hashable, Sendable {
    package static let length = 16

    private var value = Tag()

    /// An ID of zeros, which is nobody's.
    package static let nobody = RandomID()

    /// A new one, from the operating system's generator.
    package static func make() -> RandomID {
        var id = RandomID()
        id.value.withUnsafeMutableBytes(SecureRandom.fill)
        return id
    }

    private init() {}

    package init?(bytes: UnsafeRawBufferPointer) {
        guard let value = Tag(bytes) else { return nil }
        self.value = value
    }

    package init?(hex: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(hex.utf8) else { return nil }
        guard let id = bytes.withUnsafeBytes(RandomID.init(bytes:)) else { return nil }
        self = id
    }

    package var bytes: [UInt8] { value.bytes }

    package var hex: String { Hexadecimal.text(bytes) }
}
