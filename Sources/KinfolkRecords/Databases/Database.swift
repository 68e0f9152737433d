public import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkStorage

/// A database of records, as one session sees it: the container's public database, or the private one of the session's user.
///
/// ```swift
/// let database = session.privateDatabase
/// var note = try Record(type: "Note")
/// try note.set("title", to: .string("Groceries"))
/// note = try database.save(note)
/// let same = try database.fetch(note.id)
/// ```
///
/// In the public database, the grants of a record type decide. A type without grants can be read by everybody, also by an anonymous
/// session; signed-in users create its records, and change and delete those that they created. A record that the session may neither
/// read nor write is treated as if it did not exist. An anonymous session and a suspended account may at most read what everybody may
/// read. A private database can be read and written only by its own user, and has no grants.
public struct Database: Sendable {
    /// The maximum number of records in one call.
    public static let maximumBatch = 400
    /// The maximum size of all records in one call: the bytes of the names and values of their fields.
    public static let maximumBatchSize = 2_000_000

    /// The session with which it is used.
    public let session: Session
    /// Whether it is the public database or a private one.
    public let scope: DatabaseScope

    var service: Service { session.container.service }
    package var home: RecordHome {
        RecordHome(
            container: session.container.number,
            database: scope,
            owner: scope == .private ? session.recordID : nil
        )
    }

    /// Fetches a record.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no record with this ID that the session may read,
    ///   ``KinfolkError/Code/zoneNotFound`` if there is no such zone, ``KinfolkError/Code/notAuthenticated`` for a private database without an account in good standing.
    public func fetch(_ id: RecordID) throws(KinfolkError) -> Record {
        try service.read { db in
            try RecordTransaction.askAhead([id], session, scope, isWriting: false, db)
            let access = try RecordTransaction(reading: session, scope, db)
            try access.askAhead(inZonesOf: [id])
            return try access.record(id)
        }
    }

    /// Fetches several records, as they are at one moment.
    ///
    /// - Returns: For each ID, in their order, the record or the error of this one, which is that of ``fetch(_:)``, or
    ///   ``KinfolkError/Code/limitExceeded`` if the records before it have ``maximumBatchSize`` bytes already: fetch the rest with
    ///   another call.
    /// - Throws: ``KinfolkError/Code/limitExceeded`` for more than ``maximumBatch`` IDs,
    ///   ``KinfolkError/Code/notAuthenticated`` for a private database without an account in good standing.
    public func fetch(_ ids: [RecordID]) throws(KinfolkError) -> [Result<Record, KinfolkError>] {
        try requireCount(ids.count)
        return try service.read { db in
            try RecordTransaction.askAhead(ids, session, scope, isWriting: false, db)
            let transaction = try RecordTransaction(reading: session, scope, db)
            try transaction.askAhead(inZonesOf: ids)
            var size = 0
            return try ids.map { id in
                guard size < Database.maximumBatchSize else {
                    return .failure(
                        KinfolkError(.limitExceeded, "The records before it have 2 MB: fetch it with another call.")
                    )
                }
                guard try transaction.place(ofZone: id.zone) != nil else { return .failure(RecordTransaction.noZone) }
                guard let row = try transaction.readable(id) else { return .failure(RecordTransaction.noRecord) }
                size += row.content.size
                return .success(try transaction.record(row, id))
            }
        }
    }

