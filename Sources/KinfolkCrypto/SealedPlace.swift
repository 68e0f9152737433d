/// The place of a sealed value: its table, column and row. The value is bound to its place, so it cannot be opened elsewhere.
package struct SealedPlace: Sendable {
    /// The identifier of a row, or a part of it.
    package enum Part: ExpressibleByArrayLiteral {
        /// As a text of decimal digits.
        case number(Int64)
        case tag(Tag)
        case byte(UInt8)
        case bytes([UInt8])

        package init(arrayLiteral bytes: UInt8...) { self = .bytes(bytes) }

        /// At least the number of its bytes.
        fileprivate var room: Int {
            switch self {
            case .number: 20
            case .tag: Tag.length
            case .byte: 1
            case .bytes(let bytes): bytes.count
            }
        }
    }

    let bytes: [UInt8]

    package init(_ table: StaticString, _ column: StaticString, row: Part...) {
        self.init(
            UnsafeRawBufferPointer(start: table.utf8Start, count: table.utf8CodeUnitCount),
            UnsafeRawBufferPointer(start: column.utf8Start, count: column.utf8CodeUnitCount),
            row
        )
    }

    /// The same place, with names that are known at run time.
    package init(table: String, column: String, row: [Part]) {
        var (table, column) = (table, column)
        self = table.withUTF8 { table in
            column.withUTF8 { SealedPlace(UnsafeRawBufferPointer(table), UnsafeRawBufferPointer($0), row) }
        }
    }

    private init(_ table: UnsafeRawBufferPointer, _ column: UnsafeRawBufferPointer, _ row: [Part]) {
        let room = row.reduce(8 + table.count + column.count) { $0 + 4 + $1.room }
        bytes = [UInt8](unsafeUninitializedCapacity: room) { bytes, count in
            var writer = Writer(bytes: UnsafeMutableRawBufferPointer(bytes))
            writer.append(table)
            writer.append(column)
            for part in row { writer.append(part) }
            count = writer.count
        }
    }

    /// Writes parts into memory that has room for them.
    private struct Writer {
        let bytes: UnsafeMutableRawBufferPointer
        var count = 0

        mutating func append(_ part: Part) {
            switch part {
            case .number(let number):
                var digits = String(number)
                digits.withUTF8 { append(UnsafeRawBufferPointer($0)) }
            case .tag(let tag): tag.withUnsafeBytes { append($0) }
            case .byte(let byte): withUnsafeBytes(of: byte) { append($0) }
            case .bytes(let bytes): bytes.withUnsafeBytes { append($0) }
            }
        }

        /// Each part begins with its length, so that no two places have the same bytes.
        mutating func append(_ part: UnsafeRawBufferPointer) {
            let length = UInt32(truncatingIfNeeded: part.count).littleEndian
            bytes.storeBytes(of: length, toByteOffset: count, as: UInt32.self)
            UnsafeMutableRawBufferPointer(rebasing: bytes[(count + 4)...]).copyMemory(from: part)
            count += 4 + part.count
        }
    }
}
