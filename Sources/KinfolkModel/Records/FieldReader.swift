import Glibc

/// Reads fields that ``FieldWriter`` wrote.
package struct FieldReader {
    private struct Malformed: Error {}

    /// The bytes that have not been read yet. They must outlive this reader.
    private var rest: UnsafeRawBufferPointer
    /// The zone of the record, in which the targets of its references are.
    let zone: String

    init(_ bytes: Slice<UnsafeRawBufferPointer>, zone: String) {
        rest = UnsafeRawBufferPointer(rebasing: bytes)
        self.zone = zone
    }

    /// The fields in `bytes`.
    package static func fields(_ bytes: [UInt8], zone: String = RecordID.defaultZone) throws -> Fields {
        try reading(bytes, zone: zone) { try $0.fields(endOf: bytes) }
    }

    /// The two or three names in `bytes`.
    package static func names(_ bytes: [UInt8]) throws -> (String, String, String?) {
        try reading(bytes, zone: RecordID.defaultZone) { reader in
            let names = (try reader.name(), try reader.name(), reader.rest.isEmpty ? nil : try reader.name())
            return reader.rest.isEmpty ? names : nil
        }
    }

    /// Reads `bytes` with `body`, which returns nil if they are malformed.
    static func reading<Result>(
        _ bytes: [UInt8],
        zone: String,
        _ body: (inout FieldReader) throws -> Result?
    ) throws -> Result {
        do {
            return try bytes.withUnsafeBytes { bytes in
                var reader = FieldReader(bytes[...], zone: zone)
                guard let result = try body(&reader) else { throw Malformed() }
                return result
            }
        } catch {
            throw KinfolkError.damaged("The fields of a record cannot be read.")
        }
    }

    /// The fields in the rest of the bytes, which are the end of `bytes`.
    mutating func fields(endOf bytes: [UInt8]) throws -> Fields {
        var checked = self
        guard let (count, size) = try checked.check() else { return try fields() }
        defer { rest = checked.rest }
        return Fields(EncodedFields(bytes, from: bytes.count - rest.count, zone: zone, count: count, size: size))
    }

    private mutating func fields() throws -> Fields {
        var fields = Fields(capacity: 8)
        while !rest.isEmpty {
            let name = try name()
            fields[name] = try value(byte())
        }
        return fields
    }

    /// The names and values in the rest of the bytes, which were checked.
    mutating func fields(capacity: Int) throws -> (names: [String], values: [FieldValue]) {
        var (names, values): ([String], [FieldValue]) = ([], [])
        names.reserveCapacity(capacity)
        values.reserveCapacity(capacity)
        while !rest.isEmpty {
            names.append(try name())
            values.append(try value(byte()))
        }
        return (names, values)
    }

    /// The value of a field in the rest of the bytes, which were checked; nil if there is no such field.
    mutating func value(of name: UnsafeRawBufferPointer) throws -> FieldValue? {
        while !rest.isEmpty {
            if try take(Int(byte())).elementsEqual(name) { return try value(byte()) }
            _ = try skip(byte())
        }
        return nil
    }

    /// Reads the rest of the bytes, without making values.
    ///
    /// - Returns: The number of fields, and the size of their names and values. Nil if they must be decoded at once.
    private mutating func check() throws -> (count: Int, size: Int)? {
        var (count, size) = (0, 0)
        var last = UnsafeRawBufferPointer(start: nil, count: 0)
        while !rest.isEmpty {
            let name = try take(Int(byte()))
            guard count < EncodedFields.maximumCount, count == 0 || FieldReader.isInOrder(last, name),
                FieldReader.isASCII(name)
            else { return nil }
            size += name.count + (try skip(byte()))
            (count, last) = (count + 1, name)
        }
        return (count, size)
    }

    private static func isInOrder(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard let start = left.baseAddress, let other = right.baseAddress else { return left.count < right.count }
        let order = memcmp(start, other, min(left.count, right.count))
        return order == 0 ? left.count < right.count : order < 0
    }

    private static func isASCII(_ name: UnsafeRawBufferPointer) -> Bool {
        name.reduce(0, |) < 0x80
    }

    /// Skips a value, and checks it as ``value(_:)`` does.
    ///
    /// - Returns: Its size.
    private mutating func skip(_ code: UInt8) throws -> Int {
        switch FieldType(rawValue: code) {
        case .string, .bytes: return try take(length()).count
        case .int64, .double, .date: return try take(8).count
        case .boolean: return try take(1).count
        case .int64List, .doubleList, .dateList: return try take(8 * length()).count
        case .booleanList: return try take(length()).count
        case .stringList, .bytesList:
            let count = try length()
            // Every element takes at least four bytes.
            guard count <= rest.count / 4 else { throw Malformed() }
            var size = 4 * count
            for _ in 0..<count { size += try take(length()).count }
            return size
        default: return try value(code).size
        }
    }

    mutating func name() throws -> String { String(decoding: try take(Int(byte())), as: UTF8.self) }

    private mutating func value(_ code: UInt8) throws -> FieldValue {
        if code >= FieldWriter.namedReferences { return try namedReferences(code - FieldWriter.namedReferences) }
        guard let type = FieldType(rawValue: code) else { throw Malformed() }
        switch type {
        case .string: return .string(try string())
        case .int64: return .int64(try int64())
        case .double: return .double(try double())
        case .boolean: return .boolean(try boolean())
        case .bytes: return .bytes(try bytes())
        case .date: return .date(try date())
        case .location: return .location(try location())
        case .reference: return .reference(try user())
        case .asset: return .asset(try asset())
        case .stringList: return .stringList(try list { try $0.string() })
        case .int64List: return .int64List(try list { try $0.int64() })
        case .doubleList: return .doubleList(try list { try $0.double() })
        case .booleanList: return .booleanList(try list { try $0.boolean() })
        case .bytesList: return .bytesList(try list { try $0.bytes() })
        case .dateList: return .dateList(try list { try $0.date() })
        case .locationList: return .locationList(try list { try $0.location() })
        case .referenceList: return .referenceList(try list { try $0.user() })
        case .assetList: return .assetList(try list { try $0.asset() })
        }
    }

    /// A reference, or a list of references, whose targets are written as names.
    private mutating func namedReferences(_ type: UInt8) throws -> FieldValue {
        let value: FieldValue =
            switch FieldType(rawValue: type) {
            case .reference: .reference(try reference())
            case .referenceList: .referenceList(try list { try $0.reference() })
            default: throw Malformed()
            }
        guard value.hasNamedReferences else { throw Malformed() }
        return value
    }

    private mutating func list<Element>(_ one: (inout FieldReader) throws -> Element) throws -> [Element] {
        let count = try length()
        // Every element takes at least one byte, so a false count is detected before memory is allocated.
        guard count <= rest.count else { throw Malformed() }
        return try (0..<count).map { _ in try one(&self) }
    }

    private mutating func string() throws -> String { String(decoding: try take(length()), as: UTF8.self) }
    private mutating func bytes() throws -> [UInt8] { Array(try take(length())) }
    private mutating func int64() throws -> Int64 { Int64(bitPattern: try fixed()) }
    private mutating func double() throws -> Double { Double(bitPattern: try fixed()) }
    private mutating func boolean() throws -> Bool { try byte() != 0 }
    mutating func tie() throws -> UInt64 { try fixed() }
    mutating func date() throws -> Timestamp { Timestamp(microseconds: try int64()) }
    private mutating func location() throws -> Location {
        try Location(latitude: double(), longitude: double())
    }

    private mutating func asset() throws -> Asset {
        guard let id = try RandomID(bytes: take(RandomID.length)), let size = try Int(exactly: fixed()) else {
            throw Malformed()
        }
        return Asset(id: id, zone: zone, size: size, sha256: Array(try take(Asset.hashLength)))
    }

    private mutating func reference() throws -> Reference {
        guard let action = ReferenceAction(rawValue: Int32(try byte())) else { throw Malformed() }
        let name = try name()
        let target = RecordID(valid: name)
        return Reference(valid: target.user == nil ? RecordID(valid: name, zone: zone) : target, action: action)
    }

    mutating func user() throws -> UserRecordID {
        guard let id = try RandomID(bytes: take(RandomID.length)) else { throw Malformed() }
        return UserRecordID(id)
    }

    mutating func byte() throws -> UInt8 { try take(1)[0] }

    private mutating func length() throws -> Int {
        Int(UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self)))
    }

    private mutating func fixed() throws -> UInt64 {
        UInt64(littleEndian: try take(8).loadUnaligned(as: UInt64.self))
    }

    /// The next bytes, with indices from 0.
    private mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
        guard count <= rest.count, let start = rest.baseAddress else { throw Malformed() }
        ReadingSteps.take(count + 1)
        rest = UnsafeRawBufferPointer(start: start + count, count: rest.count - count)
        return UnsafeRawBufferPointer(start: start, count: count)
    }
}
