import KinfolkThreads

/// A database in one file, which SQLite reads and writes in this process.
struct SQLiteEngine: Engine {
    let path: FilePath
    /// How many bytes of the database each connection keeps in memory.
    let cacheSize: Int
    /// Whether no file is to be changed.
    let isReadOnly: Bool

    init(path: FilePath, cacheSize: Int, isReadOnly: Bool = false) {
        // The log is beside the file itself, and not beside a link to it.
        self.path = path.followed
        self.cacheSize = cacheSize
        self.isReadOnly = isReadOnly
    }

    var readerLimit: Int { 16 }

    func make(until deadline: Deadline) { if !isReadOnly { makeFile() } }

    func connect(for purpose: Connection.Purpose, until deadline: Deadline) throws -> any EngineConnection {
        while true {
            if let connection = try connectUnlessMoved(for: purpose, until: deadline) { return connection }
            Thread.sleep(seconds: 0.001)
        }
    }

    /// Nil if another file took the place of this one meanwhile.
    private func connectUnlessMoved(
        for purpose: Connection.Purpose,
        until deadline: Deadline
    ) throws -> SQLiteConnection? {
        let file = try isReadOnly ? foreignFile() : ownFile()
        defer { file.close() }
        let connection = try SQLiteConnection(path: path, isReadOnly ? accessForReading() : .writing)
        // What SQLite has open is what was looked at, unless somebody who may rename files in the folder swapped them meanwhile.
        // It may also be a restored store that has just come here.
        guard !connection.hasMoved, file.isStill(at: path) else {
            connection.close()
            guard !deadline.hasPassed else { throw StorageError(.foreignOwner) }
            return nil
        }
        try demandOwnLog(of: connection)
        // SQLite would open the file, and refuse each write as if the file system did.
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
        // From here on the connection has a lock that keeps away those who would replace the file (``FileReplacement``). Somebody
        // may have done so while this waited for the lock.
        guard !connection.hasMoved else {
            connection.close()
            guard !deadline.hasPassed else { throw StorageError(.busy) }
            return nil
        }
        return connection
    }

    private func accessForReading() throws -> SQLiteAccess {
        // For some moments, while a store is opened or closed, there is a log without an index.
        for _ in 0..<20 {
            if let access = SQLiteAccess.forReading(path) { return access }
            Thread.sleep(seconds: 0.002)
        }
        throw StorageError(.logNeedsWriting)
    }

    /// Refuses a file that has the log of another beside it: SQLite would take that for its own.
    ///
    /// A file whose header says that it is written without a log has none: the header allows one before there is one, and
    /// forbids it once there is none. A backup's header forbids it, so that a log beside it was there before the backup was put in its
    /// place. Looked at twice, since others may be about to open the store.
    func demandOwnLog(of connection: SQLiteConnection) throws {
        for _ in 0..<2 {
            guard SQLiteAccess.hasLog(path), try connection.file?.writeVersion() == 1 else { return }
        }
        guard SQLiteAccess.hasLog(path), !connection.hasMoved else { return }
        throw StorageError(.foreignLog)
    }

    // What is in the file says it: a process knows what became of its own transactions.
    func outcome(of connection: any EngineConnection, until deadline: Deadline) -> Outcome { .unknown }

    func explain(_ failure: StorageError) -> StorageError {
        failure.kind == .cannotOpen ? whyNotOpened() : failure
    }
}
