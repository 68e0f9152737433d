/// A value of the key-value store: one of the types of property lists. Types and bits are stored unchanged.
///
/// ```swift
/// try store.set("dark", forKey: "theme")
/// try store.set(["size": 12, "fonts": ["Serif", "Sans"]], forKey: "editor")
/// let size = try store.value(forKey: "editor")?.dictionary?["size"]?.int64
/// ```
public enum PropertyListValue: Sendable {
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
    /// Values of any of these types, in their order.
    case array([PropertyListValue])
    /// Values of any of these types, under texts. Texts that differ only in their normalization form are the same here.
    case dictionary([String: PropertyListValue])

    /// How many arrays and dictionaries can be inside each other in the store. A program makes no values that are very much deeper: comparing and
    /// releasing them takes space on the stack.
    public static let maximumDepth = 32

    /// The text; nil for a value of another type.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The whole number; nil for a value of another type.
    public var int64: Int64? { if case .int64(let value) = self { value } else { nil } }
    /// The number, also of a whole number; nil for a value of another type.
    public var double: Double? {
        switch self {
        case .double(let value): value
        case .int64(let value): Double(value)
        default: nil
        }
    }
    /// True or false; nil for a value of another type.
    public var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
    /// The bytes; nil for a value of another type.
    public var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }
    /// The time; nil for a value of another type.
    public var date: Timestamp? { if case .date(let value) = self { value } else { nil } }
    /// The elements; nil for a value of another type.
    public var array: [PropertyListValue]? { if case .array(let value) = self { value } else { nil } }
    /// The values under their texts; nil for a value of another type.
    public var dictionary: [String: PropertyListValue]? { if case .dictionary(let value) = self { value } else { nil } }
}

/// Values are equal when their types and bits are: a NaN equals itself, and 0 does not equal -0.
extension PropertyListValue: Hashable {
    public static func == (left: PropertyListValue, right: PropertyListValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.int64(let left), .int64(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.boolean(let left), .boolean(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)):
            left == right && sortedKeys(left).elementsEqual(sortedKeys(right)) { $0.utf8.elementsEqual($1.utf8) }
        default: false
        }
    }

    private static func sortedKeys(_ values: [String: PropertyListValue]) -> [String] {
        values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let value): value.utf8.forEach { hasher.combine($0) }
        case .int64(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.bitPattern)
        case .boolean(let value): hasher.combine(value)
        case .bytes(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        }
    }
}

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int64(value) }
    /// A number.
    public init(floatLiteral value: Double) { self = .double(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Values in their order.
    public init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
    /// Values under texts. Of several under one text, the last counts.
    public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}

extension PropertyListValue: Redacted {
    /// The type.
    public var description: String {
        let type =
            switch self {
            case .string: "string"
            case .int64: "int64"
            case .double: "double"
            case .boolean: "boolean"
            case .bytes: "bytes"
            case .date: "date"
            case .array: "array"
            case .dictionary: "dictionary"
            }
        return "PropertyListValue(\(type))"
    }
}
