package import Glibc

/// Which file a path or a descriptor leads to, whatever its name.
package struct FileIdentity: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    package init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }

    /// The identity of the file at a path. Nil if there is no such file.
    ///
    /// - Parameters:
    ///   - folder: The folder in which a relative path begins; nil for that of the process.
    ///   - followsLink: Whether a symbolic link stands for the file that it leads to.
    package init?(_ path: FilePath, in folder: OpenFolder? = nil, followsLink: Bool = true) {
        var status = stat()
        let flags = followsLink ? 0 : AT_SYMLINK_NOFOLLOW
        guard fstatat(folder.start, path.cString, &status, flags) == 0 else { return nil }
        self.init(status)
    }

    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
