package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// Writes rows of records with all that is derived from them: index entries, references, counts of bytes, numbers of changes,
/// tombstones, and the indexes of targets above.
///
/// Used for one transaction, which ends with ``finish()``.
package final class RecordStorage {
    private let service: Service
    private let db: Connection
    private var bytes = ByteChanges()
    private let changes: ChangeNumbers
    private var words = WordChanges()
    private let now: Timestamp

    package init(_ service: Service, _ db: Connection) {
        self.service = service
        self.db = db
        now = service.clock()
        changes = ChangeNumbers(at: now, db)
    }

    /// Reads what writing to a zone needs. Call this before the first change, so that a server answers it with other queries.
    package func prepare(_ place: RecordPlace) throws { try changes.prepare(place) }

    /// Writes what is counted once for all records.
    package func finish() throws {
        try words.write(db)
        try changes.finish()
        try ByteCountTable.add(bytes, db)
        bytes = ByteChanges()
    }

    /// Inserts a record, or replaces what is in its row.
    ///
    /// - Parameters:
    ///   - row: The record as it was; nil, or without a number, for a new one.
    ///   - before: The record type when the record was saved; nil if it has not changed since.
    package func replace(
        _ row: RecordRow?,
        by content: RecordContent,
        number: Int64,
        _ type: TypeDefinition,
        as before: TypeDefinition? = nil,
        changeTag: [UInt8],
        in place: RecordPlace
    ) throws {
        let row = row?.decoded()
        let size = try RecordTable.save(
            content,
            number: number,
            over: row,
            type: type.number,
            changeTag: changeTag,
            change: changes.number(forSaving: content.size, in: place),
            in: place,
            db
        )
        if place.tracksChanges, row == nil { try TombstoneTable.delete(content.name, in: place, db) }
        let indexed = row.map { entries(of: $0, before ?? type, in: place) } ?? []
        try change(number, from: indexed, to: IndexEntry.all(of: content, type, in: place), in: place)
        let cells = row.map { self.cells(of: $0, before ?? type, in: place) } ?? []
        try CellTable.change(number, from: cells, to: CellEntry.all(of: content, type, in: place), in: place, db)
        let referencesBefore = row.map { references(of: $0, in: place) } ?? []
        let referencesAfter = ReferenceTable.entries(of: content, place.tags[0], in: place)
        try ReferenceTable.delete(referencesBefore.subtracting(referencesAfter), of: number, in: place, db)
        try ReferenceTable.insert(referencesAfter.subtracting(referencesBefore), of: number, in: place, db)
        let present = row?.number == nil ? nil : row
        let (old, new) = (OrderIndex.Source(present?.content, before ?? type), OrderIndex.Source(content, type))
        try OrderIndex(place, db).update(number, from: old, to: new)
        try changeWords(of: number, from: present.map { ($0.content, before ?? type) }, to: (content, type), in: place)
        count(from: (row?.size ?? 0, row?.content.creator), to: (size, content.creator), in: place)
        try service.updateIndexes(
            after: RecordChange(place: place, number: number, type: type.number, before: present, after: content),
            db
        )
    }

    /// Seals a record again under the newest key, with its tags. Nothing of it changes for callers.
    package func renew(_ row: RecordRow, _ type: TypeDefinition?, in place: RecordPlace) throws {
        guard let number = row.number else { return }
        let row = row.decoded()
        let size = try RecordTable.save(
            row.content,
            number: number,
            over: row,
            type: row.type,
            changeTag: row.changeTag,
            change: nil,
            in: place,
            db
        )
        let renewed = IndexEntry.all(of: row.content, type, in: place)
        try change(number, from: entries(of: row, type, in: place), to: renewed, in: place)
        // Also the points are sealed again.
        try CellTable.delete(cells(of: row, type, in: place), of: number, in: place, db)
        try CellTable.insert(CellEntry.all(of: row.content, type, in: place), of: number, in: place, db)
        let references = ReferenceTable.entries(of: row.content, place.tags[0], in: place)
        let referencesBefore = self.references(of: row, in: place)
        try ReferenceTable.delete(referencesBefore.subtracting(references), of: number, in: place, db)
        try ReferenceTable.insert(references.subtracting(referencesBefore), of: number, in: place, db)
        count(from: (row.size, row.content.creator), to: (size, row.content.creator), in: place)
    }

    /// Makes and deletes the index entries of a record whose type got other indexes. The record does not change.
    package func reindex(
        _ row: RecordRow,
        from before: TypeDefinition,
        to after: TypeDefinition,
        in place: RecordPlace
    ) throws {
        guard let number = row.number else { return }
        let row = row.decoded()
        // A record that the rotation has not reached yet keeps its tags under the older key.
        let (old, new) = (entries(of: row, before, in: place), entries(of: row, after, in: place))
        try change(number, from: old, to: new, in: place)
        let (oldCells, newCells) = (cells(of: row, before, in: place), cells(of: row, after, in: place))
        try CellTable.change(number, from: oldCells, to: newCells, in: place, db)
        try OrderIndex(place, db).update(
            number,
            from: OrderIndex.Source(row.content, before),
            to: OrderIndex.Source(row.content, after)
        )
        try changeWords(of: number, from: (row.content, before), to: (row.content, after), in: place)
    }

    /// Deletes a record.
    ///
    /// - Parameters:
    ///   - type: The record type; nil if the schema lost it.
    ///   - isErasure: Whether its creator is being erased, and so nothing of its content may stay in the store.
    package func delete(
        _ row: RecordRow,
        _ type: TypeDefinition?,
        isErasure: Bool = false,
        in place: RecordPlace
    ) throws {
        guard let number = row.number else { return }
        let row = row.decoded()
        try RecordTable.delete(number, db)
        if place.tracksChanges {
            let (change, deletion) = try changes.numbers(forDeletingIn: place)
            let id = RecordID(valid: row.content.name, zone: place.zoneName)
            let record = DeletedRecord(id: id, type: type?.name ?? "")
            try TombstoneTable.insert(record, change: change, deletion: deletion, at: now, in: place, db)
        }
        try IndexTable.delete(entries(of: row, type, in: place), of: number, in: place.container, db)
        try CellTable.delete(cells(of: row, type, in: place), of: number, in: place, db)
        try ReferenceTable.delete(references(of: row, in: place), of: number, in: place, db)
        if let type {
            try OrderIndex(place, db).update(number, from: OrderIndex.Source(row.content, type), to: nil)
            try changeWords(of: number, from: (row.content, type), to: nil, in: place)
        } else {
            try OrderTable.delete(number, in: IndexScope(of: place), db)
        }
        count(from: (row.size, row.content.creator), to: (0, nil), in: place)
        let change = RecordChange(
            place: place,
            number: number,
            type: row.type,
            before: row,
            after: nil,
            isErasure: isErasure
        )
        try service.updateIndexes(after: change, db)
    }

    /// Deletes a record that cannot be read, with what is found without its content. Its references stay.
    package func deleteUnread(_ number: Int64, in place: RecordPlace) throws {
        try RecordTable.delete(number, db)
        try OrderTable.delete(number, in: IndexScope(of: place), db)
    }

    /// The rows of a record's references.
    private func references(of row: RecordRow, in place: RecordPlace) -> Set<ReferenceTable.Entry> {
        row.number == nil ? [] : ReferenceTable.entries(of: row.content, place.tags[row.epoch], in: place)
    }

    /// The entries of a row in QUERYABLE indexes.
    private func entries(of row: RecordRow, _ type: TypeDefinition?, in place: RecordPlace) -> Set<IndexEntry> {
        row.number == nil ? [] : IndexEntry.all(of: row.content, type, epoch: row.epoch, in: place)
    }

    /// The entries of a row in indexes of locations.
    private func cells(of row: RecordRow, _ type: TypeDefinition?, in place: RecordPlace) -> Set<CellEntry> {
        row.number == nil ? [] : CellEntry.all(of: row.content, type, epoch: row.epoch, in: place)
    }

    private func change(
        _ number: Int64,
        from old: Set<IndexEntry>,
        to new: Set<IndexEntry>,
        in place: RecordPlace
    ) throws {
        try IndexTable.delete(old.subtracting(new), of: number, in: place.container, db)
        try IndexTable.insert(new.subtracting(old), of: number, in: place.container, db)
    }

    private func changeWords(
        of number: Int64,
        from old: (content: RecordContent, type: TypeDefinition)?,
        to new: (content: RecordContent, type: TypeDefinition)?,
        in place: RecordPlace
    ) throws {
        let old = old.map { WordChanges.Source(content: $0.content, type: $0.type) }
        let new = new.map { WordChanges.Source(content: $0.content, type: $0.type) }
        try words.note(number, from: old, to: new, in: place)
        if words.areMany { try words.write(db) }
    }

    private func count(
        from before: (bytes: Int, creator: UserRecordID?),
        to after: (bytes: Int, creator: UserRecordID?),
        in place: RecordPlace
    ) {
        bytes.add(from: before, to: after, lane: service.lane, in: place)
    }
}
