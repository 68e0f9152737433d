import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel

/// A record as it is in the store.
package struct RecordRow: Sendable {
    /// The internal number; nil for a user record that was never saved, which has no row.
    package let number: Int64?
    package let type: Int64
    package let changeTag: ChangeTag
    package private(set) var content: RecordContent
    /// Which of the container's keys seals the content: 0 for the newest. The record's tags are under the same one.
    package let epoch: Int
    /// The length of the sealed content.
    package let size: Int

    /// A record that was just saved. Its size is not known.
    init(saved content: RecordContent, number: Int64, type: Int64, changeTag: ChangeTag) {
        self.number = number
        self.type = type
        self.changeTag = changeTag
        self.content = content
        epoch = 0
        size = 0
    }

    /// A user record that was never saved.
    init(unsaved content: RecordContent) {
        number = nil
        type = 0
        changeTag = .first
        self.content = content
        epoch = 0
        size = 0
    }

    /// The same row with all its fields decoded: call this before many uses of them.
    func decoded() -> RecordRow {
        var row = self
        row.content.fields.decode()
        return row
    }
}

extension RecordRow {
    /// What is needed of the target of a reference: the fields may be large.
    func withoutFields() -> RecordRow {
        var row = self
        row.content.fields = Fields()
        return row
    }

    /// Removes all fields but these.
    mutating func keepFields(_ names: Set<String>) {
        for name in content.fields.names where !names.contains(name) { content.fields[name] = nil }
    }

    /// Opens the sealed content of a row.
    ///
    /// - Parameters:
    ///   - times: When the record was created and modified, as the row says.
    ///   - tag: The tag of the record's name, as the row says.
    ///   - name: The name by which the row was found; nil if it was found otherwise.
    package init(
        _ sealed: UnsafeRawBufferPointer,
        number: Int64,
        type: Int64,
        changeTag: ChangeTag,
        times: (created: Timestamp, modified: Timestamp),
        at tag: Tag,
        named name: String?,
        in place: RecordPlace
    ) throws {
        guard let epoch = place.sealing.index(of: sealed) else { throw CryptoError.notAuthentic }
        let bytes = try place.sealing.open(sealed, under: epoch, at: place.seal(at: tag, type: type))
        if let content = try RecordContent(bytes, zone: place.zoneName) {
            // The place of a user record names the tag, and not the owner of the database: a row of another owner would open.
            let isRight =
                if let name { name == content.name } else {
                    type != 0 || place.tags[epoch].name(content.name, zone: place.zone) == tag
                }
            guard isRight, content.createdAt == times.created, content.modifiedAt == times.modified else {
                throw KinfolkError.damaged("A record does not belong to the row in which it is stored.")
            }
            self.content = content
        } else {
            // Version 0.1.0 saved only user records, and kept their times in the row.
            let user = UserRecordID(RandomID(tag: tag))
            content = RecordContent(
                name: user.description,
                creator: user,
                createdAt: times.created,
                modifier: user,
                modifiedAt: times.modified,
                fields: try FieldReader.fields(bytes)
            )
        }
        self.number = number
        self.type = type
        self.changeTag = changeTag
        self.epoch = epoch
        size = sealed.count
    }
}

extension RecordContent {
    /// The record as callers see it.
    package func record(
        type name: String,
        id: RecordID,
        changeTag: ChangeTag,
        in place: RecordPlace
    ) -> Record {
        let state = Record.State(
            home: place.home,
            changeTag: changeTag,
            createdAt: createdAt,
            modifiedAt: modifiedAt,
            creator: creator,
            modifier: modifier
        )
        return Record(type: name, id: id, state: state, parent: parent, fields: fields)
    }
}
