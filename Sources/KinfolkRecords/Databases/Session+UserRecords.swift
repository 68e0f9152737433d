public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

/// User records: one of each user in each database, which exists without having been saved.
extension Session {
    /// The session's own user record.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous, its account was erased, or, for the
    ///   private record, is suspended.
    public func fetchUserRecord(in database: DatabaseScope = .public) throws(KinfolkError) -> Record {
        try service.read { db in
            let id = RecordID(try user(db).record)
            let access = try RecordTransaction(reading: self, database, db)
            return try access.record(id)
        }
    }

    /// The user record with this ID: any person's record in the public database, only the session's own in the private one.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such record, or it is another person's private record,
    ///   ``KinfolkError/Code/notAuthenticated`` for a private record without an account in good standing.
    public func fetchUserRecord(_ id: UserRecordID, in database: DatabaseScope = .public) throws(KinfolkError) -> Record
    {
        try self.database(database).fetch(RecordID(id))
    }

    /// Saves a record in the database from which it was fetched.
    ///
    /// - Throws: The errors of `save(_:policy:)` of ``Database``; ``KinfolkError/Code/invalidArgument`` for a new record, which belongs to
    ///   no database yet.
    public func save(_ record: Record, policy: SavePolicy = .ifServerRecordUnchanged) throws(KinfolkError) -> Record {
        guard let database = record.database else {
            throw KinfolkError(
                .invalidArgument,
                "A new record belongs to no database: save it with save() of a database."
            )
        }
        return try self.database(database).save(record, policy: policy)
    }
}
