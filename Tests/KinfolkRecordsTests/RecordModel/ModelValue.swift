import Kinfolk
import KinfolkModel
import ServiceSupport

/// A value of a field. There are few of each type, so that records share values.
struct ModelValue: Hashable, CustomStringConvertible {
    let type: FieldType
    let number: Int
    /// The assets of a value, which must be uploaded before. In a step, `number` says which of the assets in hand they are.
    let assets: [Asset]

    /// How many small values of a type there are. The next number is a value so large that two of them do not fit in a record, or a
    /// reference to another zone.
    static func count(of type: FieldType) -> Int {
        switch type {
        case .reference, .referenceList: users + targets * ReferenceAction.allCases.count
        default: 12
        }
    }

    /// The first references name so many users; the others each of so many records, with each action.
    private static let users = 3
    private static let targets = 6

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

    /// The value for a record of a zone.
    func value(in zone: String) -> FieldValue {
        switch type {
        case .string: .string(text(number))
        case .int64: .int64(integer(number))
        case .double: .double(double(number))
        case .boolean: .boolean(boolean(number))
        case .bytes: .bytes(bytes(number))
        case .date: .date(date(number))
        case .location: location(number).map(FieldValue.location) ?? .boolean(false)
        case .reference: reference(number, in: zone).map(FieldValue.reference) ?? .boolean(false)
        case .stringList: .stringList(list.map(text))
        case .int64List: .int64List(list.map(integer))
        case .doubleList: .doubleList(list.map(double))
        case .booleanList: .booleanList(list.map(boolean))
        case .bytesList: .bytesList(list.map(bytes))
        case .dateList: .dateList(list.map(date))
        case .locationList: .locationList(list.compactMap(location))
        case .referenceList: .referenceList(list.compactMap { reference($0, in: zone) })
        case .asset: assets.first.map(FieldValue.asset) ?? .boolean(false)
        case .assetList: .assetList(assets)
        }
    }

    var size: Int { value(in: RecordZone.defaultName).size }

    /// Numbers that the value, or each element of a list, shares with the values of its type that a query takes for equal.
    func equalityClasses(in zone: String) -> Set<String> {
        let isList = type.rawValue > 16
        let element = FieldType(rawValue: type.rawValue & 0xf) ?? type
        let classes = (isList ? list : [number]).compactMap { ModelValue(type: element, number: $0).equalityClass }
        // References to records with the same name in two zones are not equal.
        return Set(classes.map { element == .reference && $0 >= ModelValue.users ? "\($0) in \(zone)" : "\($0)" })
    }

    /// Nil for a value that equals nothing.
    private var equalityClass: Int? {
        switch type {
        case .string: ModelValue.texts[number].equals
        // 0.0 and -0.0 are equal, and NaN equals nothing.
        case .double: double(number).isNaN ? nil : number == 1 ? 0 : number
        case .boolean: number % 2
        // Places are found by distance, and assets are not found.
        case .location, .asset: nil
        // References to one record with different actions are equal.
        case .reference: ModelValue.target(of: number).map { ModelValue.users + $0 } ?? number
        default: number
        }
    }

    /// The numbers of the elements of a list.
    private var list: [Int] {
        guard type == .referenceList else { return Array(0..<number % 4) + [number] }
        return [number] + (0..<number % 4).map { (number + 5 * $0) % ModelValue.count(of: type) }
    }

    /// How many assets are held of each zone.
    static let assetsInHand = 4

    /// Which assets in hand the value of a step names: one, or up to three of a zone, also the same one twice.
    var hands: [Int] {
        let (all, first) = (ModelValue.assetsInHand, number % ModelValue.assetsInHand)
        let zone = number / (all * all) * all
        return (0..<(type == .asset ? 1 : number / all % all)).map { zone + first * (1 + $0) % all }
    }

    private func text(_ number: Int) -> String { ModelValue.texts[number].text }
    private func integer(_ number: Int) -> Int64 { ModelValue.integers[number] }
    private func double(_ number: Int) -> Double { ModelValue.doubles[number] }
    private func boolean(_ number: Int) -> Bool { number % 2 == 1 }
    private func bytes(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: number * number) }
    private func date(_ number: Int) -> Timestamp { Timestamp(microseconds: integer(number)) }
    private func location(_ number: Int) -> Location? {
        try? Location(latitude: Double(number), longitude: -Double(number))
    }

    // MARK: References

    /// The number of the record that a reference names; nil for a user.
    private static func target(of number: Int) -> Int? {
        number < users ? nil : (number - users) / ReferenceAction.allCases.count
    }

    private static func action(of number: Int) -> ReferenceAction {
        ReferenceAction.allCases[(number - users) % ReferenceAction.allCases.count]
    }

    private func reference(_ number: Int, in zone: String) -> Reference? {
        guard let target = ModelValue.target(of: number) else {
            return (try? UserRecordID("_" + String(repeating: "\(number)", count: 32))).map(Reference.init)
        }
        let isElsewhere = number == ModelValue.count(of: .reference)
        let other = ModelPlace.zoneName(zone == ModelPlace.zoneName(0) ? 1 : 0)
        let id = try? RecordID("name \(target)", zone: isElsewhere ? other : zone)
        return id.flatMap { try? Reference($0, action: ModelValue.action(of: number)) }
    }

    private var referenceNumbers: [Int] {
        switch type {
        case .reference: [number]
        case .referenceList: list
        default: []
        }
    }

    /// A reference to a record, or a list that begins with it.
    init(_ type: FieldType, to target: Int, _ action: ReferenceAction) {
        let actions = ReferenceAction.allCases
        self.type = type
        assets = []
        number = ModelValue.users + target * actions.count + (actions.firstIndex(of: action) ?? 0)
    }

    init(type: FieldType, number: Int, assets: [Asset] = []) {
        (self.type, self.number, self.assets) = (type, number, assets)
    }

    /// The references to records of the same zone.
    var references: [ModelReference] {
        referenceNumbers.compactMap { number in
            ModelValue.target(of: number).map {
                ModelReference(target: "name \($0)", action: ModelValue.action(of: number))
            }
        }
    }

    /// Whether it is a reference to a user record.
    var isUser: Bool { type == .reference && ModelValue.target(of: number) == nil }

    /// Whether it names a record of another zone.
    var isElsewhere: Bool { referenceNumbers.contains(ModelValue.count(of: .reference)) }

    var description: String { "\(type)#\(number)" }
}
