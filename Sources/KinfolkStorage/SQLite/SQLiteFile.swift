import CSQLite

/// The database file that an SQLite connection has open, accessed by the connection's own descriptor.
struct SQLiteFile {
    private let file: UnsafeMutablePointer<sqlite3_file>

    init?(of connection: OpaquePointer) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file else {
            return nil
        }
        self.file = file
    }

    func length() throws -> Int {
        var length: Int64 = 0
        guard let xFileSize = file.pointee.pMethods?.pointee.xFileSize else { return 0 }
        try StorageError.check(xFileSize(file, &length))
        return Int(clamping: length)
    }

    /// Reads up to `count` bytes; fewer at the end of the file.
    func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
        guard let xRead = file.pointee.pMethods?.pointee.xRead else { return [] }
        let count = max(0, min(count, try length() - Int(clamping: offset)))
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        try StorageError.check(
            bytes.withUnsafeMutableBytes { xRead(file, $0.baseAddress, Int32(clamping: count), offset) }
        )
        return bytes
    }

    /// Takes the lock that excludes all other users of the database, in this process and others. False if somebody has it open:
    /// with a write-ahead log, each connection holds a lock for as long as it is open.
    func lockAlone() -> Bool {
        guard let methods = file.pointee.pMethods, let xLock = methods.pointee.xLock else { return false }
        if xLock(file, SQLITE_LOCK_SHARED) == SQLITE_OK && xLock(file, SQLITE_LOCK_EXCLUSIVE) == SQLITE_OK {
            return true
        }
        unlock()
        return false
    }

    func unlock() { _ = file.pointee.pMethods?.pointee.xUnlock?(file, SQLITE_LOCK_NONE) }

    // MARK: The header

    /// The offset of the header's format version: 1 with a rollback journal, 2 with a write-ahead log.
    static let versionOffset = 18

    /// The format version in the header; nil if the file has no header.
    func writeVersion() throws -> UInt8? {
        let header = try read(SQLiteFile.versionOffset + 1, at: 0)
        guard header.starts(with: "SQLite format 3\0".utf8) else { return nil }
        return header.count > SQLiteFile.versionOffset ? header[SQLiteFile.versionOffset] : nil
    }
}
