import CSQLite
import Foundation
import KinfolkCrypto
import TestSupport

/// A copy of a store's files, without the key. The thief reads it with SQLite.
final class StolenFile {
    private let folder: TemporaryFolder
    private let database: OpaquePointer

    /// - Parameter logLength: How many bytes of the write-ahead log are read; nil for all. With fewer, an earlier state of the store is seen.
    init(_ path: String, logLength: Int? = nil) throws {
        folder = try TemporaryFolder()
        let stolen = folder.file("stolen.db")
        try FileManager.default.copyItem(atPath: path, toPath: stolen)
        let log = StolenFile.log(of: path)
        try log.prefix(logLength ?? log.count).write(to: URL(fileURLWithPath: stolen + "-wal"))
        var opened: OpaquePointer?
        guard sqlite3_open(stolen, &opened) == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw ExperimentFailure("the stolen database does not open")
        }
        database = opened
    }

    deinit { sqlite3_close_v2(database) }

    func rows<Row>(_ sql: String, _ body: (StolenRow) throws -> Row) throws -> [Row] {
        var prepared: OpaquePointer?
        defer { sqlite3_finalize(prepared) }
        guard sqlite3_prepare_v2(database, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
            throw ExperimentFailure("the stolen database cannot be read")
        }
        var rows: [Row] = []
        while sqlite3_step(statement) == SQLITE_ROW { rows.append(try body(StolenRow(statement: statement))) }
        return rows
    }

    // MARK: The write-ahead log

    private static func log(of path: String) -> Data {
        (try? Data(contentsOf: URL(fileURLWithPath: path + "-wal"))) ?? Data()
    }

    /// Where in the log each transaction ends, the oldest first ("WAL File Format", sqlite.org).
    static func transactions(inLogOf path: String) -> [Int] {
        let log = Array(log(of: path))
        guard log.count > 32 else { return [] }
        func number(at offset: Int) -> Int { log[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
        let length = 24 + number(at: 8)
        var ends: [Int] = []
        // Frames with other salts are of the time before the log was started again.
        for start in stride(from: 32, through: log.count - length, by: length)
        where log[start + 8..<start + 16] == log[16..<24] && number(at: start + 4) > 0 {
            ends.append(start + length)
        }
        return ends
    }
}

/// A row of a stolen table.
struct StolenRow {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func bytes(_ column: Int32) -> [UInt8] {
        let start = sqlite3_column_blob(statement, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }

    func tag(_ column: Int32) -> Tag { bytes(column).withUnsafeBytes(Tag.init) ?? Tag() }
}
