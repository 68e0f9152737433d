package import KinfolkCrypto

/// 128 random bits, written as 32 lower-case hexadecimal digits.
package struct RandomID: Hashable, Sendable {
    package static let length = 16

    package private(set) var tag = Tag()

    /// A new ID from the operating system's generator.
    package static func make() -> RandomID {
        var id = RandomID()
        id.tag.withUnsafeMutableBytes(SecureRandom.fill)
        return id
    }

    private init() {}

    package init(tag: Tag) { self.tag = tag }

    /// The ID with all bits inverted, which belongs to nobody, except with a probability of 1 in 2^128. It differs for each ID,
    /// because one fixed unused ID would be in the processor's cache and so be looked up faster.
    package var opposite: RandomID {
        var id = self
        id.tag.withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] ^= 0xff }
        }
        return id
    }

    package init?(bytes: UnsafeRawBufferPointer) {
        guard let tag = Tag(bytes) else { return nil }
        self.tag = tag
    }

    package init?(hex: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(hex.utf8) else { return nil }
        guard let id = bytes.withUnsafeBytes(RandomID.init(bytes:)) else { return nil }
        self = id
    }

    package var bytes: [UInt8] { tag.bytes }

    package var hex: String { Hexadecimal.text(bytes) }
}

extension RandomID: Comparable {
    /// Ordered by bytes, as in a store.
    package static func < (left: RandomID, right: RandomID) -> Bool { left.tag < right.tag }
}
