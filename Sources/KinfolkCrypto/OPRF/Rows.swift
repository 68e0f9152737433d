/// Values of one length, one after the other in memory. Several threads may read them.
struct Rows: @unchecked Sendable {
    private let start: UnsafePointer<UInt8>
    private let length: Int

    /// Fails if the buffer does not hold `count` values.
    init(_ buffer: UnsafeRawBufferPointer, count: Int, length: Int) throws(OPRFError) {
        guard buffer.count == count * length else { throw .wrongCount }
        self.length = length
        start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(WritableRows.nowhere)
    }

    subscript(row: Int) -> UnsafePointer<UInt8> { start + row * length }

    /// How many values a buffer holds.
    static func count(in buffer: UnsafeRawBufferPointer, length: Int) throws(OPRFError) -> Int {
        guard buffer.count % length == 0 else { throw .wrongCount }
        return buffer.count / length
    }
}
