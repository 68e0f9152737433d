/// Values of one length, one after the other in memory. Each value is written by one thread.
struct WritableRows: @unchecked Sendable {
    /// The address for empty buffers, which need not have one.
    nonisolated(unsafe) static let nowhere = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

    private let start: UnsafeMutablePointer<UInt8>
    private let length: Int

    /// Fails if the buffer does not hold `count` values.
    init(_ buffer: UnsafeMutableRawBufferPointer, count: Int, length: Int) throws(OPRFError) {
        guard buffer.count == count * length else { throw .wrongCount }
        self.length = length
        start = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? WritableRows.nowhere
    }

    subscript(row: Int) -> UnsafeMutablePointer<UInt8> { start + row * length }
}
