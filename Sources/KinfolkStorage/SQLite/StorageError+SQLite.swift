import CSQLite
import Glibc

extension StorageError {
    /// SQLITE_IOERR_SHMSIZE: the index of the log (-shm) cannot grow. That is how SQLite reports a full disk there.
    private static let indexCannotGrow = SQLITE_IOERR | (19 << 8)

    /// SQLITE_READONLY_RECOVERY, which SQLite does not give to the handler that waits.
    static let indexIsBeingMade = SQLITE_READONLY | (1 << 8)

    /// The only place where a result code of SQLite is converted to an error.
    ///
    /// - Parameter handle: The connection that returned the code. It knows the system's error that caused it.
    package init(sqlite code: Int32, on handle: OpaquePointer? = nil) {
        let kind: Kind =
            switch code & 0xff {
            case SQLITE_IOERR where code == StorageError.indexCannotGrow: .full
            case SQLITE_IOERR where StorageError.isDiskFull(handle): .full
            case SQLITE_CANTOPEN where StorageError.isDiskFull(handle): .full
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            // A process that has just opened the log is about to make its index.
            case SQLITE_READONLY where code == StorageError.indexIsBeingMade: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .notPermitted
            case SQLITE_CANTOPEN where StorageError.hasUnknownLog(handle): .corrupt
            case SQLITE_CANTOPEN: .cannotOpen
            case SQLITE_NOTADB: .foreign
            case SQLITE_CORRUPT, SQLITE_FORMAT: .corrupt
            // No statement meets a conflicting row, or a value of a wrong type, unless another program wrote it.
            case SQLITE_CONSTRAINT, SQLITE_MISMATCH: .corrupt
            // All statements are our own, and their values are bounded. So if SQLite cannot prepare, add up or hold something,
            // the cause is in the file: a table or a column is missing, a sum of counts overflows, or a cell claims to have
            // gigabytes.
            case SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_SCHEMA: .corrupt
            case SQLITE_IOERR, SQLITE_INTERRUPT, SQLITE_PROTOCOL, SQLITE_NOLFS: .inputOutput
            default: .misuse
            }
        self.init(kind, code: code)
    }

    /// Whether the log is of a version that no SQLite writes. SQLite then reports that it cannot open a file.
    private static func hasUnknownLog(_ handle: OpaquePointer?) -> Bool {
        guard let handle, let name = sqlite3_db_filename(handle, "main"), let log = sqlite3_filename_wal(name) else {
            return false
        }
        let file = open(log, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var version: UInt32 = 0
        guard pread(file, &version, 4, 4) == 4 else { return false }
        return UInt32(bigEndian: version) != 3_007_000
    }

    private static func isDiskFull(_ handle: OpaquePointer?) -> Bool {
        guard let handle else { return false }
        let number = sqlite3_system_errno(handle)
        return number == ENOSPC || number == EDQUOT
    }

    static func check(_ code: Int32, on handle: OpaquePointer? = nil) throws {
        guard code == SQLITE_OK else { throw StorageError(sqlite: code, on: handle) }
    }
}
