package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// Writes a record's row with all that is derived from it: index entries, counts of bytes, and the indexes of targets above.
package struct RecordStorage {
    private let service: Service
    private let place: RecordPlace
    private let db: Connection

    package init(_ service: Service, _ place: RecordPlace, _ db: Connection) {
        self.service = service
        self.place = place
        self.db = db
    }

    /// Inserts a record, or replaces what is in its row.
    ///
    /// - Parameter row: The record as it was; nil, or without a number, for a new one.
    package func replace(
        _ row: RecordRow?,
        by content: RecordContent,
        number: Int64,
        _ type: TypeDefinition,
        changeTag: [UInt8]
    ) throws {
        let size = try RecordTable.save(
            content,
            number: number,
            isNew: row?.number == nil,
            type: type.number,
            changeTag: changeTag,
            in: place,
            db
        )
        let before = row.map { tags(of: $0, type) } ?? []
        let after = IndexTable.tags(of: content, type, place.tags[0], in: place.database)
        try IndexTable.delete(before.subtracting(after), of: number, in: place, db)
        try IndexTable.insert(after.subtracting(before), of: number, in: place, db)
        try count(from: (row?.size ?? 0, row?.content.creator), to: (size, content.creator))
        try service.updateIndexes(after: RecordChange(place: place, number: number, before: row, after: content), db)
    }

    /// Seals a record again under the newest key, with its tags. Nothing of it changes for callers.
    package func renew(_ row: RecordRow, _ type: TypeDefinition?) throws {
        guard let number = row.number else { return }
        _ = try RecordTable.save(
            row.content,
            number: number,
            isNew: false,
            type: row.type,
            changeTag: row.changeTag,
            in: place,
            db
        )
        try IndexTable.delete(tags(of: row, type), of: number, in: place, db)
        let tags = IndexTable.tags(of: row.content, type, place.tags[0], in: place.database)
        try IndexTable.insert(tags, of: number, in: place, db)
    }

    /// Deletes a record.
    ///
    /// - Parameter type: The record type; nil if the schema lost it.
    package func delete(_ row: RecordRow, _ type: TypeDefinition?) throws {
        guard let number = row.number else { return }
        try RecordTable.delete(number, db)
        try IndexTable.delete(tags(of: row, type), of: number, in: place, db)
        try count(from: (row.size, row.content.creator), to: (0, nil))
        try service.updateIndexes(after: RecordChange(place: place, number: number, before: row, after: nil), db)
    }

    /// The tags under which a row is in the index.
    private func tags(of row: RecordRow, _ type: TypeDefinition?) -> Set<Tag> {
        row.number == nil ? [] : IndexTable.tags(of: row.content, type, place.tags[row.epoch], in: place.database)
    }

    private func count(from before: (bytes: Int, creator: UserRecordID?), to after: (bytes: Int, creator: UserRecordID?)) throws {
        try ByteCountTable.change(from: before, to: after, lane: service.lane, in: place, db)
    }
}
