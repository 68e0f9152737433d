/// What the store keeps sealed of a record: its name, who created and modified it and when, its parent, and its fields.
///
/// The first byte is 0 and the second the version of the encoding, 1. A record that version 0.1.0 of Kinfolk saved holds only the
/// fields, whose first byte is the length of a name and so never 0.
package struct RecordContent: Sendable {
    package var name: String
    /// Nil if the creator was erased and the record kept.
    package var creator: UserRecordID?
    /// A random ID for which the bytes count if the creator was erased and the record kept: see `CreatorDebts` in KinfolkRecords.
    package var erasedCreator: UserRecordID?
    package var createdAt: Timestamp
    package var modifier: UserRecordID?
    package var modifiedAt: Timestamp
    /// The record to which this one belongs; nil if it has no parent.
    package var parent: RecordID?
    package var fields: Fields
    /// A random number of the record, which decides its place among records with an equal value in a SORTABLE field.
    package let tie: UInt64

    /// - Parameter tie: Nil for a new record.
    package init(
        name: String,
        creator: UserRecordID?,
        erasedCreator: UserRecordID? = nil,
        createdAt: Timestamp,
        modifier: UserRecordID?,
        modifiedAt: Timestamp,
        parent: RecordID? = nil,
        fields: Fields,
        tie: UInt64? = nil
    ) {
        self.name = name
        self.creator = creator
        self.erasedCreator = erasedCreator
        self.createdAt = createdAt
        self.modifier = modifier
        self.modifiedAt = modifiedAt
        self.parent = parent
        self.fields = fields
        self.tie = tie ?? UInt64.random(in: 0...UInt64.max)
    }

    private static let version: UInt8 = 1

    /// For whom the bytes of a record in the public database count.
    package var countedCreator: UserRecordID? { creator ?? erasedCreator }

    /// How many bytes of a record it takes: those of the fields and of the parent.
    package var size: Int { Record.size(of: fields, parent) }

    /// Which users follow the name, and whether a parent follows the times.
    private struct Parts: OptionSet {
        let rawValue: UInt8
        static let creator = Parts(rawValue: 1)
        static let modifier = Parts(rawValue: 2)
        /// The modifier is the creator, and is not repeated.
        static let sameModifier = Parts(rawValue: 4)
        static let parent = Parts(rawValue: 8)
        static let erasedCreator = Parts(rawValue: 16)
    }

    package var bytes: [UInt8] {
        var parts: Parts = creator == nil ? [] : .creator
        if let modifier { parts.insert(modifier == creator ? .sameModifier : .modifier) }
        if parent != nil { parts.insert(.parent) }
        if erasedCreator != nil { parts.insert(.erasedCreator) }
        var writer = FieldWriter(capacity: 64 + name.utf8.count + size)
        writer.append(byte: 0)
        writer.append(byte: RecordContent.version)
        writer.append(name: name)
        writer.append(byte: parts.rawValue)
        if let creator { writer.append(creator) }
        if let erasedCreator { writer.append(erasedCreator) }
        if let modifier, parts.contains(.modifier) { writer.append(modifier) }
        writer.append(createdAt)
        writer.append(modifiedAt)
        writer.append(tie)
        if let parent { writer.append(name: parent.name) }
        writer.append(fields)
        return writer.bytes
    }

    /// Reads what ``bytes`` wrote. Nil if the bytes hold only fields, as version 0.1.0 wrote them.
    ///
    /// - Parameter zone: The zone of the record.
    package init?(_ bytes: [UInt8], zone: String = RecordID.defaultZone) throws {
        guard bytes.first == 0 else { return nil }
        self = try FieldReader.reading(bytes, zone: zone) { reader in
            guard try reader.byte() == 0, try reader.byte() == RecordContent.version else { return nil }
            let name = try reader.name()
            let parts = Parts(rawValue: try reader.byte())
            let creator = parts.contains(.creator) ? try reader.user() : nil
            let erasedCreator = parts.contains(.erasedCreator) ? try reader.user() : nil
            let modifier =
                if parts.contains(.sameModifier) { creator } else {
                    parts.contains(.modifier) ? try reader.user() : nil
                }
            let (createdAt, modifiedAt, tie) = (try reader.date(), try reader.date(), try reader.tie())
            let parent = parts.contains(.parent) ? RecordID(valid: try reader.name(), zone: zone) : nil
            return RecordContent(
                name: name,
                creator: creator,
                erasedCreator: erasedCreator,
                createdAt: createdAt,
                modifier: modifier,
                modifiedAt: modifiedAt,
                parent: parent,
                fields: try reader.fields(endOf: bytes),
                tie: tie
            )
        }
    }
}
