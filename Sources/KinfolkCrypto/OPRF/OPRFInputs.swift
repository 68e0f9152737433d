/// The inputs of a batch, one after the other in memory. It is a view: the caller keeps the bytes in place until the call returns.
package struct OPRFInputs: @unchecked Sendable {
    package static let longest = Int(UInt16.max)

    package let count: Int
    private let bytes: UnsafeRawBufferPointer
    private let length: Int
    /// Where each input ends. Empty if all inputs have the same length.
    private let ends: [Int]

    /// Inputs of the same length, which is not zero.
    package init(_ bytes: UnsafeRawBufferPointer, length: Int) throws(OPRFError) {
        guard length > 0 else { throw .wrongCount }
        guard length <= OPRFInputs.longest else { throw .inputTooLong }
        count = try Rows.count(in: bytes, length: length)
        self.bytes = bytes
        self.length = length
        ends = []
    }

    /// Inputs of different lengths.
    package init(_ bytes: UnsafeRawBufferPointer, lengths: [Int]) throws(OPRFError) {
        var ends: [Int] = []
        ends.reserveCapacity(lengths.count)
        var end = 0
        for length in lengths {
            guard length <= OPRFInputs.longest else { throw .inputTooLong }
            guard length >= 0, length <= bytes.count - end else { throw .wrongCount }
            end += length
            ends.append(end)
        }
        guard end == bytes.count else { throw .wrongCount }
        count = lengths.count
        self.bytes = bytes
        length = 0
        self.ends = ends
    }

    subscript(index: Int) -> UnsafeRawBufferPointer {
        let start = ends.isEmpty ? index * length : index == 0 ? 0 : ends[index - 1]
        let end = ends.isEmpty ? start + length : ends[index]
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }
}
