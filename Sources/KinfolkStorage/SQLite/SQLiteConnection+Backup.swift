import CSQLite
import CSQLiteVFS
import KinfolkFiles

extension SQLiteConnection {
    func copy(to draft: FileDraft, progress: (_ done: Int, _ total: Int) throws -> Void) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE
        let code = try sqlite3_open_v2(draft.path.cString, &opened, flags, SQLiteConnection.fileSystem())
        defer { sqlite3_close_v2(opened) }
        try StorageError.check(code, on: opened)
        guard let copy = opened, SQLiteConnection.identity(of: copy, at: draft.path) == draft.identity else {
            throw StorageError(.foreignOwner)
        }
        guard let backup = sqlite3_backup_init(copy, "main", handle, "main") else {
            throw StorageError(sqlite: sqlite3_extended_errcode(opened))
        }
        var finished: Int32?
        defer { if finished == nil { sqlite3_backup_finish(backup) } }
        var step = SQLITE_OK
        while step == SQLITE_OK {
            step = sqlite3_backup_step(backup, 1_000)
            let total = Int(sqlite3_backup_pagecount(backup))
            try progress(total - Int(sqlite3_backup_remaining(backup)), total)
        }
        let ending = sqlite3_backup_finish(backup)
        finished = ending
        guard step == SQLITE_DONE else { throw StorageError(sqlite: step) }
        try StorageError.check(ending)
    }

    /// Which file a connection has open as its database: SQLite follows links, also one that was put there a moment ago.
    static func identity(of connection: OpaquePointer, at path: FilePath) -> FileIdentity? {
        var descriptor: Int32 = -1
        sqlite3_file_control(connection, "main", Int32(CKINFOLK_DESCRIPTOR), &descriptor)
        // Where Kinfolk's VFS is SQLite's own, it does not know this question.
        return descriptor < 0 ? FileIdentity(path, followsLink: false) : FileIdentity(descriptor: descriptor)
    }
}
