import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// Writes records as the protocol shows them.
struct RecordWriter {
    let zones: ZoneReader
    /// The URL under which a file can be fetched for some minutes.
    let downloadURL: (Asset) -> String?
    /// Whether whole numbers of 64 bits are written as texts, for clients whose numbers have 53 bits.
    var numbersAsStrings = false

    /// The device that the protocol names as the one that saved a record. Kinfolk does not tell devices of others.
    private static let device = "kinfolk"
    /// In the place of the ID of a user who was erased.
    private static let erasedUser = "__erased__"

    /// - Parameter desiredKeys: The fields to write; nil for all.
    func json(_ record: Record, desiredKeys: Set<String>? = nil) -> JSON {
        var members = head(of: record.id)
        members.append(("recordType", .string(record.type)))
        var fields: [(String, JSON)] = []
        for key in record.keys where desiredKeys?.contains(key) ?? true {
            guard let value = record[key] else { continue }
            fields.append((key, field(value)))
        }
        members.append(("fields", .object(fields)))
        members.append(("pluginFields", [:]))
        if let parent = record.parent { members.append(("parent", ["recordName": .string(parent.target.name)])) }
        if let tag = record.changeTag { members.append(("recordChangeTag", .string(tag))) }
        if let created = record.createdAt { members.append(("created", moment(created, record.createdBy))) }
        if let modified = record.modifiedAt { members.append(("modified", moment(modified, record.modifiedBy))) }
        members.append(("deleted", .boolean(false)))
        members.append(("zoneID", zones.json(record.id.zone)))
        return .object(members)
    }

    /// A record that is gone.
    func json(deleted id: RecordID, type: String? = nil) -> JSON {
        var members = head(of: id)
        if let type { members.append(("recordType", .string(type))) }
        members += [("deleted", .boolean(true)), ("zoneID", zones.json(id.zone))]
        return .object(members)
    }

    /// An error of one record.
    func json(_ error: WebError, of name: String) -> JSON { .object([("recordName", .string(name))] + error.members) }

    private func head(of id: RecordID) -> [(String, JSON)] { [("recordName", .string(id.name))] }

    private func moment(_ time: Timestamp, _ user: UserRecordID?) -> JSON {
        [
            "timestamp": .integer(time.milliseconds),
            "userRecordName": .string(user?.description ?? RecordWriter.erasedUser),
            "deviceID": .string(RecordWriter.device),
        ]
    }

    /// A field dictionary.
    func field(_ value: FieldValue) -> JSON {
        ["value": json(value), "type": .string(WireType.name(of: value.type))]
    }

    private func json(_ value: FieldValue) -> JSON {
        switch value {
        case .string(let text): .string(text)
        case .int64(let number): integer(number)
        case .double(let number): double(number)
        case .boolean(let value): integer(value ? 1 : 0)
        case .bytes(let bytes): .string(Base64.text(bytes))
        case .date(let date): integer(date.milliseconds)
        case .location(let location): json(location)
        case .reference(let reference): json(reference)
        case .asset(let asset): json(asset)
        case .stringList(let texts): .array(texts.map(JSON.string))
        case .int64List(let numbers): .array(numbers.map(integer))
        case .doubleList(let numbers): .array(numbers.map(double))
        case .booleanList(let values): .array(values.map { integer($0 ? 1 : 0) })
        case .bytesList(let values): .array(values.map { .string(Base64.text($0)) })
        case .dateList(let dates): .array(dates.map { integer($0.milliseconds) })
        case .locationList(let locations): .array(locations.map(json))
        case .referenceList(let references): .array(references.map(json))
        case .assetList(let assets): .array(assets.map(json))
        }
    }

    private func integer(_ number: Int64) -> JSON { numbersAsStrings ? .text(number) : .integer(number) }

    /// JSON has no NaN and no infinity: they are the texts `nan`, `inf` and `-inf`, which are also read.
    private func double(_ number: Double) -> JSON { numbersAsStrings ? .text(number) : .double(number) }

    private func json(_ location: Location) -> JSON {
        ["latitude": .double(location.latitude), "longitude": .double(location.longitude)]
    }

    private func json(_ reference: Reference) -> JSON {
        let action: String =
            switch reference.action {
            case .none: "NONE"
            case .deleteSelf: "DELETE_SELF"
            case .validate: "VALIDATE"
            }
        var members: [(String, JSON)] = [
            ("recordName", .string(reference.target.name)), ("action", .string(action)),
        ]
        // A reference in a query may be to the zone of each record.
        if !reference.target.zone.isEmpty { members.append(("zoneID", zones.json(reference.target.zone))) }
        return .object(members)
    }

    /// An asset dictionary.
    func json(_ asset: Asset) -> JSON {
        var members: [(String, JSON)] = [
            ("fileChecksum", .string(Base64.text(asset.sha256))), ("size", .count(asset.size)),
            ("receipt", .string(AssetReceipt.text(of: asset))),
            ("wrappingKey", .string(Base64.text(asset.id.bytes))),
            ("referenceChecksum", .string(Base64.text(asset.sha256))),
        ]
        if let url = downloadURL(asset) { members.append(("downloadURL", .string(url))) }
        return .object(members)
    }
}
