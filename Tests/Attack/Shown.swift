import Foundation
import Kinfolk

// Descriptions show nothing of what a value holds, so experiments that compare answers write all of it.

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
    var shown: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "not finite" }
}

extension Record {
    var shown: String {
        let fields = keys.map { "\($0): \(self[$0]?.shown ?? "")" }.joined(separator: ", ")
        return "\(id) \(database) \(changeTag) \(createdAt) \(modifiedAt) [\(fields)]"
    }
}

extension AccountEmail {
    var shown: String {
        "\(spelling) \(verifiedAt.map(\.description) ?? "not verified") \(isDiscoverable) \(addedAt)"
    }
}
