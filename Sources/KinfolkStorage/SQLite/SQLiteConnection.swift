import CSQLite
import CSQLiteVFS
import Glibc
import KinfolkFiles
import KinfolkThreads

/// A connection to an SQLite database.
final class SQLiteConnection: EngineConnection {
    let handle: OpaquePointer
    private var isClosed = false
    private let patience = Patience()
    private var dataVersion: Int64?
    private var isReading = false
    /// Whether each commit waits until the log is on disk.
    private var syncsCommits = true
    /// Whether the last connection that is closed leaves the log next to the file, instead of copying it into the file.
    private var keepsLog = false
    /// Whether the database, its log or its index was found not to be at its path.
    private var isLost = false

    private let path: FilePath
    private let logPath: FilePath
    private let access: SQLiteAccess
    private var log: WriteAheadLog?

    let history = ""

    init(path: FilePath, _ access: SQLiteAccess = .writing) throws {
        self.path = path
        logPath = path + "-wal"
        self.access = access
        var opened: OpaquePointer?
        // SQLite's own mutex is not used, because the store serialises each connection itself.
        let mode = access.isWriting ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = try sqlite3_open_v2(access.name(of: path), &opened, flags, SQLiteConnection.fileSystem())
        guard code == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw StorageError(sqlite: code, on: opened)
        }
        handle = opened
        patience.install(on: handle)
        // If the file may not be written, SQLite silently opens it for reading.
        guard !access.isWriting || sqlite3_db_readonly(handle, "main") == 0 else { throw StorageError(.notPermitted) }
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    }

    /// The name of the VFS by which Kinfolk opens databases: see `ckinfolk_vfs.h`.
    static func fileSystem() throws -> String {
        try StorageError.check(ckinfolk_vfs_register())
        return CKINFOLK_VFS
    }

    var isUsable: Bool { !isLost && !isOutdated }

    var isOutdated: Bool { access.isOutdated(path) }

    /// The open database file.
    var file: SQLiteFile? { SQLiteFile(of: handle) }

    /// Which file is open.
    var identity: FileIdentity? { SQLiteConnection.identity(of: handle, at: path) }

    /// Whether the file at the path is no longer the open one.
    var hasMoved: Bool {
        var hasMoved: Int32 = 0
        let code = sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        return code == SQLITE_OK && hasMoved != 0
    }

    /// Whether the database, its log and its index are still the files at their paths. If not, others no longer see what this
    /// connection writes, and what it would copy into the database file may be older than the file.
    ///
    /// Once false, it stays false, and closing the connection changes no file of the store.
    private func isInPlace(asking question: Int = CKINFOLK_IS_IN_PLACE) -> Bool {
        guard !isLost else { return false }
        var isInPlace: Int32 = 1
        sqlite3_file_control(handle, "main", Int32(question), &isInPlace)
        guard isInPlace == 0 else { return true }
        isLost = true
        keepsLog = false
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        return false
    }

    /// A write looks at each file, a read at the folder.
    private var check: Int { isReading ? CKINFOLK_IS_PROBABLY_IN_PLACE : CKINFOLK_IS_IN_PLACE }

    deinit { close() }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        if !isInPlace() { sqlite3_file_control(handle, "main", Int32(CKINFOLK_ABANDON), nil) }
        // An empty log is deleted with its index, as if the connection had never been opened.
        if keepsLog && !SQLiteAccess.hasLog(path) {
            kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        }
        sqlite3_close_v2(handle)
    }

    var roundTripCount: Int { 0 }

    func askAhead(_ body: () throws -> Void) {}

    func prepare(_ sql: String) throws -> any Statement { try SQLiteStatement(handle, sql) }

    func run(_ sql: String, until deadline: Deadline) throws {
        patience.start(until: deadline)
        try StorageError.check(sqlite3_exec(handle, sql, nil, nil, nil), on: handle)
    }

    // MARK: Transactions

    func begin(_ purpose: Connection.Purpose, of connection: Connection, until deadline: Deadline) throws {
        patience.start(until: deadline)
        if purpose != .read { try sync(commits: connection.isDurable) }
        isReading = purpose == .read
        do { try connection.execute(isReading ? "BEGIN" : "BEGIN IMMEDIATE") } catch {
            guard isInPlace() else { throw StorageError(.interrupted) }
            throw error
        }
        // From here on the transaction has a snapshot. The data version shows whether others have changed the database since the
        // last one.
        let version = try connection.first("PRAGMA data_version") { $0.integer(0) }
        guard isInPlace(asking: check) else { throw StorageError(.interrupted) }
        guard version != dataVersion else { return }
        connection.forgetNotes()
        let schema = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        guard schema <= connection.newestSchema else { throw StorageError(.newer) }
        dataVersion = version
    }

    /// Commits that are not synced are in the log before later ones, and so are on disk with the next one that is.
    private func sync(commits: Bool) throws {
        guard commits != syncsCommits else { return }
        try StorageError.check(
            sqlite3_exec(handle, "PRAGMA synchronous = \(commits ? "FULL" : "NORMAL")", nil, nil, nil),
            on: handle
        )
        syncsCommits = commits
    }

    func settle() {}

    func commit(_ connection: Connection) throws {
        do { try connection.execute("COMMIT") } catch {
            // After damage was found, SQLite refuses COMMIT. A read transaction has nothing to lose.
            guard isReading else { throw error }
            rollBack(connection)
        }
        // Data read without locks is valid only if nobody has changed the file meanwhile.
        if isOutdated { throw StorageError(.interrupted) }
        // What was written to a file that is no longer in place may be lost. What was read there may have been overwritten meanwhile.
        guard isInPlace(asking: check) else { throw StorageError(isReading ? .interrupted : .inDoubt) }
        guard let log else { return }
        if log.hasGrown { announceCommit() }
        log.keepShort(patience: patience)
    }

    /// Sets the times of the log, which wakes those who watch the folder (``FolderWatch``). The writes to the log come too early for
    /// that: until the log is synced and its index updated, readers do not see the commit.
    private func announceCommit() { utimensat(AT_FDCWD, logPath.cString, nil, AT_SYMLINK_NOFOLLOW) }

    func signal() {}

    func rollBack(_ connection: Connection) { _ = try? connection.execute("ROLLBACK") }

    func beginPart(of connection: Connection) throws { try connection.execute("SAVEPOINT part") }
    func endPart(of connection: Connection) throws { try connection.execute("RELEASE part") }

    func undoPart(of connection: Connection) throws {
        try connection.execute("ROLLBACK TO part")
        try connection.execute("RELEASE part")
    }

    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    // MARK: The schema

    func schema(_ connection: Connection) throws -> (application: Int64, version: Int64, isEmpty: Bool) {
        let application = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        let tables = try connection.first("SELECT count(*) FROM sqlite_master") { $0.integer(0) } ?? 0
        return (application, version, tables == 0)
    }

    func note(application: Int32, version: Int, until deadline: Deadline) throws {
        try run("PRAGMA application_id = \(application)", until: deadline)
        try run("PRAGMA user_version = \(version)", until: deadline)
    }

    func leaveFilesAsTheyAre() {
        keepsLog = true
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    }

    func adopt(until deadline: Deadline) throws {
        keepsLog = false
        kinfolk_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        let hadNoLog = try file?.writeVersion() == 1
        try run("PRAGMA journal_mode = WAL", until: deadline)
        // The header that allows a log must be on disk before the log exists. Otherwise, after a power cut, the log would seem to
        // belong to another file.
        if hadNoLog { Folder.sync(of: path) }
    }

    func leaveLog(until deadline: Deadline) throws {
        guard truncateLog() else { throw StorageError(.busy) }
        // The empty log must be on disk before the header forbids a log.
        Folder.syncFile(path + "-wal")
        try run("PRAGMA journal_mode = DELETE", until: deadline)
    }

    // MARK: The file

    func setCacheSize(_ size: Int, until deadline: Deadline) throws {
        // SQLite interprets a negative number as KiB.
        try run("PRAGMA cache_size = -\(min(max(size / 1_024, 1), Int(Int32.max)))", until: deadline)
    }

    var enforcesTypes: Bool { false }

    func countFaults(limit: Int, of connection: Connection) throws -> Int {
        try connection.using(composed: "PRAGMA integrity_check(\(limit))", []) { row in
            var count = 0
            while try row.step() { if row.text(0) != "ok" { count += 1 } }
            return count
        }
    }

    /// Copies the log into the file as the log grows. Connections that only read do not need this.
    func keepLogShort() throws {
        let pageSize = try Connection(self).first("PRAGMA page_size") { Int($0.integer(0)) }
        log = WriteAheadLog(of: handle, pageSize: pageSize ?? 4_096)
    }

    func makeRoom() -> Bool { truncateLog() }

    func truncateLog() -> Bool {
        patience.stop()
        return isInPlace() && sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }
}
