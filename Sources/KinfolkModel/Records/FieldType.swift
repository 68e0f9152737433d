/// The type of a field. A list holds values of one type: its raw value is that of the type, plus 16.
public enum FieldType: UInt8, Sendable, CaseIterable {
    /// UTF-8 text.
    case string = 1
    /// A whole number of 64 bits, with sign.
    case int64 = 2
    /// A number of IEEE 754 binary64 with any bits, including those of NaN.
    case double = 3
    /// True or false.
    case boolean = 4
    /// Bytes.
    case bytes = 5
    /// Microseconds since 1970-01-01 00:00 UTC.
    case date = 6
    /// Latitude and longitude in degrees, WGS 84.
    case location = 7
    /// Another record of the same database and zone, or a user record of the same container.
    case reference = 8
    /// A file.
    case asset = 9
    /// A list of texts.
    case stringList = 17
    /// A list of whole numbers.
    case int64List = 18
    /// A list of numbers.
    case doubleList = 19
    /// A list of booleans.
    case booleanList = 20
    /// A list of byte strings.
    case bytesList = 21
    /// A list of dates.
    case dateList = 22
    /// A list of locations.
    case locationList = 23
    /// A list of references.
    case referenceList = 24
    /// A list of files.
    case assetList = 25
}

extension FieldType {
    /// Added to the type of a list's values.
    private static let list: UInt8 = 16

    package var isList: Bool { rawValue > FieldType.list }

    /// The type of the values of a list; the type itself if it is no list.
    package var element: FieldType { isList ? FieldType(rawValue: rawValue - FieldType.list) ?? self : self }

    /// The type of lists of such values; nil for a list.
    package var list: FieldType? { isList ? nil : FieldType(rawValue: rawValue + FieldType.list) }
}
