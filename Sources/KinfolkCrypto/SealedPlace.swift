/// Where a sealed value stands: its table, column and row. Sealed with it, so that it opens nowhere else.
package struct SealedPlace: Sendable {
    let bytes: [UInt8]

    package init(_ table: StaticString, _ column: StaticString, row: [UInt8]...) {
        var bytes: [UInt8] = []
        // Enough for most: table, column and two IDs.
        bytes.reserveCapacity(96)
        func append(_ part: some Collection<UInt8>) {
            // Lengths go first, so that no two places have the same bytes.
            withUnsafeBytes(of: UInt32(truncatingIfNeeded: part.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: part)
        }
        append(UnsafeBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount))
        append(UnsafeBufferPointer(start: column.utf8Start, count: column.utf8CodeUnitCount))
        for part in row { append(part) }
        self.bytes = bytes
    }
}