    /// Saves a record.
    ///
    /// ```swift
    /// do {
    ///     note = try database.save(note)
    /// } catch let error where error.code == .serverRecordChanged {
    ///     guard var server = error.serverRecord else { throw error }
    ///     try server.set("title", to: .string("Groceries"))
    ///     note = try database.save(server)
    /// }
    /// ```
    ///
    /// - Parameter policy: What to do if the record was saved by another session since it was fetched. With
    ///   `ifServerRecordUnchanged`, a new record is saved only if there is none with its ID.
    /// - Returns: The record as it is now in the store, with a new change tag.
    /// - Throws: ``KinfolkError/Code/referenceViolation`` if a reference with the action `deleteSelf` or `validate` names a record that
    ///   does not exist or that the session may not read, ``KinfolkError/Code/serverRecordChanged`` with ``KinfolkError/serverRecord``
    ///   if the record in the store is not the one that was fetched and the session may read it,
    ///   ``KinfolkError/Code/permissionFailure`` if the grants of the record type do not allow the save, or those of the target of such
    ///   a reference do not allow to write it, ``KinfolkError/Code/unknownItem`` if it was deleted or fetched from another database,
    ///   ``KinfolkError/Code/zoneNotFound`` if its zone does not exist,
    ///   ``KinfolkError/Code/invalidArgument`` if a field has another type in the schema, or the schema has no such type or field and
    ///   may not grow, ``KinfolkError/Code/limitExceeded`` if the record is larger than ``Record/maximumSize``, has more than 750
    ///   references with the action `deleteSelf` or `validate`, refers with `deleteSelf` to a record to which 750 others do so, or has more
    ///   new fields than the person may add (`Container.fieldLimit()`) or than a record type may have,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func save(
        _ record: Record,
        policy: SavePolicy = .ifServerRecordUnchanged
    ) throws(KinfolkError) -> Record {
        let request = try RecordRequest(record, policy, in: home)
        guard let saved = try run(request).record else {
            throw KinfolkError(.internalError, "A save returned no record.")
        }
        return saved
    }

    /// Deletes a record, and all records that refer to it with the action `deleteSelf`, and so on.
    ///
    /// - Parameters:
    ///   - id: The record's ID.
    ///   - changeTag: Deletes the record only if it still has this tag; nil to delete it in any case.
    /// - Returns: All records that were deleted and the session may read, the one with this ID first.
    /// - Throws: ``KinfolkError/Code/referenceViolation`` if another record needs it, or one that would be deleted with it, through a
    ///   reference with the action `validate`, ``KinfolkError/Code/limitExceeded`` if more than 10,000 records would be deleted,
    ///   or more than 100,000 references between them, ``KinfolkError/Code/unknownItem`` if there is no such record, ``KinfolkError/Code/zoneNotFound`` if there is no such
    ///   zone, ``KinfolkError/Code/serverRecordChanged`` if it has another change tag,
    ///   ``KinfolkError/Code/permissionFailure`` if the grants of the record type do not allow it, or it is a user record,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    @discardableResult
    public func delete(_ id: RecordID, changeTag: String? = nil) throws(KinfolkError) -> [DeletedRecord] {
        try run(RecordRequest(deleting: id, changeTag: changeTag)).deleted
    }

    private func run(_ request: RecordRequest) throws(KinfolkError) -> (record: Record?, deleted: [DeletedRecord]) {
        let numbers = try service.recordNumbers.take(request.mayInsert ? 1 : 0, of: service)
        return try AssetExpiry.makingRoom(service) { () throws(KinfolkError) in
            try service.write { db in
                try RecordWriting.with([request], session, scope, numbers: numbers, db) { writing in
                    (try writing.run(request), writing.deleted)
                }
            }
        }
    }

    /// Runs several operations in one transaction, with one wait for the disk.
    ///
    /// References are checked when all operations are done: a record can refer to one that a later operation makes, and a record and
    /// those that need it can be deleted in any order. If operations fail because of each other, four times in a row, each of the others
    /// must be possible when its turn comes.
    ///
    /// The operations fail with ``KinfolkError/Code/limitExceeded`` from the one on with which they would delete more than 10,000 records
    /// in all, or set more than 10,000 references with the action `deleteSelf` or `validate`.
    ///
    /// - Parameters:
    ///   - operations: At most ``maximumBatch``, each on another record; their records have at most ``maximumBatchSize`` bytes.
    ///   - atomically: Whether nothing is changed if one operation fails. The others then report
    ///     ``KinfolkError/Code/batchRequestFailed``.
    /// - Returns: For each operation, in their order, the saved record (nil for a deletion) or the error of this one.
    /// - Throws: ``KinfolkError/Code/limitExceeded`` for too many operations or bytes, ``KinfolkError/Code/invalidArgument`` if two of
    ///   them have the same record, ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing. Nothing is
    ///   changed then.
    public func run(
        _ operations: [RecordOperation],
        atomically: Bool = false
    ) throws(KinfolkError) -> BatchResults {
        try requireCount(operations.count)
        guard operations.reduce(0, { $0 + ($1.record?.size ?? 0) }) <= Database.maximumBatchSize else {
            throw KinfolkError(
                .limitExceeded,
                "The records of a batch have at most \(Database.maximumBatchSize) bytes."
            )
        }
        guard Set(operations.map(\.id)).count == operations.count else {
            throw KinfolkError(.invalidArgument, "A batch has at most one operation for each record.")
        }
        return try RecordBatch(operations, in: self, isAtomic: atomically).run()
    }

    private func requireCount(_ count: Int) throws(KinfolkError) {
        guard count <= Database.maximumBatch else {
            throw KinfolkError(.limitExceeded, "A call has at most \(Database.maximumBatch) records.")
        }
    }
}

extension Session {
    /// The database that all users of the container share.
    public var publicDatabase: Database { database(.public) }

    /// The database of the session's user alone.
    public var privateDatabase: Database { database(.private) }

    /// The public database, or the private one of the session's user.
    public func database(_ scope: DatabaseScope) -> Database { Database(session: self, scope: scope) }
}
