import KinfolkThreads

/// A database in one file, which SQLite reads and writes in this process.
struct SQLiteEngine: Engine {
    let path: FilePath
    /// How many bytes of the database each connection keeps in memory.
    let cacheSize: Int

    var readerLimit: Int { 16 }

    func make(until deadline: Deadline) { makeFile() }

    func connect(for purpose: Connection.Purpose, until deadline: Deadline) throws -> any EngineConnection {
        let file = try ownFile()
        defer { file.close() }
        let connection = try SQLiteConnection(path: path)
        // What SQLite has open is what was looked at, unless somebody who may rename files in the folder swapped them meanwhile.
        guard !connection.hasMoved, file.isStill(at: path) else { throw StorageError(.foreignOwner) }
        try connection.run(
            """
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA wal_autocheckpoint = 16000;
            """,
            until: deadline
        )
        try connection.setCacheSize(cacheSize, until: deadline)
        return connection
    }

    // What is in the file says it: a process knows what became of its own transactions.
    func outcome(of connection: any EngineConnection, until deadline: Deadline) -> Outcome { .unknown }

    func explain(_ failure: StorageError) -> StorageError {
        failure.kind == .cannotOpen ? whyNotOpened() : failure
    }
}
