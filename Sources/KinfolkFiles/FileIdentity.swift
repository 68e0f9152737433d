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
    /// - Parameter followsLink: Whether a symbolic link stands for the file that it leads to.
    package init?(_ path: FilePath, followsLink: Bool = true) {
        var status = stat()
        guard (followsLink ? stat(path.cString, &status) : lstat(path.cString, &status)) == 0 else { return nil }
        self.init(status)
    }

    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
