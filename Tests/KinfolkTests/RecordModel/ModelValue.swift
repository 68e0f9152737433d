import Kinfolk

/// A value of a field. There are few of each type, so that records share values.
struct ModelValue: Hashable, CustomStringConvertible {
    let type: FieldType
    let number: Int

    /// The numbers below this are small values. The next one is so large that two of them do not fit in a record.
    static let count = 12

    /// Texts, each with a number that it shares with the texts that a query takes for equal.
    private static let texts: [(text: String, equals: Int)] = [
        ("", 0), ("Ada", 1), ("ADA", 1), ("ada", 1), ("\u{e9}", 4), ("e\u{301}", 4), ("\u{c9}", 4), ("Stra\u{df}e", 7),
        ("STRASSE", 7), ("\u{65e5}\u{672c}", 9), ("\u{0}", 10), (String(repeating: "x", count: 300), 11),
        (String(repeating: "y", count: 600_000), 12),
    ]
    private static let integers: [Int64] = [0, 1, -1, .min, .max, 42, 7, 8, 9, 10, 11, 12, 13]
    private static let doubles: [Double] = [
        0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan, .signalingNaN, .leastNonzeroMagnitude, .pi, 1e300, 2, 3,
    ]

    var value: FieldValue {
        switch type {
        case .string: .string(text(number))
        case .int64: .int64(integer(number))
        case .double: .double(double(number))
        case .boolean: .boolean(boolean(number))
        case .bytes: .bytes(bytes(number))
        case .date: .date(date(number))
        case .location: location(number).map(FieldValue.location) ?? .boolean(false)
        case .reference: reference(number).map(FieldValue.reference) ?? .boolean(false)
        case .stringList: .stringList(list.map(text))
        case .int64List: .int64List(list.map(integer))
        case .doubleList: .doubleList(list.map(double))
        case .booleanList: .booleanList(list.map(boolean))
        case .bytesList: .bytesList(list.map(bytes))
        case .dateList: .dateList(list.map(date))
        case .locationList: .locationList(list.compactMap(location))
        case .referenceList: .referenceList(list.compactMap(reference))
        }
    }

    /// Numbers that the value, or each element of a list, shares with the values of its type that a query takes for equal.
    var equalityClasses: Set<Int> {
        guard let element = FieldType(rawValue: type.rawValue & 0xf), element != type else {
            return Set([equalityClass].compactMap(\.self))
        }
        return Set(list.compactMap { ModelValue(type: element, number: $0).equalityClass })
    }

    /// Nil for a value that equals nothing.
    private var equalityClass: Int? {
        switch type {
        case .string: ModelValue.texts[number].equals
        // 0.0 and -0.0 are equal, and NaN equals nothing.
        case .double: double(number).isNaN ? nil : number == 1 ? 0 : number
        case .boolean: number % 2
        // Places are found by distance.
        case .location: nil
        default: number
        }
    }

    /// The numbers of the elements of a list.
    private var list: [Int] { Array(0..<number % 4) + [number] }

    private func text(_ number: Int) -> String { ModelValue.texts[number].text }
    private func integer(_ number: Int) -> Int64 { ModelValue.integers[number] }
    private func double(_ number: Int) -> Double { ModelValue.doubles[number] }
    private func boolean(_ number: Int) -> Bool { number % 2 == 1 }
    private func bytes(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: number * number) }
    private func date(_ number: Int) -> Timestamp { Timestamp(microseconds: integer(number)) }
    private func location(_ number: Int) -> Location? {
        try? Location(latitude: Double(number), longitude: -Double(number))
    }
    private func reference(_ number: Int) -> UserRecordID? {
        try? UserRecordID("_" + String(repeating: String(number, radix: 16), count: 32))
    }

    var description: String { "\(type)#\(number)" }
}
