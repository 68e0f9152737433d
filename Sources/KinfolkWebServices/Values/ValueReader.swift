import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// Reads the values of fields from a request.
struct ValueReader {
    let zones: ZoneReader
    /// The zone of the record, in which its references and files are if they name none. Nil in a query of all zones.
    let zone: String?
    /// Dates are sent as milliseconds. If the stored date is the same in milliseconds, it keeps its microseconds.
    var stored: FieldValue?

    /// The value in a field dictionary: `{"value": 5, "type": "INT64"}`.
    ///
    /// - Parameter declared: The type of the field in the schema; nil if it has no such field.
    /// - Returns: Nil for no value.
    func field(_ json: JSON, declared: FieldType?) throws(WebError) -> FieldValue? {
        // Some clients send null, or an empty dictionary, to remove a value.
        if case .null = json { return nil }
        let members = try Members(json)
        let name = try members.text("type")
        guard let value = members["value"] else { return nil }
        do throws(WebError) {
            if let name { return try self.value(value, WireType.type(name, declared: declared)) }
            if let declared { return try self.value(value, declared) }
            guard let type = ValueReader.guess(value) else {
                throw WebError(
                    .badRequest,
                    "The schema has no such field, and the value does not show its type: send the type."
                )
            }
            return try self.value(value, type)
        } catch { throw error.within("value") }
    }

    /// The type of a new field whose value comes without one. Nil for an empty list.
    private static func guess(_ json: JSON) -> FieldType? {
        switch json {
        case .null: nil
        case .boolean, .integer: .int64
        case .double: .double
        case .string: .string
        case .array(let values): values.first.flatMap(guess)?.list
        case .object(let members):
            if members.contains(where: { $0.0 == "recordName" }) {
                .reference
            } else if members.contains(where: { $0.0 == "latitude" }) {
                .location
            } else if members.contains(where: { $0.0 == "fileChecksum" }) {
                .asset
            } else {
                nil
            }
        }
    }

    /// A value of a known type.
    func value(_ json: JSON, _ type: FieldType) throws(WebError) -> FieldValue {
        switch type {
        case .string: .string(try text(json))
        case .int64: .int64(try integer(json))
        case .double: .double(try double(json))
        case .boolean: .boolean(try boolean(json))
        case .bytes: .bytes(try bytes(json))
        case .date: .date(try date(json, keeping: storedDates.first))
        case .location: .location(try location(json))
        case .reference: .reference(try reference(json))
        case .asset: .asset(try asset(json))
        case .stringList: .stringList(try list(json, text))
        case .int64List: .int64List(try list(json, integer))
        case .doubleList: .doubleList(try list(json, double))
        case .booleanList: .booleanList(try list(json, boolean))
        case .bytesList: .bytesList(try list(json, bytes))
        case .dateList: .dateList(try dates(json))
        case .locationList: .locationList(try list(json, location))
        case .referenceList: .referenceList(try list(json, reference))
        case .assetList: .assetList(try list(json, asset))
        }
    }

    private func list<Element>(
        _ json: JSON,
        _ element: (JSON) throws(WebError) -> Element
    ) throws(WebError) -> [Element] {
        guard case .array(let values) = json else { throw .malformed("", "an array") }
        var list: [Element] = []
        list.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(WebError) { list.append(try element(value)) } catch { throw error.within("[\(index)]") }
        }
        return list
    }

    private func text(_ json: JSON) throws(WebError) -> String {
        guard case .string(let text) = json else { throw .malformed("", "a text") }
        return text
    }

    /// With the option `numbersAsStrings`, clients receive numbers as texts, and send them back so.
    private func integer(_ json: JSON) throws(WebError) -> Int64 {
        switch json {
        case .integer(let number): return number
        case .boolean(let value): return value ? 1 : 0
        case .string(let text): if let number = Int64(text) { return number }
        default: break
        }
        throw .malformed("", "a whole number of 64 bits")
    }

    private func double(_ json: JSON) throws(WebError) -> Double {
        switch json {
        case .double(let number): return number
        case .integer(let number): return Double(number)
        case .string(let text): if text.utf8.count < 400, let number = Double(text) { return number }
        default: break
        }
        throw .malformed("", "a number")
    }

    private func boolean(_ json: JSON) throws(WebError) -> Bool {
        switch try integer(json) {
        case 0: false
        case 1: true
        default: throw .malformed("", "0 or 1, as the field is a boolean")
        }
    }

    private func bytes(_ json: JSON) throws(WebError) -> [UInt8] {
        guard case .string(let text) = json, let bytes = Base64.bytes(text) else {
            throw .malformed("", "a text in base64")
        }
        return bytes
    }

    // MARK: Dates

    private var storedDates: [Timestamp] {
        switch stored {
        case .date(let date): [date]
        case .dateList(let dates): dates
        default: []
        }
    }

    private func dates(_ json: JSON) throws(WebError) -> [Timestamp] {
        var index = 0
        let stored = storedDates
        return try list(json) { value throws(WebError) in
            defer { index += 1 }
            return try date(value, keeping: stored.indices.contains(index) ? stored[index] : nil)
        }
    }

    private func date(_ json: JSON, keeping stored: Timestamp?) throws(WebError) -> Timestamp {
        let milliseconds = try integer(json)
        if let stored, stored.milliseconds == milliseconds { return stored }
        guard let date = Timestamp(milliseconds: milliseconds) else {
            throw .malformed("", "a number of milliseconds since 1970")
        }
        return date
    }

    // MARK: Dictionaries

    func location(_ json: JSON) throws(WebError) -> Location {
        let members = try Members(json)
        guard let latitude = try members.number("latitude") else { throw .missing("latitude") }
        guard let longitude = try members.number("longitude") else { throw .missing("longitude") }
        return try calling { () throws(KinfolkError) in try Location(latitude: latitude, longitude: longitude) }
    }

    private func reference(_ json: JSON) throws(WebError) -> Reference {
        let members = try Members(json)
        let name = try members.requiredText("recordName")
        let zone = try zones.name(in: members) ?? self.zone
        let action: ReferenceAction =
            switch try members.text("action") {
            case nil, "NONE": .none
            case "DELETE_SELF": .deleteSelf
            case "VALIDATE": .validate
            default: throw .malformed("action", "NONE, DELETE_SELF or VALIDATE")
            }
        return try calling { () throws(KinfolkError) in
            try Reference(named: name, zone: zone, action: action)
        }
    }

    private func asset(_ json: JSON) throws(WebError) -> Asset {
        let members = try Members(json)
        let receipt = try members.requiredText("receipt")
        guard let asset = AssetReceipt.asset(receipt, zone: zone ?? RecordZone.defaultName) else {
            throw WebError(.badRequest, "is not a receipt of this service.").within("receipt")
        }
        return asset
    }
}

extension Timestamp {
    /// Nil if the number is out of range.
    init?(milliseconds: Int64) {
        let (microseconds, hasOverflown) = milliseconds.multipliedReportingOverflow(by: 1_000)
        guard !hasOverflown else { return nil }
        self.init(microseconds: microseconds)
    }

    /// Whole milliseconds since 1970, the earlier ones.
    var milliseconds: Int64 {
        let (quotient, remainder) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
