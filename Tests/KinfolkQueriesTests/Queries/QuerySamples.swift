import Kinfolk
import KinfolkModel
import TestSupport

/// Values for records and queries: few enough that they meet, and with the edges of each type.
struct QuerySamples {
    static let types: [FieldType] = FieldType.allCases.filter { $0 != .locationList && $0.element != .asset }

    let users: [UserRecordID]

    private static let strings = [
        "", "a", "A", "ab", "Ab", "abc", "zebra", "Straße", "STRASSE", "e\u{301}t\u{e9}", "\u{c9}T\u{c9}", "ΣΊΣΥΦΟΣ",
        "σίσυφος", "привет мир",
        "שלום עולם", "مرحبا بالعالم", "नमस्ते दुनिया", "สวัสดีชาวโลก", "日本語の本", "한국어 책", "გამარჯობა", "Բարեւ", "ሰላም ልዑል",
        "\u{0}", "j\u{30c}", "J\u{30c}",
        "after session", "Session notes after lunch", "don't", "3.14 and 2,71",
    ]
    private static let int64s: [Int64] = [.min, -5, -1, 0, 1, 2, 3, 1 << 53, 1 << 53 + 1, .max]
    private static let doubles: [Double] = [
        -.infinity, -2.5, -1, -0.0, 0, .leastNonzeroMagnitude, 1, 1.5, 2, 9_007_199_254_740_992, 9.3e18, .infinity,
        .nan,
    ]
    private static let dates: [Int64] = [.min, -1, 0, 1, 1_700_000_000_000_000, .max]
    private static let bytes: [[UInt8]] = [[], [0], [0, 0], [1, 2, 3]]
    static let latitudes: [Double] = [-90, -89.99, -45, 0, 52.5, 52.51, 89.999, 90]
    static let longitudes: [Double] = [-180, -179.99, -90, -0.0, 0, 13.4, 13.41, 179.99, 180]

    func value(of type: FieldType, _ random: inout SeededGenerator) throws -> FieldValue {
        switch type {
        case .string: .string(pick(QuerySamples.strings, &random))
        case .int64: .int64(pick(QuerySamples.int64s, &random))
        case .double: .double(pick(QuerySamples.doubles, &random))
        case .boolean: .boolean(.random(using: &random))
        case .bytes: .bytes(pick(QuerySamples.bytes, &random))
        case .date: .date(Timestamp(microseconds: pick(QuerySamples.dates, &random)))
        case .location: .location(try location(&random))
        case .reference: .reference(try reference(&random))
        case .stringList: .stringList(list(&random) { pick(QuerySamples.strings, &$0) })
        case .int64List: .int64List(list(&random) { pick(QuerySamples.int64s, &$0) })
        case .doubleList: .doubleList(list(&random) { pick(QuerySamples.doubles, &$0) })
        case .booleanList: .booleanList(list(&random) { .random(using: &$0) })
        case .bytesList: .bytesList(list(&random) { pick(QuerySamples.bytes, &$0) })
        case .dateList: .dateList(list(&random) { Timestamp(microseconds: pick(QuerySamples.dates, &$0)) })
        case .locationList: .locationList([])
        case .referenceList: .referenceList(try list(&random) { try reference(&$0) })
        // Nothing is compared with assets.
        case .asset, .assetList: .assetList([])
        }
    }

    func location(_ random: inout SeededGenerator) throws -> Location {
        try Location(latitude: pick(QuerySamples.latitudes, &random), longitude: pick(QuerySamples.longitudes, &random))
    }

    private func reference(_ random: inout SeededGenerator) throws -> Reference {
        if Bool.random(using: &random), let user = users.randomElement(using: &random) { return Reference(user) }
        return try Reference(RecordID("target \(Int.random(in: 0...2, using: &random))"))
    }

    private func list<Element>(
        _ random: inout SeededGenerator,
        _ one: (inout SeededGenerator) throws -> Element
    ) rethrows -> [Element] {
        let count = Int.random(in: 0...3, using: &random)
        var list: [Element] = []
        for _ in 0..<count { list.append(try one(&random)) }
        return list
    }
}

func pick<Element>(_ values: [Element], _ random: inout SeededGenerator) -> Element {
    values[Int.random(in: 0..<values.count, using: &random)]
}
