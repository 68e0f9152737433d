import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Saves and deletes records in one write transaction.
struct RecordWriting {
    let transaction: RecordTransaction
    let caller: Session.User
    private var user: UserRecordID { caller.record }
    private var schema: SchemaGrowth
    private var numbers: Range<Int64>
    private let storage: RecordStorage
    private let now: Timestamp
    /// Whether the present operation has changed something. It cannot fail alone any more.
    private var hasWritten = false
    /// The size of the records that were saved so far.
    private var size = 0
    /// The records of the operations, and the targets of references that they add, without their fields; nil for those that do not
    /// exist.
    var rows: [RecordID: RecordRow] = [:]
    /// The records for which ``rows`` is right.
    var lookedUp: Set<RecordID> = []
    var references: ReferenceChanges
    /// The assets that saves name, as they are before the first change.
    var assets: [Asset: AssetRow] = [:]
    /// The records that were deleted so far and that the caller may read.
    private(set) var deleted: [DeletedRecord] = []
    /// How many records were deleted so far.
    private var deletedCount = 0
    /// Records of ``rows`` that were deleted, as they were.
    private var cascaded: [RecordID: RecordRow] = [:]
    /// The records that later operations of a batch save; empty if references must be fulfilled at once.
    var upcoming: Set<RecordID> = []
    /// Whether conditions are checked when all operations are done.
    var defersConditions = false
    /// What must be true when the transaction ends, and the operation that fails otherwise.
    var conditions: [(id: RecordID, condition: Condition)] = []

    enum Condition {
        case exists(RecordID)
        case isNotNeeded(RecordCascade)
    }

    private var db: Connection { transaction.db }
    /// With the record types that this transaction has added.
    var access: RecordAccess {
        transaction.database == .private ? .ofOwner : RecordAccess(caller, schema.schema)
    }
    private var session: Session { transaction.session }

    /// Calls `body` after the present records of these requests were read. They are read before the first change, so that a server
    /// answers in one round trip, or in two for custom zones. If they have many targets, these are read afterwards: a record may
    /// refer to most of them already.
    ///
    /// - Parameters:
    ///   - numbers: Numbers for new records, at least as many as there are records to save.
    ///   - opened: The private database in this transaction, with the zones that were looked up; nil if nothing was.
    static func with<Result>(
        _ requests: [RecordRequest],
        _ session: Session,
        _ database: DatabaseScope,
        numbers: LeasedNumbers,
        within opened: RecordTransaction? = nil,
        _ db: Connection,
        _ body: (inout RecordWriting) throws -> Result
    ) throws -> Result {
        let own = requests.map(\.id)
        let named = requests.flatMap(\.references)
        let areFew = named.count <= targetsAtOnce
        var known: Set<RecordID> = []
        let asked = (own + (areFew ? named.map(\.target) : [])).filter { known.insert($0).inserted }
        let questions = ReferenceQuestions(
            deleted: Set(requests.lazy.filter { !$0.isSave }.map(\.id)),
            counted: areFew ? Set(named.lazy.filter { $0.action == .deleteSelf }.map(\.target)) : []
        )
        try RecordTransaction.askAhead(asked, session, database, questions, isWriting: true, db)
        var writing = try RecordWriting(session, database, numbers: numbers, within: opened, db)
        try writing.transaction.askAhead(inZonesOf: asked, questions, isWriting: true)
        for request in requests { try writing.read(request) }
        try writing.readAssets(of: requests)
        try writing.readTargets(of: requests, wereAsked: areFew)
        let result = try body(&writing)
        try writing.storage.finish()
        return result
    }

    private init(
        _ session: Session,
        _ database: DatabaseScope,
        numbers: LeasedNumbers,
        within opened: RecordTransaction?,
        _ db: Connection
    ) throws {
        caller = try session.userInGoodStanding(db)
        schema = try SchemaGrowth(session.container, db)
        transaction = try opened ?? RecordTransaction(writing: session, by: caller, database, schema.schema, db)
        self.numbers = try session.service.recordNumbers.numbers(numbers, of: session.service, db)
        storage = RecordStorage(session.service, device: session.device, db)
        references = ReferenceChanges(db)
        now = session.service.clock()
    }

