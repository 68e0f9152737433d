import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Database {
    /// The records that refer to a record through `deleteSelf` or `validate`, or whose parent it is: a page of them.
    ///
    /// ```swift
    /// var last: BackReference?
    /// repeat {
    ///     let page = try database.backReferences(to: list.id, after: last)
    ///     for reference in page { print(reference.source.name, reference.kind) }
    ///     last = page.last
    /// } while last != nil
    /// ```
    ///
    /// - Parameters:
    ///   - id: The record to which they refer.
    ///   - last: The last one of the page before; nil for the first page.
    ///   - limit: The maximum number of records on a page, 1 to ``maximumBatch``. In the public database, a page has fewer if the
    ///     session may not read some of them.
    /// - Returns: First the records whose parent it is, then those with `deleteSelf`, then those with `validate`; those of one kind in the
    ///   order in which they were made. Empty if there are no more.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no record with this ID that the session may read,
    ///   ``KinfolkError/Code/invalidArgument`` for another limit,
    ///   ``KinfolkError/Code/notAuthenticated`` for a private database without an account in good standing.
    public func backReferences(
        to id: RecordID,
        after last: BackReference? = nil,
        limit: Int = maximumBatch
    ) throws(KinfolkError) -> [BackReference] {
        guard (1...Database.maximumBatch).contains(limit) else {
            throw KinfolkError(.invalidArgument, "A page has 1 to \(Database.maximumBatch) records.")
        }
        return try session.container.service.read { db in
            try RecordTransaction.askAhead([id], session, scope, isWriting: false, db)
            let access = try RecordTransaction(reading: session, scope, db)
            try access.askAhead(inZonesOf: [id])
            return try access.backReferences(to: id, after: last, limit: limit)
        }
    }
}
