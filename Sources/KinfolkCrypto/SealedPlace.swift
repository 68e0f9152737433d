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
            case .number: Writer.digits
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

    /// A place in the same table and column, with more parts of the row: many rows have the same first parts.
    package func appending(_ tag: Tag, _ byte: UInt8, _ number: Int64?) -> SealedPlace {
        let room = bytes.count + 3 * 4 + Tag.length + 1 + Writer.digits
        return SealedPlace(
            bytes: [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                var writer = Writer(bytes: UnsafeMutableRawBufferPointer(buffer))
                bytes.withUnsafeBytes { writer.write($0) }
                tag.withUnsafeBytes { writer.append($0) }
                withUnsafeBytes(of: byte) { writer.append($0) }
                if let number { writer.append(number) }
                count = writer.count
            }
        )
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Writes parts into memory that has room for them.
    private struct Writer {
        /// The most digits of a number, with a sign.
        static let digits = 20

        let bytes: UnsafeMutableRawBufferPointer
        var count = 0

        mutating func append(_ part: Part) {
            switch part {
            case .number(let number): append(number)
            case .tag(let tag): tag.withUnsafeBytes { append($0) }
            case .byte(let byte): withUnsafeBytes(of: byte) { append($0) }
            case .bytes(let bytes): bytes.withUnsafeBytes { append($0) }
            }
        }

        mutating func append(_ number: Int64) {
            withUnsafeTemporaryAllocation(byteCount: Writer.digits, alignment: 1) { digits in
                var (rest, start) = (number.magnitude, digits.count)
                repeat {
                    start -= 1
                    digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    rest /= 10
                } while rest > 0
                if number < 0 {
                    start -= 1
                    digits[start] = UInt8(ascii: "-")
                }
                append(UnsafeRawBufferPointer(rebasing: digits[start...]))
            }
        }

        /// Each part begins with its length, so that no two places have the same bytes.
        mutating func append(_ part: UnsafeRawBufferPointer) {
            let length = UInt32(truncatingIfNeeded: part.count).littleEndian
            bytes.storeBytes(of: length, toByteOffset: count, as: UInt32.self)
            count += 4
            write(part)
        }

        mutating func write(_ part: UnsafeRawBufferPointer) {
            UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: part)
            count += part.count
        }
    }
}
