import Kinfolk

// Descriptions are redacted, so experiments that compare answers print the whole content with these properties.

extension DiscoveredIdentity {
    var shown: String {
        let contacts = contacts.map { "\($0.index) \($0.label)" }.joined(separator: ", ")
        return "\(userRecordID) \(name.givenName) \(name.familyName) [\(contacts)]"
    }
}

extension DiscoveredIdentity? {
    var shown: String { self?.shown ?? "nobody" }
}

extension FieldValue {
    var shown: String {
        switch self {
        case .string(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .double(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .bytes(let value): "\(value)"
        case .date(let value): "\(value)"
        case .location(let value): "\(value.latitude) \(value.longitude)"
        case .reference(let value): "\(value.action) \(value.target.name)"
        case .stringList(let values): "\(values)"
        case .int64List(let values): "\(values)"
        case .doubleList(let values): "\(values)"
        case .booleanList(let values): "\(values)"
        case .bytesList(let values): "\(values)"
        case .dateList(let values): "\(values)"
        case .locationList(let values): "\(values.map { "\($0.latitude) \($0.longitude)" })"
        case .asset(let value): "\(value.size) \(value.sha256)"
        case .assetList(let values): "\(values.map { "\($0.size) \($0.sha256)" })"
        case .referenceList(let values): "\(values.map { "\($0.action) \($0.target.name)" })"
        }
    }
}

extension Record {
    var shown: String {
        let fields = keys.map { "\($0): \(self[$0]?.shown ?? "")" }.joined(separator: ", ")
        let system = [database.map { "\($0)" }, changeTag, createdAt?.description, modifiedAt?.description]
        return "\(type) \(id.name) \(system.compactMap(\.self).joined(separator: " ")) [\(fields)]"
    }
}

extension AccountEmail {
    var shown: String {
        "\(spelling) \(verifiedAt.map(\.description) ?? "not verified") \(isDiscoverable) \(addedAt)"
    }
}
