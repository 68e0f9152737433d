import KinfolkThreads

/// Keeps everybody else from a store in a file, while that is replaced.
final class StoreLock {
    private let connection: SQLiteConnection
    private let file: SQLiteFile
    private var isLocked = false

    /// Nil if another file is at the path by now.
    ///
    /// - Throws: ``StorageError/Kind/inUse`` if somebody has it open until the deadline, be it in this process,
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
