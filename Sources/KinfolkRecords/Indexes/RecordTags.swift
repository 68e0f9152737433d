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
        var isOfCreator = false

        package var startIndex: Int { keys.startIndex }
        package var endIndex: Int { keys.endIndex }
        package subscript(epoch: Int) -> RecordTags { RecordTags(keys[epoch], owner: owner, isOfCreator: isOfCreator) }
    }

    private enum Purpose: UInt8 {
        case name = 1
        case creator = 2
        case value = 3
        case modifier = 4
        case zone = 5
        case missing = 6
        case type = 7
        case cell = 8
        case posting = 9
        case asset = 10
        case subscription = 11
        case subscribedType = 12
        case subscribedValue = 13
        case subscribedZone = 14
        case subscribedDatabase = 15
        case device = 16
    }

    private let key: TagKey
    /// The owner: empty for the public database.
    private let owner: [UInt8]
    /// Whether these are the tags of the owner's public records, and not of the private database.
    private let isOfCreator: Bool

    package init(_ key: TagKey, owner: [UInt8], isOfCreator: Bool = false) {
        self.key = key
        self.owner = owner
        self.isOfCreator = isOfCreator
    }

    /// The tag of a record's name. That of a user record is the user record ID itself.
    ///
    /// - Parameter zone: The number of its zone.
    package func name(_ name: String, zone: Int64) -> Tag {
        if zone == 0, let user = RecordID(valid: name).user { return user.value.tag }
        return tag(.name, zone, name)
    }

    /// The tag of a zone's name.
    package func zone(_ name: String) -> Tag {
        tag(.zone, 0, name)
    }

    /// The tag of an asset, under which the records are found that name it.
    package func asset(_ id: RandomID) -> Tag {
        id.tag.withUnsafeBytes { tag(.asset, 0, $0) }
    }

    /// The tag of a subscription's ID, among those of a user.
    package func subscription(_ id: String) -> Tag { tag(.subscription, 0, id) }

    /// The tag of a device's name, among those of a user.
    package func device(_ name: String) -> Tag { tag(.device, 0, name) }

    /// The tag of subscriptions to any records of a type. Names lead to it, so that it stays the same if the operator removes the type and
    /// declares it again.
    package func subscribed(type: String) -> Tag { tag(.subscribedType, 0, type) }

    /// The tag of subscriptions to records with a value in a field. It is not that of an index, so that the store does not show which records
    /// have the value.
    package func subscribed(_ value: IndexValue, ofField field: String, ofType type: String) -> Tag {
        let names = type.utf8.count + field.utf8.count + 2
        return withUnsafeTemporaryAllocation(byteCount: names + value.bytes.count, alignment: 1) { bytes in
            var rest = bytes
            func append(_ part: some Collection<UInt8>) {
                rest.copyBytes(from: part)
                rest = UnsafeMutableRawBufferPointer(rebasing: rest[part.count...])
            }
            // No name has a NUL.
            append(type.utf8)
            append(CollectionOfOne(0))
            append(field.utf8)
            append(CollectionOfOne(0))
            append(value.bytes)
            return tag(.subscribedValue, 0, UnsafeRawBufferPointer(bytes))
        }
    }

    /// The tag of subscriptions to a zone.
    package func subscribed(zone: String) -> Tag { tag(.subscribedZone, 0, zone) }

    /// The tag of subscriptions to the whole database.
    package var subscribedDatabase: Tag { tag(.subscribedDatabase, 0, "") }

    /// The tag of a creator, under which the records of all types are found that a user created.
    package func creator(_ user: UserRecordID) -> Tag {
        user.value.tag.withUnsafeBytes { tag(.creator, 0, $0) }
    }

    /// The tag of a creator of one record type: a query must not read how many records of other types there are.
    package func creator(_ user: UserRecordID, ofType type: Int64) -> Tag {
        user.value.tag.withUnsafeBytes { tag(.creator, type, $0) }
    }

    /// The tag of a user who changed a record that another user created.
    package func modifier(_ user: UserRecordID) -> Tag {
        user.value.tag.withUnsafeBytes { tag(.modifier, 0, $0) }
    }

    /// The tag of a value of a QUERYABLE field.
    package func value(_ value: IndexValue, ofField field: Int64) -> Tag {
        value.bytes.withUnsafeBytes { tag(.value, field, $0) }
    }

    /// The tag of the records that have no value in a SORTABLE field.
    package func missing(_ field: Int64) -> Tag {
        tag(.missing, field, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The tag of a record type, under which the public records are found that a user created.
    package func type(_ number: Int64) -> Tag {
        tag(.type, number, UnsafeRawBufferPointer(start: nil, count: 0))
    }

    /// The tag of a cell in which locations of a QUERYABLE field are.
    package func cell(_ cell: Cell, ofField field: Int64) -> Tag {
        let (row, column) = (UInt32(truncatingIfNeeded: cell.row), UInt32(truncatingIfNeeded: cell.column))
        return withUnsafeBytes(of: (row.littleEndian, column.littleEndian, cell.level.number)) {
            tag(.cell, field, UnsafeRawBufferPointer(rebasing: $0[..<9]))
        }
    }

    /// The tag of a row with the records that have a word.
    ///
    /// - Parameter zone: The zone in the row.
    package func posting(_ address: PostingAddress, zone: Int64) -> Tag {
        let (field, word) = (address.tree.field, address.tree.word.bytes)
        return withUnsafeTemporaryAllocation(byteCount: 17 + word.count, alignment: 1) { bytes in
            bytes.storeBytes(of: zone.littleEndian, as: Int64.self)
            bytes.storeBytes(of: address.block.littleEndian, toByteOffset: 8, as: Int64.self)
            bytes[16] = address.tree.lane
            UnsafeMutableRawBufferPointer(rebasing: bytes[17...]).copyBytes(from: word)
            return tag(.posting, field, UnsafeRawBufferPointer(bytes))
        }
    }

    private func tag(_ purpose: Purpose, _ number: Int64, _ name: String) -> Tag {
        var name = name
        return name.withUTF8 { tag(purpose, number, UnsafeRawBufferPointer($0)) }
    }

    private func tag(_ purpose: Purpose, _ number: Int64, _ value: UnsafeRawBufferPointer) -> Tag {
        let start = 2 + owner.count
        return withUnsafeTemporaryAllocation(byteCount: start + 8 + value.count, alignment: 1) { bytes in
            bytes[0] = purpose.rawValue
            bytes[1] = UInt8(truncatingIfNeeded: owner.count) | (isOfCreator ? 0x80 : 0)
            UnsafeMutableRawBufferPointer(rebasing: bytes[2...]).copyBytes(from: owner)
            bytes.storeBytes(of: number.littleEndian, toByteOffset: start, as: Int64.self)
            UnsafeMutableRawBufferPointer(rebasing: bytes[(start + 8)...]).copyMemory(from: value)
            return key.tag(UnsafeRawBufferPointer(bytes))
        }
    }
}
