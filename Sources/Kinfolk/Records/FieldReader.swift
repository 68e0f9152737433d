/// Reads fields that ``FieldWriter`` wrote.
struct FieldReader {
    private struct Malformed: Error {}

    private var rest: ArraySlice<UInt8>

    /// The fields in `bytes`.
    static func fields(_ bytes: [UInt8]) throws -> [String: FieldValue] {
        var reader = FieldReader(rest: bytes[...])
        var fields: [String: FieldValue] = [:]
        do {
            while !reader.rest.isEmpty {
                let name = String(decoding: try reader.take(Int(reader.take(1)[0])), as: UTF8.self)
                fields[name] = try reader.value()
            }
        } catch {
            throw KinfolkError(.storeCorrupt, "The fields of a record cannot be read.")
        }
        return fields
    }

    private mutating func value() throws -> FieldValue {
        guard let type = FieldType(rawValue: try take(1)[0]) else { throw Malformed() }
        switch type {
        case .string: return .string(try string())
        case .int64: return .int64(try int64())
        case .double: return .double(try double())
        case .boolean: return .boolean(try boolean())
        case .bytes: return .bytes(try bytes())
        case .date: return .date(try date())
        case .location: return .location(try location())
        case .reference: return .reference(try reference())
        case .stringList: return .stringList(try list { try $0.string() })
        case .int64List: return .int64List(try list { try $0.int64() })
        case .doubleList: return .doubleList(try list { try $0.double() })
        case .booleanList: return .booleanList(try list { try $0.boolean() })
        case .bytesList: return .bytesList(try list { try $0.bytes() })
        case .dateList: return .dateList(try list { try $0.date() })
        case .locationList: return .locationList(try list { try $0.location() })
        case .referenceList: return .referenceList(try list { try $0.reference() })
        }
    }

    private mutating func list<Element>(_ one: (inout FieldReader) throws -> Element) throws -> [Element] {
        let count = try length()
        // Every element takes a byte at least, so a count that lies is found before memory is asked for.
        guard count <= rest.count else { throw Malformed() }
        return try (0..<count).map { _ in try one(&self) }
    }

    private mutating func string() throws -> String { String(decoding: try take(length()), as: UTF8.self) }
    private mutating func bytes() throws -> [UInt8] { Array(try take(length())) }
    private mutating func int64() throws -> Int64 { Int64(bitPattern: try fixed()) }
    private mutating func double() throws -> Double { Double(bitPattern: try fixed()) }
    private mutating func boolean() throws -> Bool { try take(1)[0] != 0 }
    private mutating func date() throws -> Timestamp { Timestamp(microseconds: try int64()) }
    private mutating func location() throws -> Location {
        try Location(latitude: double(), longitude: double())
    }

    private mutating func reference() throws -> UserRecordID {
        guard let id = Array(try take(RandomID.length)).withUnsafeBytes(RandomID.init(bytes:)) else {
            throw Malformed()
        }
        return UserRecordID(id)
    }

    private mutating func length() throws -> Int {
        Int(try take(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    private mutating func fixed() throws -> UInt64 {
        try take(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }

    /// The next bytes, counted from 0.
    private mutating func take(_ count: Int) throws -> [UInt8] {
        guard count <= rest.count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
