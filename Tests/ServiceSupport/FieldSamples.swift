import Kinfolk
import KinfolkCrypto
package import KinfolkModel
package import KinfolkRecords

/// Generated values of fields, including edge cases.
package enum FieldSamples {
    package static func value(of type: FieldType) throws -> FieldValue {
        switch type {
        case .string: .string(string())
        case .int64: .int64(int64())
        case .double: .double(double())
        case .boolean: .boolean(.random())
        case .bytes: .bytes(bytes())
        case .date: .date(Timestamp(microseconds: int64()))
        case .location: .location(try location())
        case .reference: .reference(try reference())
        case .stringList: .stringList(list(string))
        case .int64List: .int64List(list(int64))
        case .doubleList: .doubleList(list(double))
        case .booleanList: .booleanList(list { .random() })
        case .bytesList: .bytesList(list(bytes))
        case .dateList: .dateList(list { Timestamp(microseconds: int64()) })
        case .locationList: .locationList(try list(location))
        case .referenceList: .referenceList(try list(reference))
        case .asset: .asset(asset())
        case .assetList: .assetList(list(asset))
        }
    }

    /// A value that a record of a database can have. Assets are uploaded.
    package static func stored(of type: FieldType, in database: Database) throws -> FieldValue {
        switch type {
        case .asset: .asset(try database.upload(bytes()))
        case .assetList: .assetList(try list { try database.upload(bytes()) })
        default: try value(of: type)
        }
    }

    package static func fields(_ count: Int) throws -> Fields {
        var fields = Fields()
        for number in 0..<count {
            guard let type = FieldType.allCases.randomElement() else { continue }
            fields["field\(number)"] = try value(of: type)
        }
        return fields
    }

    private static func list<Element>(_ one: () throws -> Element) rethrows -> [Element] {
        try (0..<Int.random(in: 0...6)).map { _ in try one() }
    }

    private static func string() -> String {
        ["", "Ada", "\u{0}", "e\u{301}", "\u{e9}", "日本語", "👩‍👩‍👧", "\u{10ffff}", String(repeating: "x", count: 300)]
            .randomElement() ?? ""
    }

    private static func int64() -> Int64 {
        [0, 1, -1, .min, .max, .random(in: .min ... .max)].randomElement() ?? 0
    }

    private static func double() -> Double {
        [
            0, -0.0, 1.5, .infinity, -.infinity, .nan, .signalingNaN, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
            Double(bitPattern: .random(in: 0 ... .max)), Double(bitPattern: 0x7ff8_0000_dead_beef),
        ].randomElement() ?? 0
    }

    private static func bytes() -> [UInt8] { SecureRandom.bytes(Int.random(in: 0...40)) }

    /// An asset that is in no store.
    private static func asset() -> Asset {
        Asset(
            id: .make(),
            zone: RecordID.defaultZone,
            size: [0, 1, .max, .random(in: 0 ... .max)].randomElement() ?? 0,
            sha256: SecureRandom.bytes(Asset.hashLength)
        )
    }

    private static func location() throws -> Location {
        try Location(
            latitude: [-90, 90, 0, -0.0, .random(in: -90...90)].randomElement() ?? 0,
            longitude: [-180, 180, 0, -0.0, .random(in: -180...180)].randomElement() ?? 0
        )
    }

    private static func reference() throws -> Reference {
        guard Bool.random() else { return Reference(UserRecordID(.make())) }
        let name = String(repeating: ["a", ":", " ", "~"].randomElement() ?? "a", count: .random(in: 1...255))
        return try Reference(RecordID(name))
    }
}
