/// The tag of a person's row in a private directory: 8 bytes that only a client with the person's address and the server can
/// compute, together. Ordered by bytes.
package struct DirectoryTag: Hashable, Comparable, Sendable {
    package static let length = 8

    package let value: UInt64

    package init(_ value: UInt64) { self.value = value }

    /// Reads 8 bytes.
    package init(_ bytes: some Collection<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == DirectoryTag.length else { return nil }
        value = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    package static func < (left: DirectoryTag, right: DirectoryTag) -> Bool { left.value < right.value }
}
