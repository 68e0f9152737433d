package import KinfolkCrypto
package import KinfolkPrivateClient

/// The keys that an epoch of a private directory needs for its rows: for their positions in the table, and for the codes that
/// authenticate them.
///
/// Both are derived from the epoch's seed, so they differ for each epoch and container. The table has the 32 bits of bucket
/// positions encrypted in a way that keeps common prefixes: two encrypted positions share as many first bits as the positions do.
/// Each bit is XORed with one bit of a keyed hash of the bits before it. So the rows of a bucket are adjacent in the table,
/// whatever the number of prefix bits. Without the key, the table shows which rows are close to one another, but not their
/// positions.
package struct PrivateRowKeys: Sendable {
    private enum Purpose {
        static let bucket = UInt8(ascii: "b")
        static let code = UInt8(ascii: "c")
    }

    private let hash: ShortHashKey
    private let container: Int64
    private let epoch: UInt32

    package init(seed: SecretKey, container: Int64, epoch: UInt32) throws {
        hash = try ShortHashKey(seed.derive("kinfprow"))
        self.container = container
        self.epoch = epoch
    }

    /// The encrypted first bits of a bucket position, followed by zeros.
    package func stored(_ position: UInt32, bits: Int = 32) -> UInt32 {
        hash.withHasher { hash in
            withUnsafeTemporaryAllocation(byteCount: 6, alignment: 4) { message in
                message[0] = Purpose.bucket
                var stored: UInt32 = 0
                for level in 0..<min(bits, 32) {
                    let before = level == 0 ? 0 : position & ~(UInt32.max >> UInt32(level))
                    message[1] = UInt8(truncatingIfNeeded: level)
                    message.storeBytes(of: before.bigEndian, toByteOffset: 2, as: UInt32.self)
                    let bit = UInt32(1) << UInt32(31 - level)
                    let isFlipped = hash(UnsafeRawBufferPointer(message)) & 1 == 1
                    stored |= (isFlipped ? ~position : position) & bit
                }
                return stored
            }
        }
    }

    /// The range of encrypted values of the positions that begin with a prefix.
    package func range(of prefix: BucketPrefix) -> (first: UInt32, last: UInt32) {
        let first = stored(prefix.positions.lowerBound.value, bits: prefix.bits.count)
        return (first, first | prefix.lastBits)
    }

    /// The authentication code of a row's content and its position: without the key, nobody can change any of them or assign a
    /// row to another person.
    package func code(
        bucket: UInt32,
        tag: UnsafeRawBufferPointer,
        record: UnsafeRawBufferPointer,
        sealed: UnsafeRawBufferPointer
    ) -> UInt64 {
        let length = 1 + 8 + 4 + 4 + tag.count + record.count + sealed.count
        return withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) { message in
            message[0] = Purpose.code
            message.storeBytes(of: container.bigEndian, toByteOffset: 1, as: Int64.self)
            message.storeBytes(of: epoch.bigEndian, toByteOffset: 9, as: UInt32.self)
            message.storeBytes(of: bucket.bigEndian, toByteOffset: 13, as: UInt32.self)
            // Each part has a fixed length, so the message can be divided in only one way.
            var place = 17
            for part in [tag, record, sealed] {
                UnsafeMutableRawBufferPointer(rebasing: message[place..<place + part.count]).copyMemory(from: part)
                place += part.count
            }
            return hash.code(of: UnsafeRawBufferPointer(message))
        }
    }
}
