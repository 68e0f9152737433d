import Glibc
import KinfolkModel

/// Searches and compares bytes of text in ASCII-compatible encodings.
extension Span<UInt8> {
    /// The index of the first such byte at or after `start`, found with memchr; `count` if there is none.
    package func firstIndex(of byte: UInt8, from start: Int = 0) -> Int {
        guard start < count else { return count }
        return withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), count - start) else {
                ReadingSteps.take(count - start)
                return count
            }
            let index = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            ReadingSteps.take(index - start)
            return index
        }
    }

    package func contains(_ byte: UInt8) -> Bool { firstIndex(of: byte) < count }

    func isEqual(to other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        ReadingSteps.take(count)
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// Whether the bytes equal `word`, ignoring case. `word` must be lower-case ASCII.
    func isASCII(_ word: StaticString, ignoringCaseIn range: Range<Int>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { word in
            for index in range where ASCII.lowercased(self[index]) != word[index - range.lowerBound] { return false }
            return true
        }
    }

    func isASCII(_ word: StaticString) -> Bool { isASCII(word, ignoringCaseIn: 0..<count) }

    func hasASCIIPrefix(_ word: StaticString) -> Bool {
        count >= word.utf8CodeUnitCount && isASCII(word, ignoringCaseIn: 0..<word.utf8CodeUnitCount)
    }

    /// The range without the ASCII white space at both ends.
    package var trimmedASCIIRange: Range<Int> {
        var start = 0
        var end = count
        while start < end, ASCII.isSpace(self[start]) { start += 1 }
        while end > start, ASCII.isSpace(self[end - 1]) { end -= 1 }
        ReadingSteps.take(count - (end - start) + 2)
        return start..<end
    }

    /// The length of U+FEFF at the beginning, or 0.
    var byteOrderMarkByteCount: Int {
        count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? 3 : 0
    }

    /// How many bytes of UTF-8 to keep, at most `limit`, without cutting a character in two.
    func prefixCount(withinUTF8Bytes limit: Int) -> Int {
        guard count > limit else { return count }
        var end = limit
        while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}

extension Array<UInt8> {
    /// Appends with one memcpy.
    package mutating func append(_ bytes: Span<UInt8>) {
        ReadingSteps.take(bytes.count)
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
