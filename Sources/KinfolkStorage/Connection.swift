import KinfolkThreads

/// One connection to the store, used by one thread at a time inside a transaction.
package final class Connection {
    let engine: any EngineConnection
    private var hasBegun = false
    /// Whether the transaction may use and keep notes. A write does not know them.
    package private(set) var keepsNotes = false
    private var statements: [UnsafePointer<UInt8>: any Statement] = [:]
    /// Those whose SQL was put together.
    private var composedStatements: [String: any Statement] = [:]
    /// What readers have found out and keep for the next reads of this connection, in their own form. It is gone once anybody
    /// has changed the store.
    private var notes: AnyObject?
    /// What a transaction has found out and keeps for the rest of it. Whoever changes that takes it away.
    package var transactionNote: AnyObject?
    /// Whether what the transaction wrote may be written again if nobody knows what came of it: then nobody will ask.
    var isRepeatable = false
    /// Where the work of each statement is noted.
    var trace: WorkTrace? {
        didSet {
            for statement in statements.values { _ = statement.takeStepCount() }
            for statement in composedStatements.values { _ = statement.takeStepCount() }
        }
    }

    init(_ engine: any EngineConnection) { self.engine = engine }

    /// Closes the connection now, whoever may still hold this object for a moment. It is not used after that.
    func close() {
        statements.removeAll()
        composedStatements.removeAll()
        engine.close()
    }

    /// A prepared statement, the same at each call with the same SQL.
    package func statement(_ sql: StaticString) throws -> any Statement {
        if let known = statements[sql.utf8Start] { return known }
        let statement = try engine.prepare(sql.description)
        statements[sql.utf8Start] = statement
        return statement
    }

    /// Runs a statement that changes something. On a server it may be done, and fail, later in the transaction.
    package func execute(_ sql: StaticString, _ values: Value...) throws {
        try using(sql, values) { try $0.enqueue { _ in } }
    }

    /// The same, and how many rows it changed.
    package func executeCounting(_ sql: StaticString, _ values: Value...) throws -> ChangeCount {
        let count = ChangeCount()
        try using(sql, values) { try $0.enqueue(count.add) }
        return count
    }

    /// The same once for each of `rows`, with its values.
    package func execute<Rows: Sequence>(
        _ sql: StaticString,
        for rows: Rows,
        values: (Rows.Element) throws -> [Value]
    ) throws {
        try using(sql, []) { try enqueue($0, for: rows, values: values) { _ in } }
    }

    /// Runs a statement and returns how many rows it changed.
    package func changes(_ sql: StaticString, _ values: Value...) throws -> Int {
        let count = ChangeCount()
        try using(sql, values) { statement in
            try statement.enqueue(count.add)
            try statement.flush()
        }
        return count.value
    }

    /// The same once for each of `rows`, with its values.
    package func changes<Rows: Sequence>(
        _ sql: StaticString,
        for rows: Rows,
        values: (Rows.Element) throws -> [Value]
    ) throws -> Int {
        let count = ChangeCount()
        try using(sql, []) { statement in
            try enqueue(statement, for: rows, values: values, count.add)
            try statement.flush()
        }
        return count.value
    }

    private func enqueue<Rows: Sequence>(
        _ statement: any Statement,
        for rows: Rows,
        values: (Rows.Element) throws -> [Value],
        _ changes: @escaping (Int) -> Void
    ) throws {
        for row in rows {
            try statement.bind(values(row))
            try statement.enqueue(changes)
        }
    }

    /// On a server, has the queries that `body` makes asked in one journey: a transaction that makes them one by one waits for
    /// each. `body` sees no rows. Who makes them again before the transaction writes is answered from that.
    package func askAhead(_ body: () throws -> Void) throws { try engine.askAhead(body) }

    /// The first row of a query, or nil.
    package func first<Result>(
        _ sql: StaticString,
        _ values: Value...,
        read: (any Statement) throws -> Result
    ) throws -> Result? {
        try using(sql, values) { statement in try statement.step() ? read(statement) : nil }
    }

    /// All rows of a query, in order.
    package func all<Result>(
        _ sql: StaticString,
        _ values: Value...,
        read: (any Statement) throws -> Result
    ) throws -> [Result] {
        try using(sql, values) { statement in
            var rows: [Result] = []
            while try statement.step() { rows.append(try read(statement)) }
            return rows
        }
    }

    /// Looks many keys up at once: all that the last of the query's values is to equal, which its SQL calls `= ANY($n)`. Its
    /// first column is the key's. Calls `read` at each row, in no order, with the position of its key.
    package func lookUp(
        _ sql: StaticString,
        _ values: Value...,
        keys: KeyList,
        read: (_ position: Int, any Statement) throws -> Void
    ) throws {
        try using(sql, values) { statement in
            try statement.lookUp(keys, at: Int32(values.count + 1)) { try read($0, statement) }
        }
    }

    /// Runs `body` with a prepared statement, the same at each call with the same SQL, that was put together: there are few.
    package func using<Result>(
        composed sql: String,
        _ values: [Value],
        _ body: (any Statement) throws -> Result
    ) throws -> Result {
        func prepared() throws -> any Statement {
            if let known = composedStatements[sql] { return known }
            let statement = try engine.prepare(sql)
            composedStatements[sql] = statement
            return statement
        }
        return try using(prepared, values, body)
    }

    private func using<Result>(
        _ sql: StaticString,
        _ values: [Value],
        _ body: (any Statement) throws -> Result
    ) throws -> Result {
        try using({ try statement(sql) }, values, body)
    }

    private func using<Result>(
        _ prepared: () throws -> any Statement,
        _ values: [Value],
        _ body: (any Statement) throws -> Result
    ) throws -> Result {
        // An engine ends a transaction by itself after some failures. What came after would be written at once, and for good.
        guard !hasBegun || engine.isInTransaction else { throw StorageError(.inputOutput) }
        let statement = try prepared()
        defer { finish(statement) }
        try statement.bind(values)
        let result = try body(statement)
        try statement.checkValues()
        return result
    }

    /// What readers noted, if it is true of what this transaction sees.
    package func currentNotes() throws -> AnyObject? {
        try engine.settle()
        return notes
    }

    /// What was learnt in another history of the database may never have been in this one.
    package var history: String { engine.history }

    package func keep(_ notes: AnyObject) { self.notes = notes }

    /// For an engine that finds that somebody may have changed something.
    func forgetNotes() { notes = nil }

    /// Ends the use of a statement that ``statement(_:)`` gave.
    package func finish(_ statement: any Statement) {
        statement.clear()
        trace?.work.append(WorkDone(sql: statement.sql, steps: statement.takeStepCount()))
    }

    /// Notes a command that is no statement of ours.
    func note(_ command: String) { trace?.work.append(WorkDone(sql: command, steps: 1)) }

    enum Purpose {
        case read, write
        /// A write that is large, or did not get through beside others: it has the store for itself, if the engine lets others
        /// write at the same time at all.
        case writeAlone
    }

    /// Runs `body` in a transaction, which ends with it: committed, or undone if `body` throws. It waits for other processes
    /// until `deadline`.
    func transaction<Result>(
        _ purpose: Purpose,
        until deadline: Deadline,
        _ body: (Connection) throws -> Result
    ) throws -> Result {
        defer {
            hasBegun = false
            keepsNotes = false
            isRepeatable = false
            transactionNote = nil
        }
        do {
            try engine.begin(purpose, of: self, until: deadline)
            hasBegun = true
            keepsNotes = purpose == .read
            let result = try body(self)
            try engine.commit(self)
            return result
        } catch {
            // The engine has undone it already after some failures.
            if engine.isInTransaction { engine.rollBack(self) }
            throw error
        }
    }

    /// Whether a transaction is under way, and the engine has not ended it by itself.
    var isInTransaction: Bool { engine.isInTransaction }

    /// Runs `body` within a transaction, and undoes what it did, and no more, if it throws.
    func part(_ body: (Connection) throws -> Void) throws {
        try engine.beginPart(of: self)
        do {
            try body(self)
            try engine.endPart(of: self)
        } catch {
            transactionNote = nil
            if isInTransaction {
                do {
                    try engine.undoPart(of: self)
                } catch let undone as StorageError where undone.isPassing {
                    throw undone
                } catch {
                    // Rather nothing of all than half of one.
                    engine.rollBack(self)
                }
            }
            throw error
        }
    }
}
