import CSQLite
import Foundation

/// The files of a running store, as a thief has them, without the key.
struct Loot {
    /// The bytes of all files, followed by every value of every table.
    private(set) var bytes: [UInt8] = []
    /// How many of these bytes are of files.
    private(set) var fileCount = 0

    /// Takes the database, its write-ahead log and its shared memory as they are, into another folder.
    init(_ path: String, into folder: String) throws {
        let stolen = folder + "/stolen.db"
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: stolen + suffix)
            bytes += try Data(contentsOf: URL(fileURLWithPath: stolen + suffix))
            separate()
        }
        fileCount = bytes.count
        try readTables(stolen)
    }

    /// Adds bytes that were not in the files.
    mutating func add(_ more: [UInt8]) {
        bytes += more
        separate()
    }

    /// Separates two values, so that nothing is found across their boundary.
    private mutating func separate() { bytes += [UInt8](repeating: 0, count: 16) }

    /// Adds the value of each column. In the file a value may be split over several pages.
    private mutating func readTables(_ path: String) throws {
        var opened: OpaquePointer?
        defer { sqlite3_close_v2(opened) }
        guard sqlite3_open(path, &opened) == SQLITE_OK, let database = opened else {
            throw ExperimentFailure("the stolen database does not open")
        }
        var tables: [String] = []
        try Loot.rows(of: "SELECT name FROM sqlite_master WHERE type = 'table'", database) { row in
            if let name = sqlite3_column_text(row, 0) { tables.append(String(cString: name)) }
        }
        for table in tables {
            try Loot.rows(of: "SELECT * FROM \"\(table)\"", database) { row in
                for column in 0..<sqlite3_column_count(row) {
                    switch sqlite3_column_type(row, column) {
                    case SQLITE_INTEGER:
                        let number = sqlite3_column_int64(row, column)
                        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
                        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
                    case SQLITE_NULL: continue
                    default:
                        let start = sqlite3_column_blob(row, column)
                        bytes += UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column)))
                    }
                    separate()
                }
            }
        }
    }

    private static func rows(of sql: String, _ database: OpaquePointer, _ body: (OpaquePointer) -> Void) throws {
        var prepared: OpaquePointer?
        defer { sqlite3_finalize(prepared) }
        guard sqlite3_prepare_v2(database, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
            throw ExperimentFailure("the stolen database cannot be read")
        }
        while sqlite3_step(statement) == SQLITE_ROW { body(statement) }
    }
}
