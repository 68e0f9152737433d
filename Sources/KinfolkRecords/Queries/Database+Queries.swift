import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
import KinfolkStorage

extension Database {
    /// The number of records of a page if the caller gives none.
    public static let standardPage = 100

    /// The records that satisfy a query: a page of them.
    ///
    /// ```swift
    /// let query = try Query("Event", where: QueryPredicate("start > %@", .date(.now)), sortedBy: [.ascending("start")])
    /// var cursor: QueryCursor?
    /// repeat {
    ///     let page = try database.query(query, after: cursor)
    ///     for record in page.records { print(record.id.name) }
    ///     cursor = page.cursor
    /// } while cursor != nil
    /// ```
    ///
    /// Records that are saved and deleted between two pages do not disturb the others: each record that does not change is on exactly one
    /// page. A record that changes may be on two pages, or on none.
    ///
    /// - Parameters:
    ///   - query: The record type, the condition and the order.
    ///   - zone: The name of the zone; nil for all zones of the database.
    ///   - desiredKeys: The fields that the records of the page have; nil for all.
    ///   - limit: The most records of the page, 1 to ``maximumBatch``. A page ends after ``maximumBatchSize`` bytes, with at least one record.
    ///   - cursor: The cursor of the page before; nil for the first page. It is valid only for the same query and zone.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such record type, ``KinfolkError/Code/invalidArgument`` if it does not have
    ///   the fields of the query, a value has another type than its field, or the cursor is of another query,
    ///   ``KinfolkError/Code/limitExceeded`` if the query would look at more than 10,000 records because it lacks an index,
    ///   ``KinfolkError/Code/zoneNotFound`` if there is no such zone, ``KinfolkError/Code/permissionFailure`` if the session may read no records
    ///   of the type, ``KinfolkError/Code/notAuthenticated`` for a private database without an account in good standing.
    public func query(
        _ query: Query,
        inZone zone: String? = nil,
        desiredKeys: Set<String>? = nil,
        limit: Int = standardPage,
        after cursor: QueryCursor? = nil
    ) throws(KinfolkError) -> QueryPage {
        guard (1...Database.maximumBatch).contains(limit) else {
            throw KinfolkError(.invalidArgument, "A page has 1 to \(Database.maximumBatch) records.")
        }
        return try service.read { db in
            let keys = try service.keys(db)
            let foreign = KinfolkError(.invalidArgument, "The cursor belongs to another query, or is not valid.")
            let start = try cursor.map { cursor in
                guard let position = cursor.position(at: cursorPlace(query, zone), keys) else { throw foreign }
                return position
            }
            let (run, transaction) = try run(query, zone, after: start, db)
            guard start.map({ $0.values.count == run.order.parts.count }) ?? true else { throw foreign }
            let page = try run.page(after: start, limit: limit)
            let records = try page.found.map { found in
                try transaction.record(found.row, in: found.reader.scope.place, desiredKeys)
            }
            let last = page.hasMore ? page.found.last.map(run.order.position(of:)) : nil
            let next = try last.map { try QueryCursor($0, at: cursorPlace(query, zone), keys) }
            return QueryPage(records: records, cursor: next)
        }
    }

    /// How many records satisfy a query. Its order does not matter.
    ///
    /// - Throws: The errors of `query(_:inZone:desiredKeys:limit:after:)`.
    public func count(_ query: Query, inZone zone: String? = nil) throws(KinfolkError) -> Int {
        try service.read { db in try run(query, zone, db).0.count() }
    }

    /// How a query is answered: which indexes it uses, and what the first page reads.
    ///
    /// A query that would fail because it lacks an index is explained too: ``QueryExplanation/exceedsLimit``.
    ///
    /// - Throws: The other errors of `query(_:inZone:desiredKeys:limit:after:)`.
    public func explain(
        _ query: Query,
        inZone zone: String? = nil,
        limit: Int = standardPage
    ) throws(KinfolkError) -> QueryExplanation {
        guard (1...Database.maximumBatch).contains(limit) else {
            throw KinfolkError(.invalidArgument, "A page has 1 to \(Database.maximumBatch) records.")
        }
        return try service.read { db in try run(query, zone, db).0.explanation(ofPage: limit) }
    }

    private func run(
        _ query: Query,
        _ zone: String?,
        after position: QueryPosition? = nil,
        _ db: Connection
    ) throws -> (QueryRun, RecordTransaction) {
        try RecordTransaction.askAhead([], zones: zone.map { [$0] } ?? [], session, scope, isWriting: false, db)
        let transaction = try RecordTransaction(reading: session, scope, db)
        let schema = try service.schemas.schema(of: session.container.number, service, db)
        return (try QueryRun(query, inZone: zone, after: position, transaction, schema), transaction)
    }

    /// To what a cursor is bound: the database, its reader, and the query.
    private func cursorPlace(_ query: Query, _ zone: String?) -> SealedPlace {
        let reader = session.recordID?.value.bytes ?? []
        return SealedPlace(
            "queries",
            "cursor",
            row: .number(session.container.number),
            .byte(UInt8(truncatingIfNeeded: scope.rawValue)),
            .bytes(reader),
            .bytes(query.encoded),
            .bytes(Array((zone ?? "").utf8))
        )
    }
}
