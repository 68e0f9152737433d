import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel

/// The keyed tags of one database: by them, records are found that the store does not show.
///
/// Every tag depends on the container's key, the owner of the database and what it is for. So equal names in two databases have
/// unrelated tags.
package struct RecordTags {
    /// The tags of a database under each of the container's keys.
    package struct Epochs: RandomAccessCollection {
        let keys: [TagKey]
        let owner: [UInt8]

        package var startIndex: Int { keys.startIndex }
        package var endIndex: Int { keys.endIndex }
        package subscript(epoch: Int) -> RecordTags { RecordTags(keys[epoch], owner: owner) }
    }

    private enum Purpose: UInt8 {
        case name = 1
        case creator = 2
        case value = 3
        case modifier = 4
        case zone = 5
    }

    private let key: TagKey
    /// The owner: empty for the public database.
    private let owner: [UInt8]

    package init(_ key: TagKey, owner: [UInt8]) {
        self.key = key
        self.owner = owner
    }

    /// The tag of a record's name. That of a user record is the user record ID itself.
    ///
    /// - Parameter zone: The number of its zone.
    package func name(_ name: String, zone: Int64) -> Tag {
        if zone == 0, let user = RecordID(valid: name).user { return user.value.tag }
        return tag(.name, zone) { $0.append(contentsOf: name.utf8) }
    }

    /// The tag of a zone's name.
    package func zone(_ name: String) -> Tag {
        tag(.zone, 0) { $0.append(contentsOf: name.utf8) }
    }

    /// The tag of a creator, under which the records are found that a user created.
    package func creator(_ user: UserRecordID) -> Tag {
        tag(.creator, 0) { bytes in user.value.tag.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    }

    /// The tag of a user who changed a record that another user created.
    package func modifier(_ user: UserRecordID) -> Tag {
        tag(.modifier, 0) { bytes in user.value.tag.withUnsafeBytes { bytes.append(contentsOf: $0) } }
    }

    /// The tag of a value of a QUERYABLE field.
    package func value(_ value: IndexValue, ofField field: Int64) -> Tag {
        tag(.value, field) { $0.append(contentsOf: value.bytes) }
    }

    private func tag(_ purpose: Purpose, _ number: Int64, _ append: (inout [UInt8]) -> Void) -> Tag {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(96)
        bytes.append(purpose.rawValue)
        bytes.append(UInt8(truncatingIfNeeded: owner.count))
        bytes.append(contentsOf: owner)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        append(&bytes)
        return key.tag(bytes)
    }
}
