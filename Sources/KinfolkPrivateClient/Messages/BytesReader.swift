import KinfolkModel

/// Reads big-endian numbers and bytes in sequence.
struct BytesReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// How many bytes are left.
    var rest: Int { bytes.count - position }

    mutating func take(_ count: Int) throws(KinfolkError) -> ArraySlice<UInt8> {
        guard count <= rest else { throw KinfolkError(.invalidArgument, "The message or state is incomplete.") }
        defer { position += count }
        ReadingSteps.take(count + 1)
        return bytes[position..<position + count]
    }

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _: Number.Type = Number.self
    ) throws(KinfolkError) -> Number {
        try take(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
    }
}
