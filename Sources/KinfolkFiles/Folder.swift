import Glibc

/// The folder that contains a file.
package enum Folder {
    /// Opens the folder for reading; returns a negative number on failure.
    package static func open(of path: FilePath) -> Int32 {
        Glibc.open(path.folder.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }

    /// Syncs a file to disk.
    package static func syncFile(_ path: FilePath) {
        let descriptor = Glibc.open(path.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Syncs the folder to disk: a new file survives a power cut only if its folder was synced.
    package static func sync(of path: FilePath) {
        let descriptor = open(of: path)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
