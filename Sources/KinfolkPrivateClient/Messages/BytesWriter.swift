/// Writes big-endian numbers and bytes in sequence.
struct BytesWriter {
    private(set) var bytes: [UInt8] = []

    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

    mutating func append(_ other: UnsafeRawBufferPointer) {
        // Rebound to bytes, which are then copied at once and not one by one.
        other.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ version: BucketVersion) { version.withUnsafeBytes { append($0) } }

    mutating func append(_ prefix: BucketPrefix) { prefix.withUnsafeBytes { append($0) } }

    /// Truncates to `count` bytes.
    mutating func cut(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Overwrites bytes at a position.
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
    /// Sorts the rows of a directory, which are everything after a position, by their tags.
    mutating func sortRows(from position: Int) {
        let count = (bytes.count - position) / DirectoryRow.length
        guard count > 1 else { return }
        let sorted = bytes.withUnsafeBytes { bytes in
            let rows = UnsafeRawBufferPointer(rebasing: bytes[position..<position + count * DirectoryRow.length])
            let order = (0..<count).map { row in
                let start = row * DirectoryRow.length
                return (
                    tag: UInt64(bigEndian: rows.loadUnaligned(fromByteOffset: start, as: UInt64.self)), start: start
                )
            }.sorted { $0.tag < $1.tag }
            return [UInt8](unsafeUninitializedCapacity: rows.count) { sorted, initializedCount in
                let target = UnsafeMutableRawBufferPointer(sorted)
                for (index, row) in order.enumerated() {
                    let place = index * DirectoryRow.length
                    UnsafeMutableRawBufferPointer(rebasing: target[place..<place + DirectoryRow.length]).copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: rows[row.start..<row.start + DirectoryRow.length])
                    )
                }
                initializedCount = rows.count
            }
        }
        sorted.withUnsafeBytes { put($0, at: position) }
    }

    /// Begins a message.
    package init(_ type: MessageType, epoch: UInt32, capacity: Int = 64) {
        self.init(capacity: capacity)
        append(MessageReader.magic)
        append(type.rawValue)
        append(epoch)
    }
}
