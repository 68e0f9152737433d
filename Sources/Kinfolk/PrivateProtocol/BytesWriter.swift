/// Writes numbers, big-endian, and bytes, one after the other.
struct BytesWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

    mutating func append(_ other: UnsafeRawBufferPointer) {
        // As bytes, which are copied at once and not one by one.
        other.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ version: BucketVersion) { version.withUnsafeBytes { append($0) } }

    mutating func append(_ prefix: TagPrefix) { prefix.withUnsafeBytes { append($0) } }

    /// Takes back what was written after so many bytes.
    mutating func cut(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Writes over what is there already.
    mutating func put(_ number: some FixedWidthInteger, at position: Int) {
        withUnsafeBytes(of: number.bigEndian) { put($0, at: position) }
    }

    mutating func put(_ version: BucketVersion, at position: Int) { version.withUnsafeBytes { put($0, at: position) } }

    private mutating func put(_ other: UnsafeRawBufferPointer, at position: Int) {
        bytes.withUnsafeMutableBytes { bytes in
            UnsafeMutableRawBufferPointer(rebasing: bytes[position..<position + other.count]).copyMemory(from: other)
        }
    }

    mutating func set(bit: Int, from position: Int) { bytes[position + bit / 8] |= 0x80 >> UInt8(bit % 8) }
}

extension BytesWriter {
    /// Begins a message.
    init(_ type: MessageType, epoch: UInt32, capacity: Int = 64) {
        self.init(capacity: capacity)
        append(MessageReader.magic)
        append(type.rawValue)
        append(epoch)
    }
}
