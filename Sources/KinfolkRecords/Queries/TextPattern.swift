/// A part that is looked for in texts, prepared once for all of them (Knuth, Morris, Pratt, 1977).
struct TextPattern: Sendable, Hashable {
    private let bytes: [UInt8]
    /// For each beginning of the part, the length of its longest end that is a beginning too.
    private let borders: [Int]

    init(_ part: DecomposedText) {
        bytes = part.bytes
        var (borders, length) = ([0], 0)
        borders.reserveCapacity(bytes.count)
        for byte in bytes.dropFirst() {
            while length > 0, bytes[length] != byte { length = borders[length - 1] }
            if bytes[length] == byte { length += 1 }
            borders.append(length)
        }
        self.borders = borders
    }

    /// Whether a text contains the part. It takes linear time.
    func isIn(_ text: DecomposedText) -> Bool {
        guard !bytes.isEmpty else { return true }
        var length = 0
        for byte in text.bytes {
            while length > 0, bytes[length] != byte { length = borders[length - 1] }
            if bytes[length] == byte { length += 1 }
            if length == bytes.count { return true }
        }
        return false
    }
}
