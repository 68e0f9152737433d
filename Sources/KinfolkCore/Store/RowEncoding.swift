package import KinfolkCrypto
package import KinfolkModel

/// The bytes of rows to authenticate. They do not depend on the engine: numbers are 8 bytes, little-endian, and other values are
/// preceded by their length, so that different lists of values have different bytes.
package struct RowEncoding {
    package private(set) var bytes: [UInt8] = []

    /// - Parameters:
    ///   - purpose: The name of the table, or of what is encoded. A code for one purpose is invalid for another.
    ///   - capacity: How many bytes to reserve.
    package init(_ purpose: StaticString, capacity: Int = 128) {
        bytes.reserveCapacity(capacity)
        append(purpose.utf8CodeUnitCount)
        bytes.append(contentsOf: UnsafeRawBufferPointer(start: purpose.utf8Start, count: purpose.utf8CodeUnitCount))
    }

    package mutating func append(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A count.
    package mutating func append(_ number: Int) { append(Int64(number)) }

    package mutating func append(_ id: RandomID) { append(id.tag) }

    /// A tag needs no length, because it always has 16 bytes.
    package mutating func append(_ tag: Tag) { tag.withUnsafeBytes { bytes.append(contentsOf: $0) } }

    package mutating func append(_ value: [UInt8]) {
        append(value.count)
        bytes.append(contentsOf: value)
    }

    /// A number that may be missing.
    package mutating func append(_ number: Int64?) {
        bytes.append(number == nil ? 0 : 1)
        append(number ?? 0)
    }

    /// The first 16 bytes of the SHA-256 of all bytes.
    package var digest: Tag {
        withUnsafeTemporaryAllocation(byteCount: SHA256.length, alignment: 8) { hash in
            bytes.withUnsafeBytes { SHA256.hash($0, into: hash) }
            return Tag(UnsafeRawBufferPointer(rebasing: hash[..<Tag.length])) ?? Tag()
        }
    }
}
