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
        finish: (_ draft: FileDraft) throws -> Void = { _ in }
    ) throws {
        // Also a link that leads nowhere.
        guard FileIdentity(path, followsLink: false) == nil else { throw StorageError(.exists) }
        let draft = try Store.making { () throws(FileFailure) in try FileDraft(of: path) }
        // SQLite leaves a journal if the disk is full before its cache is.
        defer { for suffix in ["-journal", "-wal", "-shm"] { unlink((draft.path + suffix).cString) } }
        try read { db in
            try db.engine.copy(to: draft) { done, total in
                try requireOpen()
                try progress(done, total)
            }
        }
        try finish(draft)
        // The header of a copy forbids a log, so a log that is next to it when it is first opened is recognised as another
        // file's.
        guard SQLiteHeader.forbidLog(draft.descriptor) else { throw StorageError(.inputOutput) }
        try Store.making(draft.place)
    }

    /// Makes a file, or says why it could not be made.
    package static func making<Result>(_ body: () throws(FileFailure) -> Result) throws(StorageError) -> Result {
        do throws(FileFailure) { return try body() } catch { throw whyNotMade(error.number) }
    }

    static func whyNotMade(_ code: Int32) -> StorageError {
        switch code {
        case EEXIST, FileFailure.inUseNumber: StorageError(.exists)
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP: StorageError(.missing)
        case EACCES, EPERM, EROFS: StorageError(.notPermitted)
        case ESTALE: StorageError(.foreignOwner)
        case ENOSPC, EDQUOT: StorageError(.full)
        default: StorageError(.inputOutput)
        }
    }
}
