package import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// Deletes what a person saved in the public database of a container, in the transaction that erases the person. The private database
/// is deleted with all tables that belong to the person.
package struct RecordErasure {
    private let service: Service
    private let user: UserRecordID
    private let container: Int64
    private let place: RecordPlace
    private let erasedCreator: UserRecordID?

    /// - Parameter erasedCreator: For whom what stays is counted; nil for nobody.
    package init(
        of user: UserRecordID,
        in container: Int64,
        countedFor erasedCreator: UserRecordID?,
        _ service: Service,
        _ db: Connection
    ) throws {
        self.service = service
        self.user = user
        self.erasedCreator = erasedCreator
        self.container = container
        place = RecordPlace(ofPrivate: nil, in: container, try service.keys(ofContainer: container, in: db))
    }

    /// How many records go: the two user records, saved or not, and all others that the person created.
    package func count(keepsPublicRecords: Bool, _ db: Connection) throws -> Int {
        let inPublic = keepsPublicRecords ? 0 : try RecordTable.numbers(createdBy: user, in: place, db).count
        return try 2 + inPublic + RecordTable.count(ownedBy: user, in: container, db)
    }

    /// Deletes the public records that the person created, with those that refer to them through `deleteSelf`, and the public user
    /// record.
    ///
    /// - Parameter keepsRecords: Whether to keep the records, without a creator. The user record is deleted.
    package func run(keepsRecords: Bool, _ db: Connection) throws {
        try OutboxTable.forget(user, in: place, db)
        let schema = try service.schemas.schema(of: container, service, db)
        let storage = RecordStorage(service, db)
        var leavesReferences = false
        for number in try RecordTable.numbers(createdBy: user, in: place, db) {
            do {
                guard let row = try RecordTable.row(number: number, in: place, db), row.content.creator == user else {
                    continue
                }
                let type = schema.type(row.type)
                if keepsRecords, let type {
                    try keep(row, number, type, storage)
                } else {
                    let tags = RecordCascade.tags(of: row.content.name, in: place)
                    if try delete(tags, number, schema, storage, db) { leavesReferences = true }
                }
            } catch let error where KinfolkError(error).code == .storeCorrupt {
                // The row was edited without the key. The person must still be able to leave.
                let tag = try RecordTable.nameTag(ofNumber: number, in: place, db)
                if try delete(tag.map { [$0] } ?? [], number, schema, storage, db) { leavesReferences = true }
            }
        }
        if leavesReferences { try ReferenceTable.deleteRest(in: place, db) }
        for number in try RecordTable.numbers(changedBy: user, in: place, db) {
            do { try forgetModifier(number, schema, storage, db) } catch let error
                where KinfolkError(error).code == .storeCorrupt
            {
                // The record of another user, edited without the key, stays as it is.
                continue
            }
        }
        do {
            if let row = try RecordTable.row(RecordID(user), in: place, db) {
                try storage.delete(row, nil, isErasure: true, in: place)
            }
        } catch let error where KinfolkError(error).code == .storeCorrupt {
            try RecordTable.delete(named: user.value.tag, in: place, db)
        }
        try storage.finish()
        try deleteAssets(db)
    }

    /// Deletes the assets that the person uploaded to the public database. Those that records of others have stay without the person.
    private func deleteAssets(_ db: Connection) throws {
        var bytes = ByteChanges()
        for id in try AssetTable.ids(createdBy: user, in: place, db) {
            do {
                guard let known = id.withUnsafeBytes(RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
                guard var row = try AssetTable.row(known, in: place, db), row.content.creator == user else { continue }
                if try AssetTable.isNamed(known, in: place, db) {
                    (row.content.creator, row.content.erasedCreator) = (nil, erasedCreator)
                    try AssetTable.update(row.content, of: known, in: place, db)
                    bytes.add(from: (row.bytes, nil), to: (row.bytes, erasedCreator), lane: service.lane, in: place)
                } else {
                    try AssetTable.delete(row, in: place, db)
                    bytes.add(from: (row.bytes, nil), to: (0, nil), lane: service.lane, in: place)
                }
            } catch let error where KinfolkError(error).code == .storeCorrupt {
                // The row was edited without the key. Nobody can read the file any more.
                try AssetTable.deleteUnread(id, in: place, db)
            }
        }
        try ByteCountTable.add(bytes, db)
    }

    /// Deletes a record with all that refer to it through `deleteSelf`, also those of others, and however many they are. Records that
    /// need one of them through `validate` stay, and their references dangle.
    ///
    /// - Returns: Whether references are left of records that could not be read.
    private func delete(
        _ tags: [Tag],
        _ number: Int64,
        _ schema: ContainerSchema,
        _ storage: RecordStorage,
        _ db: Connection
    ) throws -> Bool {
        let first = RecordCascade.Member(number: number, tags: tags)
        let cascade = try RecordCascade(of: [first], limit: nil, in: place, db)
        return try cascade.delete(from: storage, erasing: user, schema.type)
    }

    /// Saves a record that another user created without the user who changed it last.
    private func forgetModifier(
        _ number: Int64,
        _ schema: ContainerSchema,
        _ storage: RecordStorage,
        _ db: Connection
    ) throws {
        guard let row = try RecordTable.row(number: number, in: place, db), row.content.modifier == user,
            let type = schema.type(row.type)
        else { return }
        var content = row.content
        content.modifier = nil
        try storage.replace(row, by: content, number: number, type, changeTag: row.changeTag, in: place)
    }

    /// Saves a record without its creator.
    private func keep(_ row: RecordRow, _ number: Int64, _ type: TypeDefinition, _ storage: RecordStorage) throws {
        var content = row.content
        (content.creator, content.erasedCreator) = (nil, erasedCreator)
        if content.modifier == user { content.modifier = nil }
        try storage.replace(row, by: content, number: number, type, changeTag: row.changeTag, in: place)
    }
}