    private mutating func read(_ request: RecordRequest) throws {
        guard let place = try transaction.place(ofZone: request.id.zone) else { return }
        try storage.prepare(place)
        lookedUp.insert(request.id)
        rows[request.id] = try transaction.row(request.id)
        // If more records are going to be deleted, the operations fail before they need the others.
        guard !request.isSave, references.sourceCount <= RecordCascade.maximumCount else { return }
        try references.readSources(of: request.id, in: place)
    }

    /// Runs one operation.
    ///
    /// - Returns: The saved record; nil for a deletion.
    mutating func run(_ request: RecordRequest) throws -> Record? {
        guard let place = try transaction.place(ofZone: request.id.zone) else { throw RecordTransaction.noZone }
        let row = rows[request.id]
        upcoming.remove(request.id)
        switch request.action {
        case .save(let save): return try run(save, request, row, in: place)
        case .delete:
            try delete(request, row, in: place)
            return nil
        }
    }

    /// Runs one operation of several. It reports an error that it finds before it changes anything, as all errors of callers are;
    /// others end the transaction.
    mutating func attempt(_ request: RecordRequest) throws -> Result<Record?, KinfolkError> {
        hasWritten = false
        do { return .success(try run(request)) } catch let error as KinfolkError {
            guard !hasWritten, error.code != .storeCorrupt else { throw error }
            return .failure(error)
        }
    }

    // MARK: Saving

    private mutating func run(
        _ save: RecordRequest.Save,
        _ request: RecordRequest,
        _ row: RecordRow?,
        in place: RecordPlace
    ) throws -> Record {
        try requirePermission(for: save, request, row)
        try requireUnchanged(row, request)
        let fields = save.fields(over: row?.content.fields ?? Fields())
        guard fields.count <= Record.maximumFields else {
            throw KinfolkError(.limitExceeded, "A record has at most \(Record.maximumFields) fields.")
        }
        let parent = save.parent(over: row?.content.parent)
        let size = Record.size(of: fields, parent)
        guard size <= Record.maximumSize else { throw Record.tooLarge }
        // With the fields that an update leaves as they are, so that readers of changes get the batch in one page.
        guard self.size + size <= Database.maximumBatchSize else {
            throw KinfolkError(
                .limitExceeded,
                "The records of a batch have at most \(Database.maximumBatchSize) bytes, with the fields that are not sent."
            )
        }
        try WordLimit.check(fields, over: row?.content.fields, schema.schema.types[save.type])
        let content = RecordContent(
            name: request.id.name,
            creator: row == nil ? user : row?.content.creator,
            erasedCreator: row?.content.erasedCreator,
            createdAt: row?.content.createdAt ?? now,
            modifier: user,
            modifiedAt: now,
            parent: parent,
            fields: fields,
            tie: row?.content.tie
        )
        try requireAssets(of: request, row)
        let unmet = try requireTargets(of: content, request, row, in: place)
        try storage.requireRoom(for: content, over: row, schema.schema.quotas(), in: place)
        let number = try row?.number ?? nextNumber()
        let type = try type(of: save, row)
        hasWritten = true
        self.size += size
        let tag = ChangeTag.random()
        try storage.replace(row, by: content, number: number, type, changeTag: tag, in: place)
        conditions += unmet.map { (request.id, .exists($0)) }
        note(number, from: row?.content, to: content, in: place)
        rows[request.id] = RecordRow(saved: content, number: number, type: type.number, changeTag: tag)
        return try result(content, save, row).record(type: type.name, id: request.id, changeTag: tag, in: place)
    }

    /// What the caller is told of a saved record: all of it if the caller may read it, otherwise what the caller sent.
    private func result(_ saved: RecordContent, _ save: RecordRequest.Save, _ row: RecordRow?) throws -> RecordContent {
        guard let row, try !access.mayRead(row) else { return saved }
        return RecordContent(
            name: saved.name,
            creator: nil,
            createdAt: saved.modifiedAt,
            modifier: saved.modifier,
            modifiedAt: saved.modifiedAt,
            parent: save.parent,
            fields: save.values
        )
    }

    /// The record type, with all fields that are saved.
    private mutating func type(
        of save: RecordRequest.Save,
        _ row: RecordRow?
    ) throws -> TypeDefinition {
        if let row, try name(ofType: row.type) != save.type {
            throw KinfolkError(.invalidArgument, "The record in the store has another type.")
        }
        return try schema.type(save.type, with: save.typed, savedBy: session, in: transaction.database, db)
    }

