extension PropertyListValue {
    /// What the store keeps: the type (one byte) and the value. Integers are little-endian; texts and bytes follow their length (four bytes),
    /// elements their number (four bytes). The pairs of a dictionary are in the order of their texts, by bytes.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if more than ``maximumDepth`` arrays and dictionaries are inside each other,
    ///   ``KinfolkError/Code/limitExceeded`` for more bytes than `limit`.
    package func encoded(limit: Int) throws(KinfolkError) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        func append(_ content: some Collection<UInt8>) throws(KinfolkError) {
            // Before it is copied.
            guard content.count <= limit - bytes.count else { throw PropertyListValue.tooLarge(limit) }
            append(UInt32(content.count))
            bytes.append(contentsOf: content)
        }
        // What is not written yet, the next one last.
        var rest: [(key: String?, value: PropertyListValue, depth: Int)] = [(nil, self, 0)]
        while let (key, value, depth) = rest.popLast() {
            if let key { try append(key.utf8) }
            bytes.append(value.code)
            switch value {
            case .string(let value): try append(value.utf8)
            case .int64(let value): append(value)
            case .double(let value): append(value.bitPattern)
            case .boolean(let value): bytes.append(value ? 1 : 0)
            case .bytes(let value): try append(value)
            case .date(let value): append(value.microseconds)
            case .array(let values):
                try PropertyListValue.requireDepth(depth)
                guard values.count <= limit - bytes.count else { throw PropertyListValue.tooLarge(limit) }
                append(UInt32(values.count))
                rest += values.reversed().map { (nil, $0, depth + 1) }
            case .dictionary(let values):
                try PropertyListValue.requireDepth(depth)
                guard values.count <= limit - bytes.count else { throw PropertyListValue.tooLarge(limit) }
                append(UInt32(values.count))
                rest += values.sorted { $1.key.utf8.lexicographicallyPrecedes($0.key.utf8) }
                    .map { ($0.key, $0.value, depth + 1) }
            }
            guard bytes.count <= limit else { throw PropertyListValue.tooLarge(limit) }
        }
        return bytes
    }

    /// How many arrays and dictionaries are inside each other, and the number of bytes.
    package var measure: (depth: Int, size: Int) {
        func sum(_ values: some Sequence<PropertyListValue>, _ more: Int) -> (depth: Int, size: Int) {
            values.reduce((1, 5 + more)) { found, value in
                let own = value.measure
                return (max(found.0, own.depth + 1), found.1 + own.size)
            }
        }
        switch self {
        case .string(let value): return (0, 5 + value.utf8.count)
        case .bytes(let value): return (0, 5 + value.count)
        case .boolean: return (0, 2)
        case .int64, .double, .date: return (0, 9)
        case .array(let values): return sum(values, 0)
        case .dictionary(let values): return sum(values.values, values.keys.reduce(0) { $0 + $1.utf8.count + 4 })
        }
    }

    /// The number of the type. Those of arrays and dictionaries are not those of a ``FieldType``.
    private var code: UInt8 {
        switch self {
        case .string: FieldType.string.rawValue
        case .int64: FieldType.int64.rawValue
        case .double: FieldType.double.rawValue
        case .boolean: FieldType.boolean.rawValue
        case .bytes: FieldType.bytes.rawValue
        case .date: FieldType.date.rawValue
        case .array: PropertyListValue.arrayCode
        case .dictionary: PropertyListValue.dictionaryCode
        }
    }

    private static let arrayCode: UInt8 = 32
    private static let dictionaryCode: UInt8 = 33

    private static func tooLarge(_ limit: Int) -> KinfolkError {
        KinfolkError(.limitExceeded, "A value of the key-value store has at most \(limit) bytes.")
    }

    private static func requireDepth(_ depth: Int) throws(KinfolkError) {
        guard depth < maximumDepth else {
            throw KinfolkError(
                .invalidArgument,
                "At most \(maximumDepth) arrays and dictionaries can be inside each other."
            )
        }
    }

    /// Reads what ``encoded(limit:)`` wrote.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` for other bytes.
    package init(encoded bytes: [UInt8]) throws(KinfolkError) {
        var reader = Reader(rest: bytes[...])
        guard let value = reader.value(depth: 0), reader.rest.isEmpty else {
            throw KinfolkError.damaged("A value of a key-value store cannot be read.")
        }
        self = value
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func value(depth: Int) -> PropertyListValue? {
            guard let code = rest.popFirst() else { return nil }
            switch code {
            case FieldType.string.rawValue: return text().map { .string($0) }
            case FieldType.int64.rawValue: return number(UInt64.self).map { .int64(Int64(bitPattern: $0)) }
            case FieldType.double.rawValue: return number(UInt64.self).map { .double(Double(bitPattern: $0)) }
            case FieldType.boolean.rawValue: return rest.popFirst().map { .boolean($0 != 0) }
            case FieldType.bytes.rawValue: return content().map { .bytes(Array($0)) }
            case FieldType.date.rawValue:
                return number(UInt64.self).map { .date(Timestamp(microseconds: Int64(bitPattern: $0))) }
            case PropertyListValue.arrayCode: return array(depth).map { .array($0) }
            case PropertyListValue.dictionaryCode: return dictionary(depth).map { .dictionary($0) }
            default: return nil
            }
        }

        private mutating func array(_ depth: Int) -> [PropertyListValue]? {
            guard let count = count(depth) else { return nil }
            var values: [PropertyListValue] = []
            values.reserveCapacity(count)
            for _ in 0..<count {
                guard let value = value(depth: depth + 1) else { return nil }
                values.append(value)
            }
            return values
        }

        private mutating func dictionary(_ depth: Int) -> [String: PropertyListValue]? {
            guard let count = count(depth) else { return nil }
            var values: [String: PropertyListValue] = [:]
            for _ in 0..<count {
                guard let key = text(), let value = value(depth: depth + 1) else { return nil }
                values[key] = value
            }
            return values
        }

        /// The number of elements. Each takes a byte at least, so a false number is detected before memory is allocated.
        private mutating func count(_ depth: Int) -> Int? {
            guard depth < PropertyListValue.maximumDepth, let count = number(UInt32.self), count <= rest.count else {
                return nil
            }
            return Int(count)
        }

        private mutating func text() -> String? { content().map { String(decoding: $0, as: UTF8.self) } }

        private mutating func content() -> ArraySlice<UInt8>? {
            guard let count = number(UInt32.self), count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return rest.prefix(Int(count))
        }

        private mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
            let size = MemoryLayout<Number>.size
            guard rest.count >= size else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
        }
    }
}
