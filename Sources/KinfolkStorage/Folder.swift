import Glibc

/// The folder that a file is in.
package enum Folder {
    /// Opens it for reading, or returns a negative number.
    package static func open(of path: String) -> Int32 {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
        return Glibc.open(String(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// Has the folder on disk: a file is safe from a power cut only when its folder is.
    package static func sync(of path: String) {
        let descriptor = open(of: path)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
