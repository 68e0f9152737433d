/// The tag of a person's row in a private directory: 8 bytes that only a client with the person's address and the server can
/// compute, together. Ordered by bytes.
struct DirectoryTag: Hashable, Comparable, Sendable {
    static let length = 8

    let value: UInt64

    init(_ value: UInt64) { self.value = value }

    /// Reads 8 bytes.
    init(_ bytes: some Collection<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == DirectoryTag.length else { return nil }
        value = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
    }

    var bytes: [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    static func < (left: DirectoryTag, right: DirectoryTag) -> Bool { left.value < right.value }
}
