import Glibc
package import KinfolkFiles

extension Store {
    /// Copies the store, as it is at one moment, into a new file that only its owner may read. The store can be used meanwhile.
    ///
    /// - Parameter finish: Changes the copy, before it gets its name. It leaves no log beside it.
    /// - Throws: ``StorageError/Kind/exists`` if there is a file of this name.
    package func backUp(
        to path: FilePath,
        progress: (_ done: Int, _ total: Int) throws -> Void,
        finish: (_ draft: FilePath) throws -> Void = { _ in }
    ) throws {
        guard access(path.cString, F_OK) != 0 else { throw StorageError(.exists) }
        // It has a temporary name until it is complete.
        var name = (path + ".XXXXXX").cString
        let file = mkstemp(&name)
        guard file >= 0 else { throw Store.whyNotMade(errno) }
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        var isOpen = true
        defer { if isOpen { close(file) } }
        let draft = FilePath(cString: name)
        // SQLite leaves a journal if the disk is full before its cache is.
        defer { for suffix in ["", "-journal", "-wal", "-shm"] { unlink((draft + suffix).cString) } }
        try read { db in
            try db.engine.copy(to: draft, progress: progress)
        }
        try finish(draft)
        // The header of a copy forbids a log, so a log that is next to it when it is first opened is recognised as another
        // file's.
        guard SQLiteHeader.forbidLog(file), fsync(file) == 0 else { throw StorageError(.inputOutput) }
        // Closed before anybody can open the copy: closing a descriptor releases all locks that this process holds on the file.
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
