/// A value that a statement takes.
package enum Value: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    /// 16 bytes, as the two numbers lie in memory. An ID and a tag are so long, and go without an array of their own.
    case sixteenBytes(UInt64, UInt64)
}
