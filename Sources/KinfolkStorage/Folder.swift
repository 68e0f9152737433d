import Glibc

/// The folder that a file is in.
package enum Folder {
    /// Opens it for reading, or returns a negative number.
    package static func open(of path: FilePath) -> Int32 {
        Glibc.open(path.folder.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// Has a file on disk that is not a database.
    static func syncFile(_ path: FilePath) {
        let descriptor = Glibc.open(path.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Has the folder on disk: a file is safe from a power cut only when its folder is.
    package static func sync(of path: FilePath) {
        let descriptor = open(of: path)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
