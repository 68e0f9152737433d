import KinfolkFiles
import KinfolkThreads

/// Excludes all other users of a store in a file while the file is replaced.
final class StoreLock {
    private let connection: SQLiteConnection
    private let file: SQLiteFile
    private var isLocked = false

    /// Waits until nobody else has the store open, and locks it. Nil if the file was replaced meanwhile.
    ///
    /// - Throws: ``StorageError/Kind/inUse`` if somebody, in this or another process, has the store open until the deadline,
    ///   ``StorageError/Kind/foreignOwner`` if it belongs to another user.
    init?(of path: FilePath, until deadline: Deadline) throws {
        let owned = try SQLiteEngine(path: path, cacheSize: 0).ownFile()
        owned.close()
        connection = try SQLiteConnection(path: path)
        guard let file = connection.file else { throw StorageError(.inputOutput) }
        self.file = file
        while !file.lockAlone() {
            guard !deadline.hasPassed else { throw StorageError(.inUse) }
            Thread.sleep(seconds: 0.01)
        }
        isLocked = true
        if connection.hasMoved {
            unlock()
            return nil
        }
    }

    deinit { unlock() }

    func unlock() {
        guard isLocked else { return }
        isLocked = false
        file.unlock()
        connection.close()
    }
}
