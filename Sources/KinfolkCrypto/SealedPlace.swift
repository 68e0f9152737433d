/// The place of a sealed value: its table, column and row. The value is bound to its place, so it cannot be opened elsewhere.
package struct SealedPlace: Sendable {
    /// The identifier of a row, or a part of it.
    package enum Part: ExpressibleByArrayLiteral {
        /// As a text of decimal digits.
        case number(Int64)
        case tag(Tag)
        case bytes([UInt8])

        package init(arrayLiteral bytes: UInt8...) { self = .bytes(bytes) }
    }

    private(set) var bytes: [UInt8] = []

    package init(_ table: StaticString, _ column: StaticString, row: Part...) {
        // Enough for most places: table, column and two IDs.
        bytes.reserveCapacity(96)
        append(UnsafeRawBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount))
        append(UnsafeRawBufferPointer(start: column.utf8Start, count: column.utf8CodeUnitCount))
        append(row)
    }

    /// The same place, with names that are known at run time.
    package init(table: String, column: String, row: [Part]) {
        for name in [table, column] {
            var name = name
            name.withUTF8 { append(UnsafeRawBufferPointer($0)) }
        }
        append(row)
    }

    private mutating func append(_ row: [Part]) {
        for part in row {
            switch part {
            case .number(let number):
                var digits = String(number)
                digits.withUTF8 { append(UnsafeRawBufferPointer($0)) }
            case .tag(let tag): tag.withUnsafeBytes { append($0) }
            case .bytes(let bytes): bytes.withUnsafeBytes { append($0) }
            }
        }
    }

    /// Each part begins with its length, so that no two places have the same bytes.
    private mutating func append(_ part: UnsafeRawBufferPointer) {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: part.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: part)
    }
}
