import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Saves and deletes records in one write transaction.
struct RecordWriting {
    private let access: RecordTransaction
    private let user: UserRecordID
    private var schema: SchemaGrowth
    private var numbers: Range<Int64>
    private let storage: RecordStorage
    private let now: Timestamp
    /// Whether the present operation has changed something. It cannot fail alone any more.
    private var hasWritten = false
    private var db: Connection { access.db }
    private var place: RecordPlace { access.place }
    private var session: Session { access.session }

    /// Calls `body` with the present records of these requests, nil for those that do not exist. They are read before the first
    /// change, so that a server answers in one round trip.
    ///
    /// - Parameter numbers: Numbers for new records, at least as many as there are records to save.
    static func with<Result>(
        _ requests: [RecordRequest],
        _ session: Session,
        _ database: DatabaseScope,
        numbers: LeasedNumbers,
        _ db: Connection,
        _ body: (inout RecordWriting, [RecordRow?]) throws -> Result
    ) throws -> Result {
        let ids = requests.map(\.id)
        try RecordTransaction.askAhead(ids, session, database, isWriting: true, db)
        var writing = try RecordWriting(session, database, numbers: numbers, db)
        let rows = try ids.map(writing.access.row)
        let result = try body(&writing, rows)
        try writing.storage.finish()
        return result
    }

    private init(_ session: Session, _ database: DatabaseScope, numbers: LeasedNumbers, _ db: Connection) throws {
        access = try RecordTransaction(writing: session, database, db)
        guard let user = access.user else { throw Session.nobody }
        self.user = user
        schema = try SchemaGrowth(session.container, db)
        self.numbers = try session.service.recordNumbers.numbers(numbers, of: session.service, db)
        storage = RecordStorage(session.service, db)
        now = session.service.clock()
    }

    /// Runs one operation.
    ///
    /// - Parameter row: The record as it is in the store; nil if there is none.
    ///
    /// - Returns: The saved record; nil for a deletion.
    mutating func run(_ request: RecordRequest, on row: RecordRow?) throws -> Record? {
        switch request.action {
        case .save(let save): return try run(save, request, row)
        case .delete:
            try delete(request, row)
            return nil
        }
    }

    /// Runs one operation of several. It reports an error that it finds before it changes anything, as all errors of callers are;
    /// others end the transaction.
    mutating func attempt(_ request: RecordRequest, on row: RecordRow?) throws -> Result<Record?, KinfolkError> {
        hasWritten = false
        do { return .success(try run(request, on: row)) } catch let error as KinfolkError {
            guard !hasWritten, error.code != .storeCorrupt else { throw error }
            return .failure(error)
        }
    }

    // MARK: Saving

    private mutating func run(_ save: RecordRequest.Save, _ request: RecordRequest, _ row: RecordRow?) throws -> Record
    {
        try requireWritable(row, request)
        if row == nil, request.needsRecord { throw RecordTransaction.noRecord }
        try requireUnchanged(row, request)
        let fields = save.fields(over: row?.content.fields ?? Fields())
        guard fields.names.count <= Record.maximumFields else {
            throw KinfolkError(.limitExceeded, "A record has at most \(Record.maximumFields) fields.")
        }
        let parent = save.parent(over: row?.content.parent)
        guard Record.size(of: fields, parent) <= Record.maximumSize else { throw Record.tooLarge }
        let content = RecordContent(
            name: request.id.name,
            creator: row == nil ? user : row?.content.creator,
            createdAt: row?.content.createdAt ?? now,
            modifier: user,
            modifiedAt: now,
            parent: parent,
            fields: fields,
            tie: row?.content.tie
        )
        let number = try row?.number ?? nextNumber()
        let type = try type(of: save, row)
        hasWritten = true
        let tag = SecureRandom.bytes(8)
        try storage.replace(row, by: content, number: number, type, changeTag: tag, in: place)
        return content.record(type: type.name, id: request.id, changeTag: tag, in: place)
    }

    /// The record type, with all fields that are saved.
    private mutating func type(of save: RecordRequest.Save, _ row: RecordRow?) throws -> TypeDefinition {
        if let row {
            let name = try session.service.schemas.name(ofType: row.type, in: place.container, session.service, db)
            guard name == save.type else {
                throw KinfolkError(.invalidArgument, "The record in the store has another type.")
            }
        }
        return try schema.type(save.type, with: save.typed, savedBy: session, in: access.database, db)
    }

    private mutating func nextNumber() throws -> Int64 {
        guard let number = numbers.first else { throw KinfolkError(.internalError, "No number was left for a record.") }
        numbers.removeFirst()
        return number
    }

    // MARK: Deleting

    private mutating func delete(_ request: RecordRequest, _ row: RecordRow?) throws {
        guard request.id.user == nil else { throw UserRecordRule.isKept }
        guard let row else {
            if request.needsRecord { throw RecordTransaction.noRecord }
            return
        }
        try requireWritable(row, request)
        try requireUnchanged(row, request)
        hasWritten = true
        try storage.delete(row, schema.schema.type(row.type), in: place)
    }

    // MARK: Who may write what

    /// Throws unless the user may change the record. In the public database, its creator may.
    private func requireWritable(_ row: RecordRow?, _ request: RecordRequest) throws {
        if let record = request.id.user {
            guard row != nil else { throw RecordTransaction.noRecord }
            try UserRecordRule.requireOwn(record, user)
        }
        guard access.database == .public, let row, row.content.creator != user else { return }
        // A new record whose name is taken: the reader of a public database may know that.
        guard request.expects != .missing else { throw try changed(row, request) }
        throw KinfolkError(.permissionFailure, "Only its creator can change or delete this record.")
    }

    private func requireUnchanged(_ row: RecordRow?, _ request: RecordRequest) throws {
        guard let row else { return }
        switch request.expects {
        case .anything, .present: return
        case .missing: throw try changed(row, request)
        case .unchanged:
            guard request.changeTag == Hexadecimal.text(row.changeTag) else { throw try changed(row, request) }
        }
    }

    private func changed(_ row: RecordRow, _ request: RecordRequest) throws -> KinfolkError {
        let reason =
            request.expects == .missing
            ? "There is a record with this ID already." : "The record was saved since it was fetched."
        return KinfolkError(.serverRecordChanged, reason, serverRecord: try access.record(row, request.id))
    }
}
