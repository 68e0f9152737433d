import CSQLite
import Glibc
package import KinfolkFiles
import KinfolkThreads

/// A copy of a backup in a file of its own, in the folder of the store that it is to replace. The file is deleted with this
/// object unless it has replaced the store.
package final class StoreDraft {
    private let name: DraftName
    private let file: FileDraft

    private static let partLength = 1 << 20

    /// The path of the draft.
    package var path: FilePath { name.draft }
    /// Which file the draft is.
    package var identity: FileIdentity { file.identity }

    /// Copies a file that nobody has open, without changing it.
    ///
    /// - Parameters:
    ///   - backup: The file. There must be no log next to it.
    ///   - store: The path of the store.
    package init(
        of backup: FilePath,
        beside store: FilePath,
        progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        let source = try StoreDraft.source(backup.followed)
        name = try DraftName(nextTo: store)
        file = try Store.making { [name] () throws(FileFailure) in
            try FileDraft(of: store, as: .database, named: name.draft.name)
        }
        try StoreDraft.copy(source, to: file, progress)
        guard fsync(file.descriptor) == 0 else { throw StorageError(.inputOutput) }
        try demandInPlace()
    }

    /// Throws if the path leads to another file than the one that was made.
    private func demandInPlace() throws {
        guard identity == FileIdentity(path, followsLink: false) else { throw StorageError(.foreignOwner) }
    }

    /// The file is read through SQLite: closing a file descriptor of our own would release the locks that this process holds on
    /// the file.
    private static func source(_ backup: FilePath) throws -> SQLiteConnection {
        var status = stat()
        guard stat(backup.cString, &status) == 0 else { throw Store.whyNotMade(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw StorageError(.foreign) }
        guard access(backup.cString, R_OK) == 0 else { throw StorageError(.notPermitted) }
        // A backup has neither file next to it. A store that is in use, or was not closed, has both.
        guard FileState.length(of: backup + "-shm") == nil, !SQLiteAccess.hasLog(backup), let state = FileState(backup)
        else { throw StorageError(.foreignLog) }
        return try SQLiteConnection(path: backup, .readingUnused(state))
    }

    private static func copy(
        _ source: SQLiteConnection,
        to file: FileDraft,
        _ progress: (_ done: Int, _ total: Int) throws -> Void
    ) throws {
        defer { source.close() }
        guard let from = source.file else { throw StorageError(.inputOutput) }
        let total = try from.length()
        var done = 0
        while done < total {
            let part = try from.read(partLength, at: Int64(done))
            guard !part.isEmpty else { throw StorageError(.inputOutput) }
            try Store.making { () throws(FileFailure) in try file.write(part) }
            done += part.count
            try progress(done, total)
        }
        guard !source.isOutdated else { throw StorageError(.inUse) }
    }

    /// Makes the draft a single file without a log, and syncs it to disk. Nobody may have it open.
    private func finish() throws {
        guard !SQLiteAccess.hasLog(path), SQLiteHeader.forbidLog(file.descriptor) else {
            throw StorageError(.inputOutput)
        }
        try demandInPlace()
        try Store.making(file.complete)
    }

    // MARK: Replacing the store

    /// Throws ``StorageError/Kind/inUse`` if somebody has the store open until the wait is over.
    package static func demandUnused(_ store: FilePath, wait: Double) throws {
        try StoreLock(of: store, until: Deadline(in: max(wait, 0)))?.unlock()
    }

    /// The steps of a replacement. The process may be killed after any of them.
    package enum Step: String, Sendable, CaseIterable {
        /// The draft is complete and closed.
        case prepared
        /// The draft is on disk, with the owner and the mode of the store.
        case finished
        /// The log of the old store has been copied into the old store.
        case folded
        /// The old store is a single file, with no other files next to it.
        case cleared
        /// The draft has replaced the old store.
        case placed
    }

    /// Replaces a store that nobody has open by the draft, or creates the store.
    ///
    /// There is always one complete store at the path: first the old one, then the new one. So the log of the old store is
    /// first copied into it and deleted, and the draft is renamed last. If the log cannot be copied, because the old store is
    /// damaged or the log belongs to another file, the log is deleted last. Until then, opening the new store fails
    /// (``StorageError/Kind/foreignLog``), because its header allows no log.
    ///
    /// - Parameter step: Called after each step. Tests end the process there.
    /// - Throws: ``StorageError/Kind/inUse`` if somebody still has the store open when the wait is over.
    package func place(at store: FilePath, wait: Double, step: (Step) throws -> Void = { _ in }) throws {
        try step(.prepared)
        try finish()
        try step(.finished)
        let deadline = Deadline(in: wait)
        var mayFold = true
        while true {
            // Ensures that there is a file to lock. An empty file counts as no store.
            try Store.making(SQLiteEngine(path: store, cacheSize: 0).makeFile)
            guard let lock = try StoreLock(of: store, until: deadline) else { continue }
            defer { lock.unlock() }
            if mayFold && StoreDraft.hasLog(store) {
                lock.unlock()
                mayFold = StoreDraft.fold(store)
                try step(.folded)
                continue
            }
            // A journal would be taken for the new store's, so it is deleted before the new store is put in place.
            let hasLog = SQLiteAccess.hasLog(store)
            StoreDraft.remove(hasLog ? ["-journal"] : ["-wal", "-shm", "-journal"], of: store)
            try step(.cleared)
            try Store.making(file.replace)
            try step(.placed)
            // While the old log exists, no process can have opened the new store, so -shm and -wal belong to the old store. If
            // there was no old log, an existing log may belong to the new store, so nothing is deleted.
            if hasLog { StoreDraft.remove(["-shm", "-wal"], of: store) }
            return
        }
    }

    private static func remove(_ suffixes: [String], of store: FilePath) {
        for suffix in suffixes { unlink((store + suffix).cString) }
        Folder.sync(of: store)
    }

    private static func hasLog(_ store: FilePath) -> Bool {
        SQLiteAccess.hasLog(store) || (FileState.length(of: store + "-journal") ?? 0) > 0
    }

    /// Copies the log of a store into the store, by opening and closing it as its last user. False if that fails.
    private static func fold(_ store: FilePath) -> Bool {
        do {
            let engine = SQLiteEngine(path: store, cacheSize: 2 << 20)
            let connection = try engine.connect(for: .write, until: Deadline(in: 1))
            defer { connection.close() }
            try connection.run("SELECT count(*) FROM sqlite_master", until: Deadline(in: 1))
        } catch { return false }
        return !hasLog(store)
    }
}
