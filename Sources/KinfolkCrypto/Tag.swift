/// 16 bytes that stand for a value in an index: its keyed BLAKE2b-128. Without the key they reveal nothing about the value.
package struct Tag: Hashable, Sendable {
    package static let length = 16

    private var high: UInt64 = 0
    private var low: UInt64 = 0

    package init() {}

    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Tag.length else { return nil }
        high = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
        low = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
    }

    /// The two halves, as numbers.
    package var words: (UInt64, UInt64) { (high, low) }

    package var bytes: [UInt8] { withUnsafeBytes(Array.init) }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try Swift.withUnsafeBytes(of: self, body)
    }

    package mutating func withUnsafeMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try Swift.withUnsafeMutableBytes(of: &self, body)
    }
}

extension Tag: Comparable {
    /// By bytes, as a store orders them too.
    package static func < (left: Tag, right: Tag) -> Bool {
        left.high == right.high
            ? left.low.bigEndian < right.low.bigEndian : left.high.bigEndian < right.high.bigEndian
    }
}
