/// The first bits of bucket positions, which identify a bucket.
package struct BucketPrefix: Hashable, Comparable, Sendable {
    package let bits: PrefixBits
    private let value: UInt32

    package init(of position: BucketPosition, _ bits: PrefixBits) {
        self.bits = bits
        value = bits.count == 0 ? 0 : position.value >> UInt32(32 - bits.count)
    }

    /// Reads the form in a message: left-aligned, followed by zero bits. Nil if other bits follow, or the number of bytes is
    /// wrong.
    package init?(_ bytes: some Collection<UInt8>, _ bits: PrefixBits) {
        guard bytes.count == bits.byteCount else { return nil }
        let number = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let unused = UInt64(8 * bits.byteCount - bits.count)
        guard number & ((1 << unused) - 1) == 0 else { return nil }
        self.bits = bits
        value = UInt32(truncatingIfNeeded: number >> unused)
    }

    /// Calls `body` with the form in a message.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let number = UInt64(value) << UInt64(8 * bits.byteCount - bits.count)
        return Swift.withUnsafeBytes(of: number.bigEndian) { bytes in
            body(UnsafeRawBufferPointer(rebasing: bytes.suffix(bits.byteCount)))
        }
    }

    /// The positions that begin with this prefix.
    package var positions: ClosedRange<BucketPosition> {
        guard bits.count > 0 else { return BucketPosition(.min)...BucketPosition(.max) }
        let first = bits.count == 32 ? value : value << UInt32(32 - bits.count)
        return BucketPosition(first)...BucketPosition(first | lastBits)
    }

    /// The bits after the prefix, all set.
    package var lastBits: UInt32 { bits.count == 32 ? 0 : .max >> UInt32(bits.count) }

    package static func < (left: BucketPrefix, right: BucketPrefix) -> Bool { left.value < right.value }
}
