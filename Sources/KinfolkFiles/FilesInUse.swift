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
        case key
        /// The successor of a key file during a rotation.
        case nextKey
        /// The counter beside a key file.
        case counter
    }

    private struct Group: Hashable {
        let path: FilePath
        let isKey: Bool

        var files: [(path: FilePath, role: Role)] {
            isKey
                ? [(path, .key), (path + ".counter", .counter), (path + ".new", .nextKey)]
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
    package static func role(of identity: FileIdentity) -> Role? { roles(of: identity, files).first }

    private static func roles(of identity: FileIdentity, _ files: [(path: FilePath, role: Role)]) -> [Role] {
        files.filter { FileIdentity($0.path) == identity }.map(\.role)
    }

    /// What the file at a path is, or would be: SQLite takes each file with the name of a journal for one. Nil if it is not in use.
    ///
    /// - Parameter folder: The folder of the file, whose path is then a name; nil for a path that may be anywhere.
    package static func role(of path: FilePath, in folder: OpenFolder? = nil, followsLink: Bool = true) -> Role? {
        roles(of: path, in: folder, followsLink: followsLink).first
    }

    /// Several stores may use a file in different roles.
    private static func roles(of path: FilePath, in folder: OpenFolder?, followsLink: Bool) -> [Role] {
        let files = files
        guard !files.isEmpty else { return [] }
        if let identity = FileIdentity(path, in: folder, followsLink: followsLink) { return roles(of: identity, files) }
        guard let place = FileIdentity(path.folder, in: folder) else { return [] }
        return files.filter { $0.path.name == path.name && FileIdentity($0.path.folder) == place }.map(\.role)
    }

    /// Throws ``FileFailure/inUse`` if the file at a path is in use in another role than this one; nil for a file of the caller.
    static func demandUnused(
        _ path: FilePath,
        in folder: OpenFolder?,
        followsLink: Bool,
        as role: Role?
    ) throws(FileFailure) {
        let found = roles(of: path, in: folder, followsLink: followsLink)
        guard found.allSatisfy({ $0 == role }) else { throw FileFailure.inUse }
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
        try demandUnused(path, in: folder, followsLink: flags & O_NOFOLLOW == 0, as: role)
        var descriptor: Int32
        repeat {
            descriptor = openat(folder.start, path.cString, O_RDONLY | O_CLOEXEC | flags)
        } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else { throw FileFailure(errno) }
        // Somebody may have put another file at the path meanwhile.
        let opened = FileIdentity(descriptor: descriptor).map { roles(of: $0, files) } ?? []
        guard opened.allSatisfy({ $0 == role }) else {
            close(descriptor)
            throw FileFailure.inUse
        }
        return descriptor
    }
}
