import Glibc

/// Up to 256 code points, in place.
///
/// No local part of 64 bytes comes from more: the most that composes into one letter of three bytes is four code points.
struct CodePoints {
    static let capacity = 256

    private var storage = InlineArray<256, UInt32>(repeating: 0)
    private(set) var count = 0

    subscript(index: Int) -> UInt32 {
        get { storage[index] }
        set { storage[index] = newValue }
    }

    var indices: Range<Int> { 0..<count }

    mutating func append(_ codePoint: UInt32) throws(EmailFault) {
        guard count < Self.capacity else { throw .localPartTooLong }
        storage[count] = codePoint
        count += 1
    }

    /// What a function of libunistring makes of these: it is given the input, its length, the output and room for its length.
    func mapped(
        by function: (UnsafePointer<UInt32>, Int, UnsafeMutablePointer<UInt32>, inout Int) -> UnsafeMutablePointer<
            UInt32
        >?
    ) throws(EmailFault) -> CodePoints {
        var result = CodePoints()
        var length = Self.capacity
        let isInPlace = storage.span.withUnsafeBufferPointer { input in
            var span = result.storage.mutableSpan
            return span.withUnsafeMutableBufferPointer { output in
                guard let start = input.baseAddress, let room = output.baseAddress else { return false }
                let written = function(start, count, room, &length)
                // Too long for the room: it has allocated.
                if let written, written != room { free(written) }
                return written == room
            }
        }
        guard isInPlace, length <= Self.capacity else { throw .localPartTooLong }
        result.count = length
        return result
    }

    /// UTF-8.
    func encoded() throws(EmailFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * count)
        for index in indices {
            guard let scalar = Unicode.Scalar(storage[index]) else { throw .forbiddenCharacter }
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        return bytes
    }
}
