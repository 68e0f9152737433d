import Glibc
package import KinfolkStorage

/// What the file system, or a server, says of a store before it is opened.
package enum StoreFile {
    /// Whether it is the address of a server.
    package static func isServer(_ path: FilePath) -> Bool { Store.isServer(path) }

    /// Refuses what cannot be the path of a store.
    package static func validate(_ path: FilePath) throws(KinfolkError) {
        guard path.isValid else {
            throw KinfolkError(.invalidArgument, "The path of a store is empty or has a NUL in it.")
        }
        guard !path.hasPrefix(":"), !path.hasPrefix("file:") else {
            throw KinfolkError(.invalidArgument, "A store is a file: give its path.")
        }
        // What becomes of an address in the hands of a library for paths.
        guard Store.isServer(path) || !(path.hasPrefix("postgresql:") || path.hasPrefix("postgres:")) else {
            throw KinfolkError(.invalidArgument, "The address of a server begins with \"postgresql://\".")
        }
        // SQLite makes a file beside it, of that name and "-journal".
        guard Store.isServer(path) || path.nameLength + 8 <= NAME_MAX else {
            throw KinfolkError(.unknownItem, "There is no store of this name, and can be none: it is too long.")
        }
    }

    /// The path from the root, whatever the working directory will be. The address of a server stays as it is.
    static func absolute(_ path: FilePath) -> FilePath { Store.isServer(path) ? path : path.absolute }

    /// Where a symbolic link leads: what is put in its place belongs beside the file itself.
    static func followed(_ path: FilePath) -> FilePath { KeyFile.followed(path) }

    /// Whether both paths lead to one file.
    static func isSame(_ path: FilePath, _ other: FilePath) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(path.cString, &first) == 0, stat(other.cString, &second) == 0 else { return path == other }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The path as it may be shown: without the password that an address may have.
    package static func shown(_ path: FilePath) -> String {
        guard Store.isServer(path) else { return path.shown }
        let path = path.shown
        // A password may stand before the host, or be a parameter.
        let parameters = path.drop { $0 != "?" }.dropFirst().split { $0 == "&" }
        let secrets = ["password=", "sslpassword="]
        let hasPassword = parameters.contains { one in one.contains("@") || secrets.contains { one.hasPrefix($0) } }
        var shown = hasPassword ? String(path.prefix { $0 != "?" }) : path
        let authority = shown.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != "?" }
        if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
            shown.removeSubrange(colon..<at)
        }
        return shown
    }

    /// Whether a store would be made by opening it. A file of no bytes is one whose making was interrupted.
    package static func isMissingOrEmpty(
        _ path: FilePath,
        wait: Double = 30,
        isReadOnly: Bool = false
    ) throws(KinfolkError) -> Bool {
        if Store.isServer(path) {
            do { return try Store.isEmpty(path, wait: wait, isReadOnly: isReadOnly) } catch {
                throw KinfolkError(error)
            }
        }
        var status = stat()
        if stat(path.cString, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw KinfolkError(.storeCorrupt, "This is a folder, a pipe or a device, and not a Kinfolk store.")
            }
            return status.st_size == 0
        }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw KinfolkError(.permissionFailure, "The file system does not let this process see the store.")
        }
        return true
    }
}
