package import KinfolkAccounts
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
    /// The device whose session makes the changes; nil if no session does.
    private let device: RandomID?
    private let db: Connection
    private var bytes = ByteChanges()
    private var assets = AssetChanges()
    private var quotas: QuotaCheck?
    private let changes: ChangeNumbers
    private let indexes: RecordIndexes
    private let now: Timestamp

    package init(_ service: Service, device: RandomID? = nil, _ db: Connection) {
        self.service = service
        self.device = device
        self.db = db
        now = service.clock()
        changes = ChangeNumbers(at: now, db)
        indexes = RecordIndexes(db)
    }

    /// Reads what writing to a zone needs. Call this before the first change, so that a server answers it with other queries.
    package func prepare(_ place: RecordPlace) throws { try changes.prepare(place) }

    /// Throws ``KinfolkError/Code/quotaExceeded`` unless the quotas have room for a record, with what this transaction has written.
    ///
    /// - Parameters:
    ///   - row: The record as it was; nil for a new one.
    ///   - quotas: The quotas of its container.
    package func requireRoom(
        for content: RecordContent,
        over row: RecordRow?,
        _ quotas: Quotas,
        in place: RecordPlace
    ) throws {
        guard
            place.database == .private
                ? quotas[.user] != nil : quotas[.publicDatabase] != nil || quotas[.creator] != nil
        else { return }
        var new = ByteChanges()
        let size = SealingKey.sealedLength(of: content.bytes.count)
        new.add(
            from: (row?.size ?? 0, row?.content.countedCreator),
            to: (size, content.countedCreator),
            lane: service.lane,
            in: place
        )
        var check = self.quotas ?? QuotaCheck(quotas, service, db)
        try check.require(new, after: &bytes)
        self.quotas = check
    }

    /// Writes what is counted once for all records.
    package func finish() throws {
        try indexes.finish()
        try changes.finish()
        if try assets.finish(&bytes, lane: service.lane, db) { service.sweeper.start(service) }
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
        changeTag: ChangeTag,
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
        let present = row?.number == nil ? nil : row
        try indexes.change(
            number,
            from: present.map { RecordIndexes.Source($0, before ?? type) },
            to: RecordIndexes.Source(content, type),
            in: place
        )
        let referencesBefore = row.map { references(of: $0, in: place) } ?? []
        let referencesAfter = ReferenceTable.entries(of: content, place.tags[0], in: place)
        try ReferenceTable.delete(referencesBefore.subtracting(referencesAfter), of: number, in: place, db)
        try ReferenceTable.insert(referencesAfter.subtracting(referencesBefore), of: number, in: place, db)
        try assets.note(from: row?.content.assets ?? [], to: content.assets, in: place, db)
        count(from: (row?.size ?? 0, row?.content.countedCreator), to: (size, content.countedCreator), in: place)
        try service.updateIndexes(
            after: RecordChange(
                place: place,
                number: number,
                type: type.number,
                before: present,
                after: content,
                device: device
            ),
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
        try indexes.change(
            number,
            from: RecordIndexes.Source(row, type),
            to: RecordIndexes.Source(row.content, type),
            in: place
        )
        let references = ReferenceTable.entries(of: row.content, place.tags[0], in: place)
        let referencesBefore = self.references(of: row, in: place)
        try ReferenceTable.delete(referencesBefore.subtracting(references), of: number, in: place, db)
        try ReferenceTable.insert(references.subtracting(referencesBefore), of: number, in: place, db)
        count(from: (row.size, row.content.countedCreator), to: (size, row.content.countedCreator), in: place)
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
            try TombstoneTable.insert(record, by: device, change: change, deletion: deletion, at: now, in: place, db)
        }
        try indexes.change(number, from: RecordIndexes.Source(row, type), to: nil, in: place)
        try ReferenceTable.delete(references(of: row, in: place), of: number, in: place, db)
        try assets.note(from: row.content.assets, to: [], in: place, db)
        count(from: (row.size, row.content.countedCreator), to: (0, nil), in: place)
        let change = RecordChange(
            place: place,
            number: number,
            type: row.type,
            before: row,
            after: nil,
            isErasure: isErasure,
            device: device
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

    private func count(
        from before: (bytes: Int, creator: UserRecordID?),
        to after: (bytes: Int, creator: UserRecordID?),
        in place: RecordPlace
    ) {
        bytes.add(from: before, to: after, lane: service.lane, in: place)
    }
}
