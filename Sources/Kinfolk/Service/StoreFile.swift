import Glibc

/// What the file system says of a store before SQLite sees it.
package enum StoreFile {
    /// The path from the root, whatever the working directory will be.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }

    /// Whether a store would be made by opening it. A file of no bytes is one whose making was interrupted.
    package static func isMissingOrEmpty(_ path: String) throws(KinfolkError) -> Bool {
        var status = stat()
        if stat(path, &status) == 0 {
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
