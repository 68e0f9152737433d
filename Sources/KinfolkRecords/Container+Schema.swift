public import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// Adds a field to the container's schema. Otherwise, the first user who saves a field with a new name adds it, within
    /// `fieldLimit()`.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name is not valid,
    ///   ``KinfolkError/Code/conflict`` if the schema has a field of this name already,
    ///   ``KinfolkError/Code/limitExceeded`` if it has 1,000 fields.
    public func addField(_ name: String, type: FieldType) throws(KinfolkError) {
        try FieldName.validate(name)
        try service.write { db in
            try requireInUse(db)
            guard try RecordTable.type(ofField: name, in: number, db) == nil else {
                throw KinfolkError(.conflict, "The schema has a field of this name already.")
            }
            try RecordTable.addField(name, type, in: number, db)
        }
    }

    /// Removes a field from the container's schema, and its values from every user record. Its name may then be used with
    /// another type.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if the schema has no such field.
    public func removeField(_ name: String) throws(KinfolkError) {
        try service.write { db in
            try requireInUse(db)
            guard try RecordTable.removeField(name, in: number, db) else {
                throw KinfolkError(.unknownItem, "The schema has no such field.")
            }
            let keys = try service.keys(ofContainer: number, in: db)
            var last: UserRecordID?
            while true {
                let page = try RecordTable.saved(in: number, after: last?.value, limit: 1_000, db)
                for id in page { try remove(name, from: id, keys, db) }
                last = page.last
                if page.isEmpty { return }
            }
        }
    }

    private func remove(_ name: String, from id: UserRecordID, _ keys: ContainerKeys, _ db: Connection) throws {
        for database in Database.allCases {
            guard let record = try RecordTable.record(id, database, in: number, keys, db),
                record.fields[name] != nil
            else { continue }
            var fields = record.fields
            fields[name] = nil
            let tag = SecureRandom.bytes(8)
            try RecordTable.save(
                FieldWriter(fields).bytes,
                tag: tag,
                as: id,
                database,
                in: number,
                at: record.modifiedAt,
                keys,
                db
            )
        }
    }
}
