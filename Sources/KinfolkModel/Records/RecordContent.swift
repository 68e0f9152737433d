/// What the store keeps sealed of a record: its name, who created and modified it and when, and its fields.
///
/// The first byte is 0 and the second the version of the encoding, 1. A record that version 0.1.0 of Kinfolk saved holds only the
/// fields, whose first byte is the length of a name and so never 0.
package struct RecordContent: Sendable {
    package var name: String
    /// Nil if the creator was erased and the record kept.
    package var creator: UserRecordID?
    package var createdAt: Timestamp
    package var modifier: UserRecordID?
    package var modifiedAt: Timestamp
    package var fields: Fields
    /// A random number of the record, which decides its place among records with an equal value in a SORTABLE field.
    package let tie: UInt64

    /// - Parameter tie: Nil for a new record.
    package init(
        name: String,
        creator: UserRecordID?,
        createdAt: Timestamp,
        modifier: UserRecordID?,
        modifiedAt: Timestamp,
        fields: Fields,
        tie: UInt64? = nil
    ) {
        self.name = name
        self.creator = creator
        self.createdAt = createdAt
        self.modifier = modifier
        self.modifiedAt = modifiedAt
        self.fields = fields
        self.tie = tie ?? UInt64.random(in: 0...UInt64.max)
    }

    private static let version: UInt8 = 1

    /// Which users follow the name.
    private struct Users: OptionSet {
        let rawValue: UInt8
        static let creator = Users(rawValue: 1)
        static let modifier = Users(rawValue: 2)
        /// The modifier is the creator, and is not repeated.
        static let sameModifier = Users(rawValue: 4)
    }

    package var bytes: [UInt8] {
        var users: Users = creator == nil ? [] : .creator
        if let modifier { users.insert(modifier == creator ? .sameModifier : .modifier) }
        var writer = FieldWriter(capacity: 64 + name.utf8.count + fields.size)
        writer.append(byte: 0)
        writer.append(byte: RecordContent.version)
        writer.append(name: name)
        writer.append(byte: users.rawValue)
        if let creator { writer.append(creator) }
        if let modifier, users.contains(.modifier) { writer.append(modifier) }
        writer.append(createdAt)
        writer.append(modifiedAt)
        writer.append(tie)
        writer.append(fields)
        return writer.bytes
    }

    /// Reads what ``bytes`` wrote. Nil if the bytes hold only fields, as version 0.1.0 wrote them.
    package init?(_ bytes: [UInt8]) throws {
        guard bytes.first == 0 else { return nil }
        self = try FieldReader.reading(bytes) { reader in
            guard try reader.byte() == 0, try reader.byte() == RecordContent.version else { return nil }
            let name = try reader.name()
            let users = Users(rawValue: try reader.byte())
            let creator = users.contains(.creator) ? try reader.reference() : nil
            let modifier =
                if users.contains(.sameModifier) { creator } else {
                    users.contains(.modifier) ? try reader.reference() : nil
                }
            let (createdAt, modifiedAt, tie) = (try reader.date(), try reader.date(), try reader.tie())
            return RecordContent(
                name: name,
                creator: creator,
                createdAt: createdAt,
                modifier: modifier,
                modifiedAt: modifiedAt,
                fields: try reader.fields(),
                tie: tie
            )
        }
    }
}
