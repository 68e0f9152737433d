import CLibPQ

/// The values of a statement for libpq: in PostgreSQL's binary form, numbers in big-endian order.
struct PostgreSQLValues: Hashable {
    /// PostgreSQL's numbers of the types (pg_type.oid).
    enum ValueType {
        static let unknown: kinfolk_pg_oid = 0
        static let bytes: kinfolk_pg_oid = 17
        static let integer: kinfolk_pg_oid = 20
        static let text: kinfolk_pg_oid = 25
        static let real: kinfolk_pg_oid = 701
        static let bytesArray: kinfolk_pg_oid = 1001
    }

    private struct Entry: Hashable {
        var type = ValueType.unknown
        var bytes: [UInt8] = []
        var isNull = true
    }

    private var entries: [Entry] = []

    var types: [kinfolk_pg_oid] { entries.map(\.type) }

    mutating func set(_ value: Value, at index: Int) {
        switch value {
        case .null: set(ValueType.unknown, [], at: index, isNull: true)
        case .integer(let number): set(ValueType.integer, PostgreSQLValues.bytes(number), at: index)
        case .real(let number):
            set(ValueType.real, PostgreSQLValues.bytes(number.bitPattern), at: index)
        case .text(let text): set(ValueType.text, Array(text.utf8), at: index)
        case .bytes(let bytes): set(ValueType.bytes, bytes, at: index)
        case .sixteenBytes(let first, let second):
            set(ValueType.bytes, withUnsafeBytes(of: (first, second)) { Array($0) }, at: index)
        }
    }

    mutating func set(_ bytes: UnsafeRawBufferPointer, at index: Int) { set(ValueType.bytes, Array(bytes), at: index) }

    /// An array of byte strings: the number of dimensions, whether it has nulls, the type of its elements, for each dimension its
    /// length and first index, and then each element after its length (array_send in the server's source).
    mutating func set(_ keys: KeyList, _ range: Range<Int>, at index: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + range.count * (4 + KeyList.width))
        for number in [1, 0, Int32(bitPattern: ValueType.bytes), Int32(range.count), 1] {
            bytes += PostgreSQLValues.bytes(number)
        }
        for position in range {
            bytes += PostgreSQLValues.bytes(Int32(KeyList.width))
            bytes += keys[position]
        }
        set(ValueType.bytesArray, bytes, at: index)
    }

    mutating func clear() { entries.removeAll(keepingCapacity: true) }

    private mutating func set(_ type: kinfolk_pg_oid, _ bytes: [UInt8], at index: Int, isNull: Bool = false) {
        while entries.count <= index { entries.append(Entry()) }
        entries[index] = Entry(type: type, bytes: bytes, isNull: isNull)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Calls `body` with the address and the length of each value, and with its format, binary.
    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) throws -> Result) rethrows -> Result {
        // All values are in one array, so that their addresses stay valid. One extra byte ensures that the array is never empty.
        var all: [UInt8] = []
        all.reserveCapacity(entries.reduce(1) { $0 + $1.bytes.count })
        for entry in entries { all += entry.bytes }
        all.append(0)
        return try all.withUnsafeBytes { all in
            var start = 0
            let pointers = entries.map { entry -> UnsafePointer<CChar>? in
                defer { start += entry.bytes.count }
                return entry.isNull ? nil : all.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
            }
            return try body(
                pointers,
                entries.map { Int32(clamping: $0.bytes.count) },
                [Int32](repeating: 1, count: entries.count)
            )
        }
    }
}
