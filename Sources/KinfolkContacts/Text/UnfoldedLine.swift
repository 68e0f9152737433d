/// A line joined from the lines that it was folded into. It is truncated if it is too long.
struct UnfoldedLine {
    /// The longest line that is kept.
    static let maximumByteCount = 1 << 16

    private(set) var bytes: [UInt8] = []
    /// The number of the first line.
    private(set) var number = 0
    private(set) var isCut = false

    /// Whether a line that begins with this byte continues the line before it.
    static func isFoldingSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Begins the next line, in the same memory.
    mutating func begin(at number: Int) {
        self.number = number
        isCut = false
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ part: Span<UInt8>) {
        let room = max(0, Self.maximumByteCount - bytes.count)
        isCut = isCut || part.count >= room
        bytes.append(part.extracting(0..<min(room, part.count)))
    }

    /// Removes the mark of a soft line break.
    mutating func removeLastByte() {
        _ = bytes.popLast()
    }
}
