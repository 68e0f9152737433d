import Glibc

extension SQLiteEngine {
    /// Makes an empty file that only its owner may read, unless there is one. SQLite's own would be readable by all.
    func makeFile() {
        let file = open(path, O_CREAT | O_EXCL | O_CLOEXEC | O_RDWR, 0o600)
        if file >= 0 { close(file) }
    }

    /// SQLite says only that it cannot open a file; the file system says why.
    func whyNotOpened() -> StorageError {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "./"
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return StorageError(.foreign) }
            // The write-ahead log needs the folder.
            let isOpen = access(path, R_OK | W_OK) == 0 && access(String(folder), W_OK | X_OK) == 0
            return StorageError(isOpen ? .inputOutput : .notPermitted)
        }
        guard errno == ENOENT || errno == ENOTDIR else { return StorageError(.notPermitted) }
        let folderExists = access(String(folder), F_OK) == 0
        return StorageError(folderExists && access(String(folder), W_OK | X_OK) != 0 ? .notPermitted : .missing)
    }
}
