package import Glibc

/// Whether a file may be trusted by whom it belongs to: another user may have planted it.
///
/// Trusted are the effective user and root. A process of root, as under `sudo`, also takes the files of another user, but only
/// from that user's own folder, to which nobody else may write: not from /tmp, where anybody can leave a file.
package enum FileOwner {
    /// Whether the owner of an open file is trusted. `path` is where it was found.
    package static func isTrusted(_ descriptor: Int32, at path: FilePath) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && isTrusted(status, at: path)
    }

    package static func isTrusted(_ status: stat, at path: FilePath) -> Bool {
        isTrusted(status.st_uid, user: geteuid(), folder: folder(of: path))
    }

    /// - Parameters:
    ///   - user: The effective user of this process.
    ///   - folder: What the file lies in, as `stat` tells; nil if that is not known.
    static func isTrusted(_ owner: uid_t, user: uid_t, folder: @autoclosure () -> stat?) -> Bool {
        if owner == user || owner == 0 { return true }
        guard user == 0, let folder = folder() else { return false }
        return folder.st_uid == owner && folder.st_mode & 0o022 == 0
    }

    /// The folder of the file itself, wherever links lead.
    private static func folder(of path: FilePath) -> stat? {
        guard let resolved = realpath(path.cString, nil) else { return nil }
        defer { free(resolved) }
        var status = stat()
        return stat(FilePath(cString: resolved).folder.cString, &status) == 0 ? status : nil
    }
}
