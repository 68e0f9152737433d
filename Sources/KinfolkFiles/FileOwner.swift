package import Glibc

/// Decides by its owner whether a file may be trusted: another user may have planted it.
///
/// Files of the effective user and of root are trusted. A process of root, as under `sudo`, also trusts the files of another
/// user, but only in a folder that belongs to that user and that nobody else may write to: not in /tmp, where anybody can create
/// a file.
package enum FileOwner {
    /// Whether the owner of an open file is trusted. `path` is where the file was found.
    package static func isTrusted(_ descriptor: Int32, at path: FilePath) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && isTrusted(status, at: path)
    }

    package static func isTrusted(_ status: stat, at path: FilePath) -> Bool {
        isTrusted(status.st_uid, user: geteuid(), folder: folder(of: path))
    }

    /// - Parameters:
    ///   - user: The effective user of this process.
    ///   - folder: The status of the file's folder, from `stat`; nil if it is not known.
    package static func isTrusted(_ owner: uid_t, user: uid_t, folder: @autoclosure () -> stat?) -> Bool {
        if owner == user || owner == 0 { return true }
        guard user == 0, let folder = folder() else { return false }
        return folder.st_uid == owner && folder.st_mode & 0o022 == 0
    }

    /// The status of the folder of the file itself, with links followed.
    private static func folder(of path: FilePath) -> stat? {
        guard let resolved = realpath(path.cString, nil) else { return nil }
        defer { free(resolved) }
        var status = stat()
        return stat(FilePath(cString: resolved).folder.cString, &status) == 0 ? status : nil
    }
}
