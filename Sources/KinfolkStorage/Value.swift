/// A value of a statement's parameter.
package enum Value: Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes([UInt8])
    /// 16 bytes as two numbers in memory order. IDs and tags have this length, and so need no array.
    case sixteenBytes(UInt64, UInt64)
}
