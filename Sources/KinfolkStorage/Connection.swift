import KinfolkThreads

/// One connection to the store, used by one thread at a time inside a transaction.
package final class Connection {
    let engine: any EngineConnection
    private var hasBegun = false
    /// Whether the transaction may read and keep notes. A write may not.
    package private(set) var keepsNotes = false
    private var statements: [UnsafePointer<UInt8>: any Statement] = [:]
    private var composedStatements = ComposedStatements()
    /// Results that readers cache for later reads of this connection. Discarded when the store changes.
    private var notes: AnyObject?
    /// Results that writes of this connection cache. Discarded when another connection has changed the store, and when something was
    /// rolled back. The connection's own changes do not discard them. Nil on a server, where nothing tells whether others wrote.
    package var writeNotes: AnyObject?
    /// Results that a transaction caches for its duration. Code that changes the underlying data must clear them.
    package var transactionNote: AnyObject?
    /// Whether the transaction may be run again if its outcome is unknown; then its outcome is not looked up.
    var isRepeatable = false
    /// Whether the next write transaction must survive a power cut when it is committed.
    var isDurable = true
    /// The newest version of the schema that this program knows. No transaction begins on a newer one.
    var newestSchema = Int64.max
    /// Records the work of each statement, if set.
    var trace: WorkTrace? {
        didSet {
            for statement in statements.values { _ = statement.takeStepCount() }
            for statement in composedStatements.all { _ = statement.takeStepCount() }
        }
    }

    init(_ engine: any EngineConnection) { self.engine = engine }

    /// Closes the connection now, even if another thread still holds a reference to this object. The object is not used after
    /// that.
    func close() {
        statements.removeAll()
        composedStatements.removeAll()
        engine.close()
    }

    /// A prepared statement; calls with the same SQL return the same one.
    package func statement(_ sql: StaticString) throws -> any Statement {
        if let known = statements[sql.utf8Start] { return known }
        let statement = try engine.prepare(sql.description)
        statements[sql.utf8Start] = statement
        return statement
    }

    /// Runs a statement that changes something. On a server, it may run, and fail, later in the transaction.
    package func execute(_ sql: StaticString, _ values: Value...) throws {
        try using(sql, values) { try $0.enqueue { _ in } }
    }

    /// Runs a statement and counts the rows it changed.
    package func executeCounting(_ sql: StaticString, _ values: Value...) throws -> ChangeCount {
        let count = ChangeCount()
        try using(sql, values) { try $0.enqueue(count.add) }
        return count
    }

    /// Runs a statement once for each of `rows`, with the row's values.
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

    /// Runs a statement once for each of `rows`, and returns how many rows they changed.
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

    /// Runs a statement, composed at run time, once for each of `rows`, and returns how many rows they changed.
    package func changes<Rows: Sequence>(
        composed sql: String,
        for rows: Rows,
        values: (Rows.Element) throws -> [Value]
    ) throws -> Int {
        let count = ChangeCount()
        try using(composed: sql, []) { statement in
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

    /// Prefetches the queries that `body` makes: a server answers all of them in one round trip instead of one round trip each.
    /// `body` sees no rows. Until the transaction's first write, the same queries are then answered from the prefetched results.
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

    /// Calls `body` for each row of a query, in order, until it returns false. Code that makes large values of rows uses this instead of
    /// ``all(_:_:read:)``, which is not specialised for them in other modules.
    package func forEach(
        _ sql: StaticString,
        _ values: Value...,
        body: (any Statement) throws -> Bool
    ) throws {
        try using(sql, values) { statement in
            while try statement.step(), try body(statement) {}
        }
    }

    /// Looks up many keys at once. The SQL compares a column with `= ANY($n)`, as the last of its values, and selects that column
    /// first. Calls `read` for each row, in no particular order, with the position of its key.
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

    /// How many prepared statements with composed SQL are kept.
    package var composedStatementCount: Int { composedStatements.count }

    /// Runs `body` with a prepared statement whose SQL was composed at run time. The most recently used statements are kept.
    package func using<Result>(
        composed sql: String,
        _ values: [Value],
        _ body: (any Statement) throws -> Result
    ) throws -> Result {
        try using({ try composedStatements.statement(sql, prepare: engine.prepare) }, values, body)
    }

    /// Runs a statement, composed at run time, that changes something.
    package func execute(composed sql: String, _ values: [Value]) throws {
        try using(composed: sql, values) { try $0.enqueue { _ in } }
    }

    /// Runs a statement, composed at run time, once for each of `rows`, with the row's values.
    package func execute<Rows: Sequence>(
        composed sql: String,
        for rows: Rows,
        values: (Rows.Element) throws -> [Value]
    ) throws {
        try using(composed: sql, []) { try enqueue($0, for: rows, values: values) { _ in } }
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
        // After some failures, an engine ends the transaction by itself. Later statements would then be committed immediately,
        // one by one.
        guard !hasBegun || engine.isInTransaction else { throw StorageError(.inputOutput) }
        let statement = try prepared()
        defer { finish(statement) }
        try statement.bind(values)
        let result = try body(statement)
        try statement.checkValues()
        return result
    }

    /// What readers noted, if it is still valid for this transaction's snapshot.
    package func currentNotes() throws -> AnyObject? {
        try engine.settle()
        return notes
    }

    /// Identifies the history of the database. Results that were cached in another history may be wrong in this one.
    package var history: String { engine.history }

    package func keep(_ notes: AnyObject) { self.notes = notes }

    /// Called by an engine when the store may have been changed.
    func forgetNotes() {
        notes = nil
        writeNotes = nil
    }

    /// Ends the use of a statement that ``statement(_:)`` returned.
    package func finish(_ statement: any Statement) {
        statement.clear()
        trace?.work.append(WorkDone(sql: statement.sql, steps: statement.takeStepCount()))
    }

    /// Records how often a transaction waited for a server.
    private func note(roundTripsSince start: Int) {
        let count = engine.roundTripCount - start
        if count > 0 { trace?.work.append(WorkDone(sql: WorkDone.roundTrips, steps: count)) }
    }

    /// Records the work of a command that is not a prepared statement.
    func note(_ command: String) { trace?.work.append(WorkDone(sql: command, steps: 1)) }

    enum Purpose {
        case read, write
        /// A write that is large, or that failed too often because of concurrent writes. If the engine allows concurrent writers,
        /// this write excludes them.
        case writeAlone
    }

    /// Runs `body` in a transaction, which is committed when `body` returns and rolled back when it throws. It waits for other
    /// processes until `deadline`.
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
        let roundTripCount = engine.roundTripCount
        defer { note(roundTripsSince: roundTripCount) }
        do {
            try engine.begin(purpose, of: self, until: deadline)
            hasBegun = true
            keepsNotes = purpose == .read
            let result = try body(self)
            try engine.commit(self)
            return result
        } catch {
            writeNotes = nil
            // After some failures the engine has already rolled it back.
            if engine.isInTransaction { engine.rollBack(self) }
            throw error
        }
    }

    /// Whether a transaction is open, and the engine has not ended it by itself.
    var isInTransaction: Bool { engine.isInTransaction }

    /// Runs `body` as a part of a transaction. If `body` throws, only that part is rolled back.
    func part(_ body: (Connection) throws -> Void) throws {
        try engine.beginPart(of: self)
        do {
            try body(self)
            try engine.endPart(of: self)
        } catch {
            transactionNote = nil
            writeNotes = nil
            if isInTransaction {
                do {
                    try engine.undoPart(of: self)
                } catch let undone as StorageError where undone.isPassing {
                    throw undone
                } catch {
                    // Rolls back everything rather than keep half of a part.
                    engine.rollBack(self)
                }
            }
            throw error
        }
    }
}
