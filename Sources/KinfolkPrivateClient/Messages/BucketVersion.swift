/// Identifies the rows that a client saw in a bucket: 5 bytes that it receives with the rows and sends when it requests the
/// bucket again.
///
/// The server computes it from the codes of the rows, which nobody can choose: two states of a bucket have the same version with
/// a probability of 1 in 2^40.
package struct BucketVersion: Hashable, Sendable {
    package static let length = 5
    /// The version of a client that has no rows.
    package static let none = BucketVersion(value: 0)

    private let value: UInt64

    private init(value: UInt64) { self.value = value }

    /// Reads the form in a message: 5 bytes.
    package init(_ bytes: some Collection<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Swift.withUnsafeBytes(of: value.bigEndian) {
            body(UnsafeRawBufferPointer(rebasing: $0.suffix(BucketVersion.length)))
        }
    }

    /// The version of rows of ``DirectoryRow/length`` bytes each. Their last bytes are authentication codes, which depend on the
    /// whole row and on a random salt.
    package init(of rows: ArraySlice<UInt8>) {
        let sum = rows.withUnsafeBytes { rows in
            stride(from: DirectoryRow.length, through: rows.count, by: DirectoryRow.length).reduce(UInt64(0)) {
                sum,
                end in
                sum ^ UInt64(bigEndian: rows.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self))
            }
        }
        self.init(value: max(sum & (1 << (8 * UInt64(BucketVersion.length)) - 1), 1))
    }
}
