import KinfolkCrypto

/// The position of an address among the buckets of private directories: 32 bits, the same in all epochs and containers of an
/// operator, so that a client that reveals some of the bits reveals the same ones each time.
///
/// It is derived from the output of the oblivious function under the operator's bucket key (HKDF-Expand of RFC 5869 with
/// SHA-512).
package struct BucketPosition: Hashable, Comparable, Sendable {
    package static let length = 4

    package let value: UInt32

    package init(_ value: UInt32) { self.value = value }

    /// Reads 4 bytes.
    package init(_ bytes: some Collection<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// Derives the position from an output of 64 bytes.
    package init(output: UnsafeRawBufferPointer) {
        var value: UInt32 = 0
        withUnsafeMutableBytes(of: &value) { HMACSHA512(key: output).expand("kinfolk/2/bucket", into: $0) }
        self.value = UInt32(bigEndian: value)
    }

    package static func < (left: BucketPosition, right: BucketPosition) -> Bool { left.value < right.value }
}
