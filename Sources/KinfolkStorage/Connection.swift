import CSQLite
import KinfolkThreads

/// One connection to the store, used by one thread at a time inside a transaction.
package final class Connection {
    let handle: OpaquePointer
    private var isClosed = false
    private var hasBegun = false
    /// Whether ``notes`` are true of what the transaction sees. A write does not know them.
    package private(set) var keepsNotes = false
    private let patience = Patience()
    private var statements: [UnsafePointer<UInt8>: Statement] = [:]
    /// What readers have found out and keep for the next reads of this connection, in their own form. It is gone once anybody
    /// has changed the store.
    package var notes: AnyObject?
    private var notesVersion: Int64?
    /// Where the work of each statement is noted.
    var trace: WorkTrace? {
        didSet { for statement in statements.values { _ = statement.takeStepCount() } }
    }

    init(path: String) throws {
        var opened: OpaquePointer?
        // The store serialises each connection itself, so SQLite's own mutex is left out.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw StorageError(sqlite: code)
        }
        handle = opened
        patience.install(on: handle)
        // Where it may not write, SQLite opens for reading and says nothing.
        guard sqlite3_db_readonly(handle, "main") == 0 else { throw StorageError(.notPermitted) }
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    }

    deinit { close() }

    /// Closes the connection now, whoever may still hold this object for a moment. It is not used after that.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Runs SQL that takes no values and returns no rows: a pragma, DDL.
    func run(_ sql: String, until deadline: Deadline) throws {
        patience.start(until: deadline)
        try StorageError.check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Keeps about so many bytes of the database in memory.
    func setCacheSize(_ size: Int, until deadline: Deadline) throws {
        // Negative, SQLite takes it for KiB.
        try run("PRAGMA cache_size = -\(min(max(size / 1_024, 1), Int(Int32.max)))", until: deadline)
    }

    /// A prepared statement, the same at each call with the same SQL.
    package func statement(_ sql: StaticString) throws -> Statement {
        if let known = statements[sql.utf8Start] { return known }
        let statement = try Statement(handle, sql)
        statements[sql.utf8Start] = statement
        return statement
    }

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    package func execute(_ sql: StaticString, _ values: Value...) throws -> Int {
        try using(sql, values) { statement in
            while try statement.step() {}
            return Int(sqlite3_changes64(handle))
        }
    }

    /// Runs a statement that changes something once for each of `rows`, with its values, and returns how many rows it changed.
    @discardableResult
    package func execute<Rows: Sequence>(
        _ sql: StaticString,
        for rows: Rows,
        values: (Rows.Element) throws -> [Value]
    ) throws -> Int {
        try using(sql, []) { statement in
            var changes = 0
            for row in rows {
                try statement.bind(values(row))
                while try statement.step() {}
                changes += Int(sqlite3_changes64(handle))
                statement.reset()
            }
            return changes
        }
    }

    /// The first row of a query, or nil.
    package func first<Result>(
        _ sql: StaticString,
        _ values: Value...,
        read: (Statement) throws -> Result
    ) throws -> Result? {
        try using(sql, values) { statement in try statement.step() ? read(statement) : nil }
    }

    /// All rows of a query, in order.
    package func all<Result>(
        _ sql: StaticString,
        _ values: Value...,
        read: (Statement) throws -> Result
    ) throws -> [Result] {
        try using(sql, values) { statement in
            var rows: [Result] = []
            while try statement.step() { rows.append(try read(statement)) }
            return rows
        }
    }

    private func using<Result>(
        _ sql: StaticString,
        _ values: [Value],
        _ body: (Statement) throws -> Result
    ) throws -> Result {
        // SQLite ends a transaction by itself after some failures. What came after would be written at once, and for good.
        guard !hasBegun || isInTransaction else { throw StorageError(sqlite: SQLITE_IOERR) }
        let statement = try statement(sql)
        defer { finish(statement) }
        try statement.bind(values)
        return try body(statement)
    }

    /// Ends the use of a statement that ``statement(_:)`` gave.
    package func finish(_ statement: Statement) {
        statement.clear()
        trace?.work.append(WorkDone(sql: statement.sql, steps: statement.takeStepCount()))
    }

    enum Purpose { case read, write }

    /// Runs `body` in a transaction, which ends with it: committed, or undone if `body` throws. It waits for other processes
    /// until `deadline`.
    func transaction<Result>(
        _ purpose: Purpose,
        until deadline: Deadline,
        _ body: (Connection) throws -> Result
    ) throws -> Result {
        patience.start(until: deadline)
        try execute(purpose == .read ? "BEGIN" : "BEGIN IMMEDIATE")
        hasBegun = true
        keepsNotes = purpose == .read
        defer {
            hasBegun = false
            keepsNotes = false
        }
        do {
            if purpose == .read { try beginSnapshot() }
            let result = try body(self)
            try execute("COMMIT")
            return result
        } catch {
            // SQLite has undone it already after some failures.
            if isInTransaction { _ = try? execute("ROLLBACK") }
            throw error
        }
    }

    /// From here on the transaction sees the store as it is now. SQLite tells by a number whether others changed it since.
    private func beginSnapshot() throws {
        let version = try first("PRAGMA data_version") { $0.integer(0) }
        if version != notesVersion { notes = nil }
        notesVersion = version
    }

    /// Whether a transaction is under way, and SQLite has not ended it by itself.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Runs `body` within a transaction, and undoes what it did, and no more, if it throws.
    func savepoint(_ body: (Connection) throws -> Void) throws {
        try execute("SAVEPOINT one_of_several")
        do {
            try body(self)
            try execute("RELEASE one_of_several")
        } catch {
            if isInTransaction {
                do {
                    try execute("ROLLBACK TO one_of_several")
                    try execute("RELEASE one_of_several")
                } catch {
                    // Rather nothing of all than half of one.
                    _ = try? execute("ROLLBACK")
                }
            }
            throw error
        }
    }

    /// Copies the write-ahead log into the database and empties it. False while a reader or a writer holds it.
    func truncateLog() -> Bool {
        patience.stop()
        return sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }
}
