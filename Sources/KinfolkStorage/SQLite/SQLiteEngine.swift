import KinfolkFiles
import KinfolkThreads

/// A database in one file, which SQLite accesses in this process.
struct SQLiteEngine: Engine {
    let path: FilePath
    /// Which file must be there; nil for any file.
    let identity: FileIdentity?
    /// How many bytes of the database each connection caches in memory.
    let cacheSize: Int
    /// Whether no file may be changed.
    let isReadOnly: Bool

    init(path: FilePath, identity: FileIdentity? = nil, cacheSize: Int, isReadOnly: Bool = false) {
        // The log is next to the file itself, not next to a link to it.
        self.path = path.followed
        self.identity = identity
        self.cacheSize = cacheSize
        self.isReadOnly = isReadOnly
    }

    var readerLimit: Int { 16 }

    // If it fails, so does opening the file, which finds out why.
    func make(until deadline: Deadline) { if !isReadOnly { try? makeFile() } }

    func connect(for purpose: Connection.Purpose, until deadline: Deadline) throws -> any EngineConnection {
        var failures = 0
        while true {
            do {
                if let connection = try connectUnlessMoved(for: purpose, until: deadline) { return connection }
            } catch let error as StorageError where error.kind == .cannotOpen && failures < 10 && FileState(path) != nil
            {
                // A restore may have replaced the file, or deleted its log, at this time.
                failures += 1
            }
            Thread.sleep(seconds: 0.001)
        }
    }

    /// Opens a connection. Nil if the file was replaced meanwhile.
    private func connectUnlessMoved(
        for purpose: Connection.Purpose,
        until deadline: Deadline
    ) throws -> SQLiteConnection? {
        let file = try isReadOnly ? foreignFile() : ownFile()
        defer { file.close() }
        let connection = try SQLiteConnection(path: path, isReadOnly ? accessForReading() : .writing)
        guard identity == nil || identity == connection.identity else { throw StorageError(.foreignOwner) }
        // The file that SQLite has open must be the one that was checked. Otherwise somebody who may rename files in the folder
        // has swapped them, or a restored store has just been put in place.
        guard !connection.hasMoved, file.isStill(at: path) else {
            connection.close()
            guard !deadline.hasPassed else { throw StorageError(.foreignOwner) }
            return nil
        }
        try demandOwnLog(of: connection)
        // Otherwise SQLite would open the file and refuse each write as if the file system did.
        if !isReadOnly, let version = try connection.file?.writeVersion(), version > 2 { throw StorageError(.corrupt) }
        try connection.run(
            isReadOnly
                ? "PRAGMA query_only = ON; PRAGMA temp_store = MEMORY;"
                : """
                PRAGMA synchronous = FULL;
                PRAGMA secure_delete = ON;
                PRAGMA temp_store = MEMORY;
                """,
            until: deadline
        )
        try connection.setCacheSize(cacheSize, until: deadline)
        if purpose != .read && !isReadOnly { try connection.keepLogShort() }
        // From here on the connection has a lock that prevents a replacement of the file (``StoreLock``). The file may have been
        // replaced while this waited for the lock.
        guard !connection.hasMoved else {
            connection.close()
            guard !deadline.hasPassed else { throw StorageError(.busy) }
            return nil
        }
        return connection
    }

    private func accessForReading() throws -> SQLiteAccess {
        // For a few moments, while a store is opened or closed, there is a log without an index.
        for _ in 0..<20 {
            if let access = SQLiteAccess.forReading(path) { return access }
            Thread.sleep(seconds: 0.002)
        }
        throw StorageError(.logNeedsWriting)
    }

    /// Refuses a file with the log of another file next to it: SQLite would take that log for the file's own.
    ///
    /// A file whose header forbids a log has none: the header allows a log before the log is created, and forbids it only after
    /// the log is gone. The header of a backup forbids a log, so a log next to it was there before the backup was put in that
    /// place. This is checked twice, because others may be about to open the store.
    func demandOwnLog(of connection: SQLiteConnection) throws {
        for _ in 0..<2 {
            guard SQLiteAccess.hasLog(path), try connection.file?.writeVersion() == 1 else { return }
        }
        guard SQLiteAccess.hasLog(path), !connection.hasMoved else { return }
        throw StorageError(.foreignLog)
    }

    // Not needed: the file shows the outcome, and a process knows the outcome of its own transactions.
    func outcome(of connection: any EngineConnection, until deadline: Deadline) -> Outcome { .unknown }

    func listener() -> any ChangeListener { FolderWatch(path) }

    func explain(_ failure: StorageError) -> StorageError {
        failure.kind == .cannotOpen ? whyNotOpened() ?? failure : failure
    }
}
