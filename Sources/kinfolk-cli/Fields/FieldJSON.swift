import Kinfolk
import KinfolkJSON

/// Reads a field's value from JSON.
struct FieldJSON {
    private let field: String

    init(_ field: String) { self.field = field }

    /// The value in the form that `--json` prints: `{"type": "int64", "value": 5}`. A string, a number or a boolean can stand alone.
    func value(_ json: JSON) throws(KinfolkError) -> FieldValue {
        switch json {
        case .string(let value): return .string(value)
        case .integer(let value): return .int64(value)
        case .double(let value): return .double(value)
        case .boolean(let value): return .boolean(value)
        case .object(let members):
            guard members.count == 2, case .string(let name)? = members.first(where: { $0.0 == "type" })?.1,
                let value = members.first(where: { $0.0 == "value" })?.1
            else { throw malformed("an object with a type and a value") }
            guard let type = FieldType(name: name) else {
                throw KinfolkError(.invalidArgument, "The field \(field) has a type that does not exist.")
            }
            return try self.value(value, of: type)
        case .null, .array: throw malformed("an object with a type and a value")
        }
    }

    private func value(_ json: JSON, of type: FieldType) throws(KinfolkError) -> FieldValue {
        switch type {
        case .string: .string(try string(json))
        case .int64: .int64(try int64(json))
        case .double: .double(try double(json))
        case .boolean: .boolean(try boolean(json))
        case .bytes: .bytes(try bytes(json))
        case .date: .date(try date(json))
        case .location: .location(try location(json))
        case .reference: .reference(try reference(json))
        case .stringList: .stringList(try list(json, string))
        case .int64List: .int64List(try list(json, int64))
        case .doubleList: .doubleList(try list(json, double))
        case .booleanList: .booleanList(try list(json, boolean))
        case .bytesList: .bytesList(try list(json, bytes))
        case .dateList: .dateList(try list(json, date))
        case .locationList: .locationList(try list(json, location))
        case .referenceList: .referenceList(try list(json, reference))
        case .asset, .assetList:
            throw KinfolkError(
                .invalidArgument,
                "The field \(field) cannot be set to a file here: leave it out, and store the file with \"kinfolk asset save\"."
            )
        }
    }

    private func list<Element>(
        _ json: JSON,
        _ element: (JSON) throws(KinfolkError) -> Element
    ) throws(KinfolkError) -> [Element] {
        guard case .array(let values) = json else { throw malformed("an array") }
        var list: [Element] = []
        list.reserveCapacity(values.count)
        for value in values { list.append(try element(value)) }
        return list
    }

    private func string(_ json: JSON) throws(KinfolkError) -> String {
        guard case .string(let text) = json else { throw malformed("a text") }
        return text
    }

    private func int64(_ json: JSON) throws(KinfolkError) -> Int64 {
        guard case .integer(let number) = json else { throw malformed("a whole number of 64 bits") }
        return number
    }

    private func double(_ json: JSON) throws(KinfolkError) -> Double {
        switch json {
        case .double(let number): return number
        case .integer(let number): return Double(number)
        case .string(let text): if let number = Double(text), !number.isFinite { return number }
        default: break
        }
        throw malformed("a number, or the text nan, inf or -inf")
    }

    private func boolean(_ json: JSON) throws(KinfolkError) -> Bool {
        guard case .boolean(let value) = json else { throw malformed("true or false") }
        return value
    }

    private func bytes(_ json: JSON) throws(KinfolkError) -> [UInt8] {
        guard case .string(let text) = json, let bytes = Hexadecimal.bytes(text.lowercased().utf8) else {
            throw malformed("a text of hexadecimal digits in pairs")
        }
        return bytes
    }

    private func date(_ json: JSON) throws(KinfolkError) -> Timestamp {
        guard case .string(let text) = json, let moment = RFC3339(text) else {
            throw malformed("a date like \"2026-01-31T12:00:00Z\"")
        }
        return moment.timestamp
    }

    private func location(_ json: JSON) throws(KinfolkError) -> Location {
        guard case .object(let members) = json, members.count == 2,
            let latitude = members.first(where: { $0.0 == "latitude" })?.1,
            let longitude = members.first(where: { $0.0 == "longitude" })?.1
        else { throw malformed("an object with a latitude and a longitude") }
        return try Location(latitude: double(latitude), longitude: double(longitude))
    }

    /// A record name as a text, or an object with a name, and perhaps a zone and an action.
    private func reference(_ json: JSON) throws(KinfolkError) -> Reference {
        switch json {
        case .string(let name): return try Reference(named: name, zone: nil, action: .none)
        case .object(let members):
            var (name, zone, action): (String?, String?, ReferenceAction?) = (nil, nil, ReferenceAction.none)
            for (member, value) in members {
                let text = try string(value)
                switch member {
                case "name": name = text
                case "zone": zone = text
                case "action": action = ReferenceAction.allCases.first { "\($0)" == text }
                default: throw malformed("an object with a name, a zone and an action")
                }
            }
            guard let name, let action else { throw malformed("an object with a name, a zone and an action") }
            return try Reference(named: name, zone: zone, action: action)
        default: throw malformed("a record name, or an object with a name, a zone and an action")
        }
    }

    private func malformed(_ expected: String) -> KinfolkError {
        KinfolkError(.invalidArgument, "The value of the field \(field) is not \(expected).")
    }
}
