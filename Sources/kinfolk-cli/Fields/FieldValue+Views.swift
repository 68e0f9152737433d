import Kinfolk
import KinfolkJSON

extension FieldValue {
    /// Bytes in hexadecimal, moments in RFC 3339. Numbers that JSON cannot represent are texts.
    var json: JSON {
        switch self {
        case .string(let value): .string(value)
        case .int64(let value): .integer(value)
        case .double(let value): .double(value)
        case .boolean(let value): .boolean(value)
        case .bytes(let value): .string(Hexadecimal.text(value))
        case .date(let value): .text(value)
        case .location(let value): value.json
        case .reference(let value): value.json
        case .stringList(let values): .array(values.map(JSON.string))
        case .int64List(let values): .array(values.map(JSON.integer))
        case .doubleList(let values): .array(values.map(JSON.double))
        case .booleanList(let values): .array(values.map(JSON.boolean))
        case .bytesList(let values): .array(values.map { .string(Hexadecimal.text($0)) })
        case .dateList(let values): .array(values.map(JSON.text))
        case .locationList(let values): .array(values.map(\.json))
        case .referenceList(let values): .array(values.map(\.json))
        case .asset(let value): value.json
        case .assetList(let values): .array(values.map(\.json))
        }
    }

    /// In the form that "record set" reads.
    var shown: String {
        switch self {
        case .string(let value): value
        case .int64(let value): value.description
        case .double(let value): value.description
        case .boolean(let value): value.description
        case .bytes(let value): Hexadecimal.text(value)
        case .date(let value): value.description
        case .location(let value): value.shown
        case .reference(let value): value.text
        case .stringList(let values): values.map(\.withKeptCommas).joined(separator: ",")
        case .int64List(let values): values.map(\.description).joined(separator: ",")
        case .doubleList(let values): values.map(\.description).joined(separator: ",")
        case .booleanList(let values): values.map(\.description).joined(separator: ",")
        case .bytesList(let values): values.map { Hexadecimal.text($0) }.joined(separator: ",")
        case .dateList(let values): values.map(\.description).joined(separator: ",")
        case .locationList(let values): values.map(\.shown).joined(separator: ";")
        case .referenceList(let values): values.map(\.text.withKeptCommas).joined(separator: ",")
        case .asset(let value): value.shown
        case .assetList(let values): values.map(\.shown).joined(separator: ", ")
        }
    }
}

extension Asset {
    fileprivate var json: JSON { ["size": .count(size), "sha256": .string(Hexadecimal.text(sha256))] }
    fileprivate var shown: String { size.counted("byte", "bytes") }
}

extension Location {
    fileprivate var json: JSON { ["latitude": .double(latitude), "longitude": .double(longitude)] }
    fileprivate var shown: String { "\(latitude),\(longitude)" }
}

extension String {
    fileprivate var withKeptCommas: String {
        String(flatMap { $0 == "," || $0 == "\\" ? ["\\", $0] : [$0] })
    }
}
