/// The value of a field. Type, bits and order are stored unchanged.
///
/// ```swift
/// try record.set("score", to: .int64(12))
/// try record.set("tags", to: .stringList(["a", "b"]))
/// if case .int64(let score)? = record["score"] { print(score) }
/// ```
public enum FieldValue: Sendable {
    /// UTF-8 text.
    case string(String)
    /// A whole number of 64 bits, with sign.
    case int64(Int64)
    /// A number of IEEE 754 binary64 with any bits, including those of NaN.
    case double(Double)
    /// True or false.
    case boolean(Bool)
    /// Bytes.
    case bytes([UInt8])
    /// Microseconds since 1970-01-01 00:00 UTC.
    case date(Timestamp)
    /// Latitude and longitude in degrees, WGS 84.
    case location(Location)
    /// Another record of the same database and zone, or a user record of the same container.
    case reference(Reference)
    /// A file.
    case asset(Asset)
    /// A list of texts, in their order.
    case stringList([String])
    /// A list of whole numbers, in their order.
    case int64List([Int64])
    /// A list of numbers, in their order.
    case doubleList([Double])
    /// A list of booleans, in their order.
    case booleanList([Bool])
    /// A list of byte strings, in their order.
    case bytesList([[UInt8]])
    /// A list of dates, in their order.
    case dateList([Timestamp])
    /// A list of locations, in their order.
    case locationList([Location])
    /// A list of references, in their order.
    case referenceList([Reference])
    /// A list of files, in their order.
    case assetList([Asset])

    /// The type of the value. A field has the same type in the whole container.
    public var type: FieldType {
        switch self {
        case .string: .string
        case .int64: .int64
        case .double: .double
        case .boolean: .boolean
        case .bytes: .bytes
        case .date: .date
        case .location: .location
        case .reference: .reference
        case .asset: .asset
        case .stringList: .stringList
        case .int64List: .int64List
        case .doubleList: .doubleList
        case .booleanList: .booleanList
        case .bytesList: .bytesList
        case .dateList: .dateList
        case .locationList: .locationList
        case .referenceList: .referenceList
        case .assetList: .assetList
        }
    }

    /// 1, or the length of the list.
    public var count: Int {
        switch self {
        case .string, .int64, .double, .boolean, .bytes, .date, .location, .reference, .asset: 1
        case .stringList(let values): values.count
        case .int64List(let values): values.count
        case .doubleList(let values): values.count
        case .booleanList(let values): values.count
        case .bytesList(let values): values.count
        case .dateList(let values): values.count
        case .locationList(let values): values.count
        case .referenceList(let values): values.count
        case .assetList(let values): values.count
        }
    }
}

extension FieldValue {
    /// How many bytes of a record the value takes: its content, and four more for each text or byte string in a list. The name of a
    /// reference's target counts like a text in a list; a user record counts 16 bytes, and an asset 56.
    package var size: Int {
        switch self {
        case .string(let value): value.utf8.count
        case .bytes(let value): value.count
        case .boolean: 1
        case .int64, .double, .date: 8
        case .location: 16
        case .reference(let value): value.size
        case .asset: Asset.length
        case .stringList(let values): values.reduce(0) { $0 + $1.utf8.count + 4 }
        case .bytesList(let values): values.reduce(0) { $0 + $1.count + 4 }
        case .booleanList: count
        case .int64List, .doubleList, .dateList: 8 * count
        case .locationList: 16 * count
        case .referenceList(let values): values.reduce(0) { $0 + $1.size }
        case .assetList: Asset.length * count
        }
    }
}

/// Values are equal when their types and bits are: a NaN equals itself, and 0 does not equal -0.
extension FieldValue: Hashable {
    public static func == (left: FieldValue, right: FieldValue) -> Bool { left.encoded == right.encoded }
    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

    private var encoded: [UInt8] {
        var writer = FieldWriter()
        writer.append(self)
        for reference in references { writer.append(name: reference.target.zone) }
        return writer.bytes
    }
}

extension FieldValue {
    /// A reference to a user record.
    public static func reference(_ user: UserRecordID) -> FieldValue { .reference(Reference(user)) }

    /// A list of references to user records, in their order.
    public static func referenceList(_ users: some Sequence<UserRecordID>) -> FieldValue {
        .referenceList(users.map(Reference.init(_:)))
    }

    /// The references in the value: one, the elements of a list, or none.
    package var references: [Reference] {
        switch self {
        case .reference(let value): [value]
        case .referenceList(let values): values
        default: []
        }
    }

    /// The assets in the value: one, the elements of a list, or none.
    package var assets: [Asset] {
        switch self {
        case .asset(let value): [value]
        case .assetList(let values): values
        default: []
        }
    }

    /// Whether it refers to a record that is not a user record.
    var hasNamedReferences: Bool { references.contains { $0.user == nil } }

    /// The same value with this zone in all references that have none yet.
    package func placed(in zone: String) -> FieldValue {
        switch self {
        case .reference(let value): .reference(value.placed(in: zone))
        case .referenceList(let values): .referenceList(values.map { $0.placed(in: zone) })
        default: self
        }
    }
}

extension FieldValue: Redacted {
    /// The type, and the number of values.
    public var description: String { "FieldValue(\(type), \(count))" }
}
