import Glibc

extension SQLiteEngine {
    /// Makes an empty file that only its owner may read, unless there is one. SQLite's own would be readable by all.
    func makeFile() {
        let file = open(path.cString, O_CREAT | O_EXCL | O_CLOEXEC | O_RDWR, 0o600)
        if file >= 0 { close(file) }
    }

    /// The store's file while it is opened. Refuses one of another user, and one with a log or journal of another user beside it:
    /// SQLite would take what that says for the store's own.
    func ownFile() throws -> OpenedFile {
        guard let file = OpenedFile(path) else { return OpenedFile() }
        for suffix in ["-wal", "-shm", "-journal"] {
            guard let other = OpenedFile(path + suffix) else { continue }
            defer { other.close() }
            guard other.isTrusted(at: path + suffix) else {
                file.close()
                throw StorageError(.foreignOwner)
            }
        }
        guard file.isTrusted(at: path) else {
            file.close()
            throw StorageError(.foreignOwner)
        }
        return file
    }

    /// The store's file while it is opened for reading, whosever it is: what is read is checked with the key.
    func foreignFile() -> OpenedFile { OpenedFile(path) ?? OpenedFile() }

    /// A file that is held open so that it stays the one that was looked at.
    struct OpenedFile {
        private var descriptor: Int32 = -1

        /// `O_PATH`, which Swift does not import.
        private static let pathOnly: Int32 = 0o10_000_000

        /// None: SQLite says what is wrong.
        init() {}

        /// Nil if there is no such file.
        init?(_ path: FilePath) {
            // Neither read nor written: SQLite's locks would go when a descriptor of the same file is closed.
            descriptor = open(path.cString, OpenedFile.pathOnly | O_CLOEXEC)
            if descriptor < 0 { return nil }
        }

        func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

        func isTrusted(at path: FilePath) -> Bool { FileOwner.isTrusted(descriptor, at: path) }

        func isStill(at path: FilePath) -> Bool {
            var opened = stat()
            var there = stat()
            guard fstat(descriptor, &opened) == 0, stat(path.cString, &there) == 0 else { return false }
            return opened.st_dev == there.st_dev && opened.st_ino == there.st_ino
        }
    }

    /// SQLite says only that it cannot open a file; the file system says why.
    func whyNotOpened() -> StorageError {
        let folder = path.folder.cString
        var status = stat()
        if stat(path.cString, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return StorageError(.foreign) }
            if isReadOnly {
                let files = ["", "-wal", "-shm"].map { path + $0 }.filter { access($0.cString, F_OK) == 0 }
                return StorageError(files.allSatisfy { access($0.cString, R_OK) == 0 } ? .inputOutput : .notPermitted)
            }
            // The write-ahead log needs the folder.
            let isOpen = access(path.cString, R_OK | W_OK) == 0 && access(folder, W_OK | X_OK) == 0
            return StorageError(isOpen ? .inputOutput : .notPermitted)
        }
        guard errno == ENOENT || errno == ENOTDIR else { return StorageError(.notPermitted) }
        let folderExists = access(folder, F_OK) == 0
        return StorageError(folderExists && access(folder, W_OK | X_OK) != 0 ? .notPermitted : .missing)
    }
}
