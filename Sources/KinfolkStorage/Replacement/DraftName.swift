import Glibc
import KinfolkFiles

/// A name for a draft in a folder, which nobody else uses while this object exists.
///
/// The name is a file, `kinfolk-restore.` and six characters, that is locked (`flock`). The draft is next to it, with `.db`
/// appended. If the process is killed, the lock is released, and the next restore in this folder deletes the draft.
final class DraftName {
    private static let prefix = "kinfolk-restore."
    private static let suffixLength = 6

    /// The path of the draft.
    let draft: FilePath

    private let path: FilePath
    private let descriptor: Int32

    init(nextTo store: FilePath) throws {
        DraftName.removeAbandoned(nextTo: store)
        while true {
            var name = (store.folder + (DraftName.prefix + "XXXXXX")).cString
            let descriptor = mkstemp(&name)
            guard descriptor >= 0 else { throw Store.whyNotMade(errno) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let path = FilePath(bytes: name.dropLast().map { UInt8(bitPattern: $0) })
            let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
            // Another process may have taken the name for an abandoned one, before it was locked.
            guard isLocked, FileIdentity(path, followsLink: false) == FileIdentity(descriptor: descriptor) else {
                close(descriptor)
                continue
            }
            // If this is root, and is killed, the next restore may be that of the store's owner. Somebody may have put another folder in
            // the place of the one in which the name was made.
            if let folder = try? OpenFolder(of: store),
                FileIdentity(path.name, in: folder, followsLink: false) == FileIdentity(descriptor: descriptor)
            {
                try? folder.give(descriptor)
            }
            (self.path, self.descriptor, draft) = (path, descriptor, path + ".db")
            return
        }
    }

    deinit {
        DraftName.remove(path)
        close(descriptor)
    }

    /// Deletes a draft, its log and, at the end, its name.
    private static func remove(_ path: FilePath) {
        for suffix in [".db", ".db-wal", ".db-shm", ".db-journal", ""] { unlink((path + suffix).cString) }
    }

    /// Deletes the drafts of processes that were killed: they are copies of a store, with people who may have been erased since.
    private static func removeAbandoned(nextTo store: FilePath) {
        guard let folder = opendir(store.folder.cString) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.starts(with: prefix.utf8), name.count == prefix.utf8.count + suffixLength else { continue }
            let path = FilePath(bytes: store.folder.bytes + name)
            let descriptor = open(path.cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }
}
