/// Which rows a client saw in a bucket: 5 bytes that it gets with them and gives back when it asks again.
///
/// The server makes it from codes that each row has and that nobody can choose: two states of a bucket have the same one by a
/// chance of 1 to 2^40.
struct BucketVersion: Hashable, Sendable {
    static let length = 5
    /// Of a client that has no rows.
    static let none = BucketVersion(value: 0)

    private let value: UInt64

    private init(value: UInt64) { self.value = value }

    /// As it is in a message: 5 bytes.
    init(_ bytes: some Collection<UInt8>) { value = bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    var bytes: [UInt8] {
        (0..<BucketVersion.length).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// The version of rows, one after the other.
    struct Maker {
        private var sum: UInt64 = 0

        /// Adds a row, whose last bytes are an authentication code of all of it and of a random salt.
        mutating func add(endOf row: UnsafeRawBufferPointer) {
            sum ^= UInt64(bigEndian: row.loadUnaligned(fromByteOffset: row.count - 8, as: UInt64.self))
        }

        var version: BucketVersion {
            let version = sum & (1 << (8 * UInt64(BucketVersion.length)) - 1)
            return BucketVersion(value: max(version, 1))
        }
    }
}
