public import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkStorage

extension Session {
    /// The session's own user record.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous, its account was erased, or, for the
    ///   private record, is suspended.
    public func fetchUserRecord(in database: Database = .public) throws(KinfolkError) -> Record {
        try service.read { db in try fetch(user(db).record, database, db) }
    }

    /// The user record with this ID: any person's record in the public database, only the session's own in the private one.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such record, or it is another person's private record,
    ///   ``KinfolkError/Code/notAuthenticated`` for a private record without an account in good standing.
    public func fetchUserRecord(_ id: UserRecordID, in database: Database = .public) throws(KinfolkError) -> Record {
        try service.read { db in try fetch(id, database, db) }
    }

    private func fetch(_ id: UserRecordID, _ database: Database, _ db: Connection) throws -> Record {
        try container.requireInUse(db)
        if database == .private, try userInGoodStanding(db).record != id { throw Session.noRecord }
        let keys = try service.keys(ofContainer: container.number, in: db)
        guard let record = try RecordTable.record(id, database, in: container.number, keys, db) else {
            throw Session.noRecord
        }
        return record
    }

    /// Saves the fields of a record.
    ///
    /// ```swift
    /// var record = try session.fetchUserRecord()
    /// try record.set("theme", to: .string("dark"))
    /// do {
    ///     record = try session.save(record)
    /// } catch let error where error.code == .serverRecordChanged {
    ///     guard var server = error.serverRecord else { throw error }
    ///     try server.set("theme", to: .string("dark"))
    ///     record = try session.save(server)
    /// }
    /// ```
    ///
    /// - Returns: The record as it is now in the store, with a new change tag.
    /// - Throws: ``KinfolkError/Code/serverRecordChanged`` with ``KinfolkError/serverRecord`` if its change tag is stale,
    ///   ``KinfolkError/Code/permissionFailure`` if it belongs to another person,
    ///   ``KinfolkError/Code/unknownItem`` if it belongs to another container,
    ///   ``KinfolkError/Code/invalidArgument`` if a field has another type in this container,
    ///   ``KinfolkError/Code/limitExceeded`` if it is larger than ``Record/maximumSize``, has more new fields than the person may
    ///   add (`Container.fieldLimit()`), or would be the 1,001st field of the container,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func save(_ record: Record, policy: SavePolicy = .ifServerRecordUnchanged) throws(KinfolkError) -> Record {
        try service.write { db in
            let user = try userInGoodStanding(db)
            guard record.container == container.number else { throw Session.noRecord }
            guard record.id == user.record else {
                throw KinfolkError(.permissionFailure, "Only its own user can save a user record.")
            }
            let keys = try service.keys(ofContainer: container.number, in: db)
            let server = try fetch(record.id, record.database, db)
            if policy == .ifServerRecordUnchanged && server.changeTag != record.changeTag {
                throw KinfolkError(
                    .serverRecordChanged,
                    "The record was saved since it was fetched.",
                    serverRecord: server
                )
            }
            let fields = try merge(record, into: server, policy, db)
            guard fields.size <= Record.maximumSize else { throw Record.tooLarge }
            let bytes = FieldWriter(fields).bytes
            let tag = SecureRandom.bytes(8)
            let now = service.clock()
            try RecordTable.save(
                bytes,
                tag: tag,
                as: record.id,
                record.database,
                in: container.number,
                at: now,
                keys,
                db
            )
            return Record(
                id: record.id,
                database: record.database,
                container: record.container,
                changeTag: Hexadecimal.text(tag),
                createdAt: server.createdAt,
                modifiedAt: now,
                fields: fields
            )
        }
    }

    /// The server's fields, with the record's fields that the policy writes.
    private func merge(
        _ record: Record,
        into server: Record,
        _ policy: SavePolicy,
        _ db: Connection
    ) throws -> Fields {
        var fields = server.fields
        let written = policy == .allKeys ? record.changedKeys.union(record.keys) : record.changedKeys
        let names = written.sorted()
        let types = try types(ofFields: names.filter { record.fields[$0] != nil }, db)
        try spend(names.count { record.fields[$0] != nil && types[$0] == nil }, of: .fields, db)
        for name in names {
            fields[name] = record.fields[name]
            guard let value = record.fields[name] else { continue }
            guard let type = types[name] else {
                try RecordTable.addField(name, value.type, in: container.number, db)
                continue
            }
            guard type == value.type else {
                throw KinfolkError(
                    .invalidArgument,
                    "The field \(name) has the type \(type) in this container, not \(value.type)."
                )
            }
        }
        return fields
    }

    /// The types of those fields that are in the container's schema.
    private func types(ofFields names: [String], _ db: Connection) throws -> [String: FieldType] {
        try db.askAhead { for name in names { _ = try RecordTable.type(ofField: name, in: container.number, db) } }
        var types: [String: FieldType] = [:]
        for name in names { types[name] = try RecordTable.type(ofField: name, in: container.number, db) }
        return types
    }

    private static var noRecord: KinfolkError {
        KinfolkError(.unknownItem, "There is no such user record in this container.")
    }
}
