/// The type of a field. A list holds values of one type: its raw value is that of the type, plus 16.
public enum FieldType: UInt8, Sendable, CaseIterable {
    case string = 1
    case int64 = 2
    case double = 3
    case boolean = 4
    case bytes = 5
    case date = 6
    case location = 7
    case reference = 8
    case stringList = 17
    case int64List = 18
    case doubleList = 19
    case booleanList = 20
    case bytesList = 21
    case dateList = 22
    case locationList = 23
    case referenceList = 24
}
