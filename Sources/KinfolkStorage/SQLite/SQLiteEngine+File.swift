import Glibc
import KinfolkFiles

extension SQLiteEngine {
    /// Creates an empty file that only its owner may read, unless there is one. A file created by SQLite would be readable by
    /// all.
    func makeFile() throws(FileFailure) {
        guard FileIdentity(path) == nil else { return }
        do throws(FileFailure) { try FileDraft(of: path, as: .database).place() } catch {
            guard error.number == EEXIST else { throw error }
        }
    }

    /// The store's file, held while it is opened. Refuses a file of another user, and a file that has a log or journal of another
    /// user next to it: SQLite would accept their content as the store's own.
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

    /// The store's file, held while it is opened for reading. Its owner does not matter, because what is read is verified with
    /// the key.
    func foreignFile() -> OpenedFile { OpenedFile(path) ?? OpenedFile() }

    /// A file that is held open so that its identity can be checked again later.
    struct OpenedFile {
        private var descriptor: Int32 = -1

        /// `O_PATH`, which Swift does not import.
        private static let pathOnly: Int32 = 0o10_000_000

        /// No file: SQLite reports what is wrong.
        init() {}

        /// Opens the file without access to its content. Nil if there is no such file.
        init?(_ path: FilePath) {
            descriptor = open(path.cString, OpenedFile.pathOnly | O_CLOEXEC)
            if descriptor < 0 { return nil }
        }

        func close() { if descriptor >= 0 { Glibc.close(descriptor) } }

        func isTrusted(at path: FilePath) -> Bool { FileOwner.isTrusted(descriptor, at: path) }

        func isStill(at path: FilePath) -> Bool {
            FileIdentity(descriptor: descriptor).map { $0 == FileIdentity(path) } ?? false
        }
    }

    /// SQLite reports only that it cannot open a file; the file system may show why. Nil if it does not.
    func whyNotOpened() -> StorageError? {
        let folder = path.folder.cString
        var status = stat()
        if stat(path.cString, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else { return StorageError(.foreign) }
            if isReadOnly {
                // Others may delete the log at any moment: what cannot be read counts only if it is still there.
                let isRefused = ["", "-wal", "-shm"].contains { suffix in
                    access((path + suffix).cString, R_OK) != 0 && errno == EACCES
                }
                return isRefused ? StorageError(.notPermitted) : nil
            }
            // The write-ahead log requires write access to the folder.
            let isOpen = access(path.cString, R_OK | W_OK) == 0 && access(folder, W_OK | X_OK) == 0
            return isOpen ? nil : StorageError(.notPermitted)
        }
        guard errno == ENOENT || errno == ENOTDIR else { return StorageError(.notPermitted) }
        let folderExists = access(folder, F_OK) == 0
        return StorageError(folderExists && access(folder, W_OK | X_OK) != 0 ? .notPermitted : .missing)
    }
}
