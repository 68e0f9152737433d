import Glibc
package import KinfolkFiles
package import KinfolkModel
import KinfolkStorage

/// What the file system or a server says about a store before it is opened.
package enum StoreFile {
    /// Whether the path is the address of a server.
    package static func isServer(_ path: FilePath) -> Bool { Store.isServer(path) }

    /// Refuses paths that cannot be the path of a store.
    package static func validate(_ path: FilePath) throws(KinfolkError) {
        guard path.isValid else {
            throw KinfolkError(.invalidArgument, "The path of a store is empty or contains a NUL.")
        }
        guard !path.hasPrefix(":"), !path.hasPrefix("file:") else {
            throw KinfolkError(.invalidArgument, "The path must be that of a file.")
        }
        // Path libraries turn `//` in an address into `/`.
        guard Store.isServer(path) || !(path.hasPrefix("postgresql:") || path.hasPrefix("postgres:")) else {
            throw KinfolkError(.invalidArgument, "The address of a server begins with \"postgresql://\".")
        }
        guard Store.isServer(path) || !hasScheme(path) else {
            throw KinfolkError(
                .invalidArgument,
                "A store is a file, or a database at an address that begins with \"postgresql://\": there are no other addresses."
            )
        }
        // SQLite creates a file next to it, whose name has "-journal" appended.
        guard Store.isServer(path) || path.nameLength + 8 <= NAME_MAX else {
            throw KinfolkError(.unknownItem, "The name of the store is too long for a file.")
        }
        // SQLite would open the log or the key of an open store as a database.
        if !Store.isServer(path), let role = FilesInUse.role(of: path), role != .database { throw .fileInUse }
    }

    /// Whether the path begins as an address does: a scheme of letters, digits, `+`, `-` or `.`, and `://`.
    private static func hasScheme(_ path: FilePath) -> Bool {
        let scheme = path.bytes.prefix { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2d, 0x2e: true
            default: false
            }
        }
        return !scheme.isEmpty && path.bytes.dropFirst(scheme.count).starts(with: "://".utf8)
    }

    /// The absolute path, independent of later changes of the working directory. The address of a server remains unchanged.
    package static func absolute(_ path: FilePath) -> FilePath { Store.isServer(path) ? path : path.absolute }

    /// The path for display: without the password that an address may contain.
    package static func shown(_ path: FilePath) -> String {
        guard Store.isServer(path) else { return path.shown }
        let path = path.shown
        // An address may have a password before the host, or as a parameter.
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

    /// Whether opening would create a store. An empty file is a store whose creation was interrupted.
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
                throw KinfolkError(.storeCorrupt, "The path is a folder, a pipe or a device, not a Kinfolk store.")
            }
            return status.st_size == 0
        }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw KinfolkError(.permissionFailure, "This process may not access the store's folder.")
        }
        return true
    }
}
