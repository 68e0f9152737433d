import KinfolkFiles

/// The ways in which a connection uses the files of a database.
enum SQLiteAccess {
    case writing
    /// Reads, and changes no file. Others may write meanwhile. The log and its index must exist.
    case reading
    /// Reads, without locks, a file that nobody has open, as long as the file stays in this state.
    case readingUnused(FileState)

    /// A log that is no longer than its header is empty.
    private static let logHeaderLength = 32

    static func hasLog(_ path: FilePath) -> Bool {
        (FileState.length(of: path + "-wal") ?? 0) > logHeaderLength
    }

    /// How a database can be read without changing anything. Nil while it is being opened or closed, or if it was not closed and
    /// its log has no index.
    ///
    /// SQLite would create a missing log and index. With `immutable` it ignores both.
    static func forReading(_ path: FilePath) -> SQLiteAccess? {
        let state = FileState(path)
        let (log, index) = (FileState.length(of: path + "-wal"), FileState.length(of: path + "-shm"))
        if log != nil && index != nil { return .reading }
        guard !hasLog(path), (FileState.length(of: path + "-journal") ?? 0) == 0 else { return nil }
        // If the file does not exist, SQLite reports what is wrong.
        return state.map(readingUnused) ?? .reading
    }

    /// Whether a database that is read without locks may have changed.
    func isOutdated(_ path: FilePath) -> Bool {
        guard case .readingUnused(let state) = self else { return false }
        guard case .readingUnused(let present)? = SQLiteAccess.forReading(path) else { return true }
        return present != state
    }

    var isWriting: Bool { if case .writing = self { true } else { false } }

    /// The name by which SQLite opens the file in this way.
    func name(of path: FilePath) -> [CChar] {
        switch self {
        case .writing: path.cString
        case .reading: SQLiteAccess.uri(path, "?mode=ro&readonly_shm=1")
        case .readingUnused: SQLiteAccess.uri(path, "?mode=ro&immutable=1")
        }
    }

    private static func uri(_ path: FilePath, _ parameters: StaticString) -> [CChar] {
        let digits = Array("0123456789ABCDEF".utf8)
        var uri = Array((path.hasPrefix("/") ? "file://" : "file:").utf8)
        for byte in path.bytes {
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                uri.append(byte)
            default: uri += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        parameters.withUTF8Buffer { uri += $0 }
        return FilePath(bytes: uri).cString
    }
}
