import Glibc

/// Detects changes of a file: its identity, its length, and the times of its last changes.
package struct FileState: Equatable {
    private let identity: FileIdentity
    private let length: Int64
    private let changes: [Int]

    /// The present state of the file at a path. Nil if there is no such file.
    package init?(_ path: FilePath) {
        var status = stat()
        guard stat(path.cString, &status) == 0 else { return nil }
        identity = FileIdentity(status)
        length = Int64(status.st_size)
        changes = [
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }

    /// The length of a file in bytes; nil if there is no such file.
    package static func length(of path: FilePath) -> Int? {
        var status = stat()
        return stat(path.cString, &status) == 0 ? Int(status.st_size) : nil
    }
}
