import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Database {
    /// The records of a custom zone that were created, changed or deleted after a token: a page of them.
    ///
    /// ```swift
    /// repeat {
    ///     let page = try database.changes(inZone: "Notes", since: token)
    ///     for record in page.records { cache[record.id] = record }
    ///     for deleted in page.deleted { cache[deleted.id] = nil }
    ///     (token, isBehind) = (page.token, page.moreComing)
    /// } while isBehind
    /// ```
    ///
    /// Each change is returned once, in its latest form. The changes of one batch are in one page.
    ///
    /// - Parameters:
    ///   - name: The name of the zone.
    ///   - token: The token of the last page; nil for all records of the zone.
    ///   - limit: About how many changes a page has, 1 to ``maximumBatch``. A page holds whole batches, at least one, and at most
    ///     2 MB of records if it holds more than one.
    /// - Throws: ``KinfolkError/Code/zoneNotFound`` if there is no such zone, ``KinfolkError/Code/changeTokenExpired`` if the token
    ///   is too old, or was made for another zone, database or store: forget what was fetched, and begin without a token,
    ///   ``KinfolkError/Code/serviceUnavailable`` if the service is open read-only and its server has not received yet what the token
    ///   has seen, ``KinfolkError/Code/invalidArgument`` for the default zone, which has no change tracking, or another limit,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func changes(
        inZone name: String,
        since token: ServerChangeToken? = nil,
        limit: Int = maximumBatch
    ) throws(KinfolkError) -> RecordZoneChanges {
        guard name != RecordZone.defaultName else { throw Database.untracked }
        try ZoneName.validate(custom: name)
        guard (1...Database.maximumBatch).contains(limit) else {
            throw KinfolkError(.invalidArgument, "A page has 1 to \(Database.maximumBatch) changes.")
        }
        guard scope == .private else { throw RecordTransaction.noZone }
        return try service.read { db in
            try RecordTransaction.askAhead([], zones: [name], session, scope, isWriting: false, db)
            return try ChangeReading(RecordTransaction(reading: session, scope, db))
                .changes(inZone: name, since: token, limit: limit)
        }
    }

    /// The custom zones that were made, changed or deleted after a token: a page of them.
    ///
    /// - Parameter token: The token of the last page; nil for all zones.
    /// - Throws: ``KinfolkError/Code/changeTokenExpired`` if the token is too old, or was made for a zone or another database or
    ///   store, ``KinfolkError/Code/invalidArgument`` for the public database, which has no change tracking,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func changes(since token: ServerChangeToken? = nil) throws(KinfolkError) -> DatabaseChanges {
        guard scope == .private else { throw Database.untracked }
        return try service.read { db in
            try RecordTransaction.askAhead([], session, scope, isWriting: false, db)
            return try ChangeReading(RecordTransaction(reading: session, scope, db)).changes(since: token)
        }
    }

    private static var untracked: KinfolkError {
        KinfolkError(.invalidArgument, "Only the custom zones of private databases have change tracking.")
    }
}
