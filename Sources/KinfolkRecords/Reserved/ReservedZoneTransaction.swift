package import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// A reserved zone of a session's private database, in one transaction.
package struct ReservedZoneTransaction {
    private let session: Session
    private let zone: ReservedZone
    private let transaction: RecordTransaction
    /// Nil as long as nothing was written to the zone.
    private let place: RecordPlace?
    private let numbers: LeasedNumbers
    package var db: Connection { transaction.db }

    fileprivate init(_ zone: ReservedZone, _ transaction: RecordTransaction, numbers: LeasedNumbers = .none) throws {
        (session, self.zone, self.transaction, self.numbers) = (transaction.session, zone, transaction, numbers)
        place = try transaction.place(ofZone: zone.name)
    }

    // MARK: Reading

    /// The record with this name; nil if there is none.
    package func record(named name: String) throws -> Record? {
        guard let place else { return nil }
        let id = RecordID(valid: name, zone: zone.name)
        return try RecordTable.row(id, in: place, db).map { try transaction.record($0, id) }
    }

    /// Calls `body` for each record, in the order of their last changes.
    package func forEachRecord(_ body: (Record) throws -> Void) throws {
        guard let place else { return }
        try RecordTable.forEachRow(changedAfter: 0, through: .max, limit: .max, in: place, db) { row in
            try body(transaction.record(row, in: place, nil))
        }
    }

    /// The first records with a value in a QUERYABLE field.
    package func records(of type: TypeDefinition, with field: String, _ value: FieldValue, limit: Int) throws
        -> [Record]
    {
        guard let place else { return [] }
        return try ReservedZone.rows(of: type, with: field, value, limit: limit, in: place, db)
            .map { try transaction.record($0, in: place, nil) }
    }

    /// How many records of a type there are, up to a limit.
    package func count(of type: TypeDefinition, limit: Int) throws -> Int {
        guard let place else { return 0 }
        return try RecordTable.count(
            ofType: type.number,
            by: .creation,
            in: Int64.min...Int64.max,
            limit: limit,
            in: place,
            db
        )
    }

    /// The bytes of all sealed records and assets of the zone.
    package func storedBytes() throws -> Int {
        guard let place else { return 0 }
        return try ByteCountTable.bytes(ofZone: place, db)
    }

    /// The changes after a token; all records for nil.
    ///
    /// - Throws: ``KinfolkError/Code/changeTokenExpired`` if the token is too old, or from another state of the store.
    package func changes(since token: ServerChangeToken?, limit: Int = Database.maximumBatch) throws -> ReservedChanges?
    {
        guard place != nil else { return nil }
        return try ChangeReading(transaction).changes(inReserved: zone, since: token, limit: limit)
    }

    /// The position after the last change; nil as long as nothing was written to the zone.
    package func presentToken() throws -> ServerChangeToken? {
        guard place != nil else { return nil }
        return try ChangeReading(transaction).presentToken(inReserved: zone)
    }

    /// Prefetches what `body` reads, so that a server answers all of it in one round trip.
    package func askAhead(_ body: () throws -> Void) throws { try db.askAhead(body) }

    /// The number of the last change of the zone; 0 if nothing was written to it.
    package func lastChange() throws -> Int64 {
        try zone.lastChange(in: transaction.place, db)
    }

    /// The number of the change that saved a record; nil if there is none.
    package func change(ofRecordNamed name: String) throws -> Int64? {
        guard let place else { return nil }
        return try RecordTable.change(of: RecordID(valid: name, zone: zone.name), in: place, db)
    }

    /// The quotas of the container.
    package func quotas() throws -> Quotas {
        try session.service.schemas.schema(of: session.container.number, session.service, db).quotas()
    }

    // MARK: Writing

    /// Runs operations on records of the zone, all or none of them. Call this once in a transaction.
    ///
    /// - Returns: The records as they were saved; nil for those that were deleted.
    @discardableResult
    package func run(_ operations: [RecordOperation]) throws -> [Record?] {
        let requests = try operations.map { try RecordRequest($0, in: session.privateDatabase.home) }
        let saved = try RecordWriting.with(
            requests,
            session,
            .private,
            numbers: numbers,
            within: transaction,
            db
        ) { writing in
            try requests.map { try writing.run($0) }
        }
        // Others may wait for it.
        try db.signal()
        return saved
    }
}

extension Session {
    /// Reads a reserved zone in one transaction.
    ///
    /// - Parameter names: The names of records that are read.
    package func read<Result>(
        _ zone: ReservedZone,
        _ names: [String] = [],
        _ body: (ReservedZoneTransaction) throws -> Result
    ) throws(KinfolkError) -> Result {
        try service.read { db in
            try askAhead(zone, names, isWriting: false, db)
            return try body(ReservedZoneTransaction(zone, RecordTransaction(reading: self, .private, db)))
        }
    }

    /// Changes a reserved zone in one transaction. The zone is made with the first change.
    ///
    /// - Parameters:
    ///   - names: The names of records that are read or written.
    ///   - count: How many records may be inserted.
    ///   - prepare: What is done first in the zone.
    package func write<Result>(
        to zone: ReservedZone,
        _ names: [String] = [],
        inserting count: Int = 1,
        preparing prepare: (RecordPlace, Connection) throws -> Void = { _, _ in },
        _ body: (ReservedZoneTransaction) throws -> Result
    ) throws(KinfolkError) -> Result {
        let numbers = try service.recordNumbers.take(count, of: service)
        return try AssetExpiry.makingRoom(service) { () throws(KinfolkError) in
            try service.write { db in
                try askAhead(zone, names, isWriting: true, db)
                let transaction = try ensured(zone, db)
                if let place = try transaction.place(ofZone: zone.name) { try prepare(place, db) }
                return try body(ReservedZoneTransaction(zone, transaction, numbers: numbers))
            }
        }
    }

    /// Makes a reserved zone, unless it exists.
    package func ensure(_ zone: ReservedZone, _ db: Connection) throws { _ = try ensured(zone, db) }

    /// Makes a reserved zone, unless it exists.
    ///
    /// - Returns: The private database with the zone.
    func ensured(_ zone: ReservedZone, _ db: Connection) throws -> RecordTransaction {
        // Who may read a private database may also write to it.
        let transaction = try RecordTransaction(reading: self, .private, db)
        guard try transaction.place(ofZone: zone.name) == nil else { return transaction }
        try ZoneWriting(self, db).save(RecordZone(valid: zone.name))
        return try RecordTransaction(reading: self, .private, db)
    }

    private func askAhead(_ zone: ReservedZone, _ names: [String], isWriting: Bool, _ db: Connection) throws {
        let ids = names.map { RecordID(valid: $0, zone: zone.name) }
        try RecordTransaction.askAhead(ids, zones: [zone.name], self, .private, isWriting: isWriting, db)
    }
}
