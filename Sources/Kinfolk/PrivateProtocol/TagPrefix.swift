/// The first bits of directory tags: they name a bucket.
struct TagPrefix: Hashable, Comparable, Sendable {
    let bits: PrefixBits
    private let value: UInt32

    init(of tag: DirectoryTag, _ bits: PrefixBits) {
        self.bits = bits
        value = bits.count == 0 ? 0 : UInt32(truncatingIfNeeded: tag.value >> UInt64(64 - bits.count))
    }

    /// As it is in a message: left-aligned, zeros after. Nil if there are others, or not so many bytes.
    init?(_ bytes: some Collection<UInt8>, _ bits: PrefixBits) {
        guard bytes.count == bits.byteCount else { return nil }
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let unused = UInt64(8 * bits.byteCount - bits.count)
        guard number & ((1 << unused) - 1) == 0 else { return nil }
        self.bits = bits
        value = UInt32(truncatingIfNeeded: number >> unused)
    }

    /// As it is in a message.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let number = UInt64(value) << UInt64(8 * bits.byteCount - bits.count)
        return Swift.withUnsafeBytes(of: number.bigEndian) { bytes in
            body(UnsafeRawBufferPointer(rebasing: bytes.suffix(bits.byteCount)))
        }
    }

    /// The tags that begin so.
    var tags: ClosedRange<DirectoryTag> {
        guard bits.count > 0 else { return DirectoryTag(.min)...DirectoryTag(.max) }
        let first = UInt64(value) << UInt64(64 - bits.count)
        return DirectoryTag(first)...DirectoryTag(first | (.max >> UInt64(bits.count)))
    }

    static func < (left: TagPrefix, right: TagPrefix) -> Bool { left.value < right.value }
}
