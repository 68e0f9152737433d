import Glibc
import KinfolkThreads

/// The files of a database or of a key that this process has open, for as long as this object exists. A caller who names one of them as a
/// file to read or to replace is refused.
///
/// Which files these are is found out for each question, from their paths, because logs come and go.
package final class FilesInUse: Sendable {
    package enum Role: Sendable {
        case database
        /// The log of a database, the index of the log, or a journal.
        case log
        /// A key file, its successor during a rotation, or the counter beside it.
        case key
    }

    private struct Group: Hashable {
        let path: FilePath
        let isKey: Bool

        var files: [(path: FilePath, role: Role)] {
            isKey
                ? [(path, .key), (path + ".counter", .key), (path + ".new", .key)]
                : [(path, .database)] + ["-wal", "-shm", "-journal"].map { (path + $0, .log) }
        }
    }

    /// How many objects hold each group.
    private static let counts = Lock<[Group: Int]>([:])

    private let group: Group

    /// - Parameter path: The file of the database, or the key file: not a link to it.
    private init(_ group: Group) {
        self.group = group
        FilesInUse.counts.withLock { $0[group, default: 0] += 1 }
    }

    package convenience init(database path: FilePath) { self.init(Group(path: path, isKey: false)) }

    package convenience init(key path: FilePath) { self.init(Group(path: path, isKey: true)) }

    deinit {
        FilesInUse.counts.withLock { counts in
            let count = counts[group] ?? 0
            counts[group] = count > 1 ? count - 1 : nil
        }
    }

    /// What the file is that has this identity; nil if it is not in use.
    package static func role(of identity: FileIdentity) -> Role? {
        files.first { FileIdentity($0.path) == identity }?.role
    }

    /// What the file at a path is, or would be: SQLite takes each file with the name of a journal for one. Nil if it is not in use.
    ///
    /// - Parameter folder: The folder of the file, whose path is then a name; nil for a path that may be anywhere.
    package static func role(of path: FilePath, in folder: OpenFolder? = nil, followsLink: Bool = true) -> Role? {
        let files = files
        guard !files.isEmpty else { return nil }
        if let identity = FileIdentity(path, in: folder, followsLink: followsLink) {
            return files.first { FileIdentity($0.path) == identity }?.role
        }
        guard let place = FileIdentity(path.folder, in: folder) else { return nil }
        return files.first { $0.path.name == path.name && FileIdentity($0.path.folder) == place }?.role
    }

    private static var files: [(path: FilePath, role: Role)] { counts.withLock { Array($0.keys) }.flatMap(\.files) }

    /// Opens a file for reading, unless it is in use.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file, whose path is then a name; nil for a path that may be anywhere.
    ///   - role: A role that the file may have; nil for a file of the caller.
    package static func open(
        _ path: FilePath,
        in folder: OpenFolder? = nil,
        _ flags: Int32 = 0,
        as role: Role? = nil
    ) throws(FileFailure) -> Int32 {
        // Before it is opened: closing a descriptor of the file would release locks that this process has through other ones.
        let found = FilesInUse.role(of: path, in: folder, followsLink: flags & O_NOFOLLOW == 0)
        guard found == nil || found == role else { throw FileFailure.inUse }
        var descriptor: Int32
        repeat {
            descriptor = openat(folder.start, path.cString, O_RDONLY | O_CLOEXEC | flags)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw FileFailure(errno) }
        // Somebody may have put another file at the path meanwhile.
        let opened = FileIdentity(descriptor: descriptor).flatMap { FilesInUse.role(of: $0) }
        guard opened == nil || opened == role else {
            close(descriptor)
            throw FileFailure.inUse
        }
        return descriptor
    }
}
