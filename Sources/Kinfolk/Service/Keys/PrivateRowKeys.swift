import KinfolkCrypto

/// What an epoch of a private directory needs to keep rows: where they stand in the table, and the codes that bind what a row
/// says.
///
/// Both come from the epoch's seed, and so change with each epoch and container. The table has the 32 bits of bucket positions
/// encrypted so that two of them share as many first bits as the positions do: each bit is combined with one that a keyed hash
/// makes of the bits before it. So the rows of a bucket stand together, whatever the number of bits that names it, and whoever has
/// the table without the key sees which rows are close to one another, and not where.
package struct PrivateRowKeys: Sendable {
    private enum Purpose {
        static let bucket = UInt8(ascii: "b")
        static let code = UInt8(ascii: "c")
    }

    private let hash: ShortHashKey
    private let container: Int64
    private let epoch: UInt32

    init(seed: SecretKey, container: Int64, epoch: UInt32) throws {
        hash = try ShortHashKey(seed.derive("kinfprow"))
        self.container = container
        self.epoch = epoch
    }

    /// What the table has instead of the first bits of a bucket position; zeros after them.
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

    /// Between which values the table has the positions that begin with a prefix.
    func range(of prefix: BucketPrefix) -> (first: UInt32, last: UInt32) {
        let first = stored(prefix.positions.lowerBound.value, bits: prefix.bits.count)
        return (first, first | prefix.lastBits)
    }

    /// The code over all that a row says, and where it stands: nobody without the key can change one of them, or give a row to
    /// somebody else.
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
            // All have one length each, so that they cannot be divided in another way.
            var place = 17
            for part in [tag, record, sealed] {
                UnsafeMutableRawBufferPointer(rebasing: message[place..<place + part.count]).copyMemory(from: part)
                place += part.count
            }
            return hash.code(of: UnsafeRawBufferPointer(message))
        }
    }
}
