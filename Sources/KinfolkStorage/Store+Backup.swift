import Glibc

extension Store {
    /// Copies the store, as it is at one moment, into a new file that only its owner may read. Whoever uses the store goes on.
    ///
    /// - Throws: ``StorageError/Kind/exists`` if there is a file of this name.
    package func backUp(to path: FilePath, progress: (_ done: Int, _ total: Int) throws -> Void) throws {
        guard access(path.cString, F_OK) != 0 else { throw StorageError(.exists) }
        // Under a name of its own until it is whole.
        var name = (path + ".XXXXXX").cString
        let file = mkstemp(&name)
        guard file >= 0 else { throw Store.whyNotMade(errno) }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        var isOpen = true
        defer { if isOpen { close(file) } }
        let draft = FilePath(cString: name)
        defer { unlink(draft.cString) }
        try read { db in
            try db.engine.copy(to: draft, progress: progress)
        }
        // A copy has no log, and says so: one that is beside it when it is opened first is another file's.
        guard SQLiteHeader.forbidLog(file), fsync(file) == 0 else { throw StorageError(.inputOutput) }
        // Before anybody can open it: closing a descriptor ends all locks that this process has on the file.
        close(file)
        isOpen = false
        guard link(draft.cString, path.cString) == 0 else { throw Store.whyNotMade(errno) }
        Folder.sync(of: path)
    }

    static func whyNotMade(_ code: Int32) -> StorageError {
        switch code {
        case EEXIST: StorageError(.exists)
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: StorageError(.missing)
        case EACCES, EPERM, EROFS: StorageError(.notPermitted)
        case ENOSPC, EDQUOT: StorageError(.full)
        default: StorageError(.inputOutput)
        }
    }
}