    private mutating func nextNumber() throws -> Int64 {
        guard let number = numbers.first else { throw KinfolkError(.internalError, "No number was left for a record.") }
        numbers.removeFirst()
        return number
    }

    // MARK: Deleting

    private mutating func delete(_ request: RecordRequest, _ row: RecordRow?, in place: RecordPlace) throws {
        guard request.id.user == nil else { throw UserRecordRule.isKept }
        guard let row, try !access.isHidden(row) else {
            // It was deleted with another record of the batch.
            if let gone = cascaded[request.id], try access.mayWrite(gone) { return try requireUnchanged(gone, request) }
            if request.needsRecord { throw RecordTransaction.noRecord }
            return
        }
        guard try access.mayWrite(row) else { throw RecordAccess.refusal }
        try requireUnchanged(row, request)
        let limit = RecordCascade.maximumCount - deletedCount
        let (records, isNeeded) = try references.cascade(of: row, request.id, limit: limit, in: place)
        if isNeeded {
            guard defersConditions else { throw RecordWriting.neededRecord }
            conditions.append((request.id, .isNotNeeded(records)))
        }
        hasWritten = true
        deletedCount += records.members.count
        try storage.delete(row, schema.schema.type(row.type), in: place)
        try noteDeletion(of: row, in: place)
        try records.delete(after: 1, from: storage, schema.schema.type) { other in
            try noteDeletion(of: other, in: place)
        }
    }

    private mutating func noteDeletion(of row: RecordRow, in place: RecordPlace) throws {
        let id = RecordID(valid: row.content.name, zone: place.zoneName)
        if let number = row.number { note(number, from: row.content, to: nil, in: place) }
        // Only records that another operation is about are kept: those that are deleted with one may be large.
        if let known = rows.removeValue(forKey: id) { cascaded[id] = known }
        guard try access.mayRead(row) else { return }
        deleted.append(DeletedRecord(id: id, type: try name(ofType: row.type)))
    }

    private func name(ofType type: Int64) throws -> String {
        guard let name = type == 0 ? RecordType.users : schema.schema.name(ofType: type) else {
            throw RecordAccess.unknownType
        }
        return name
    }

    private mutating func note(
        _ number: Int64,
        from before: RecordContent?,
        to after: RecordContent?,
        in place: RecordPlace
    ) {
        func links(_ content: RecordContent?) -> Set<ReferenceChanges.Link> {
            content.map { ReferenceChanges.links(of: $0, in: place.zoneName) } ?? []
        }
        // Most operations are about records without references.
        if references.isInUse { references.note(number, from: links(before), to: links(after)) }
    }

    // MARK: Who may write what

    /// Throws unless the grants allow a save. A hidden record gets the answers of a missing one, as far as the caller may not learn by
    /// creating a record that its name is taken.
    private func requirePermission(for save: RecordRequest.Save, _ request: RecordRequest, _ row: RecordRow?) throws {
        // A user record exists as long as its user, and is never created.
        let mayCreate = request.id.user == nil && !request.needsRecord
        let isCreated = mayCreate && (row == nil || request.expects == .missing)
        if isCreated, !access.mayCreate(save.type) { throw RecordAccess.refusal }
        guard let row else {
            guard mayCreate else { throw access.absence(ofType: save.type) }
            return
        }
        if try isCreated || access.mayWrite(row) { return }
        let looksMissing = try !mayCreate && access.isHidden(row)
        throw looksMissing ? access.absence(ofType: save.type) : RecordAccess.refusal
    }

    private func requireUnchanged(_ row: RecordRow?, _ request: RecordRequest) throws {
        guard let row else { return }
        switch request.expects {
        case .anything, .present: return
        case .missing: throw try changed(row, request)
        case .unchanged:
            guard request.changeTag == row.changeTag.text else { throw try changed(row, request) }
        }
    }

    private func changed(_ row: RecordRow, _ request: RecordRequest) throws -> KinfolkError {
        guard try access.mayRead(row) else { return RecordAccess.refusal }
        let reason =
            request.expects == .missing
            ? "There is a record with this ID already." : "The record was saved since it was fetched."
        return KinfolkError(.serverRecordChanged, reason, serverRecord: try transaction.record(row, request.id))
    }
}
