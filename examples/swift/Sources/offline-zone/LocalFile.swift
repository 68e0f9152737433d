import SQLite3

/// A SQLite file of the application: as much of SQLite as the example needs.
final class LocalFile {
    struct Failure: Error {
        let reason: String
    }

    enum Value {
        case text(String?)
        case bytes([UInt8])
    }

    private var connection: OpaquePointer?

    init(_ path: String) throws {
        try check(sqlite3_open(path, &connection))
    }

    deinit { sqlite3_close(connection) }

    /// Runs a statement. Returns its rows, of which each column is a text or null.
    @discardableResult
    func run(_ sql: String, _ values: Value...) throws -> [[String?]] {
        try rows(sql, values) { statement in
            (0..<sqlite3_column_count(statement)).map { column in
                sqlite3_column_text(statement, column).map { String(cString: $0) }
            }
        }
    }

    /// The bytes in the first column of the first row.
    func bytes(_ sql: String) throws -> [UInt8]? {
        try rows(sql, []) { statement in
            let bytes = sqlite3_column_blob(statement, 0)
            return bytes.map {
                [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(sqlite3_column_bytes(statement, 0))))
            }
        }.first ?? nil
    }

    /// Makes all changes of `body`, or none.
    func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            try run("ROLLBACK")
            throw error
        }
    }

    private func rows<Row>(_ sql: String, _ values: [Value], _ row: (OpaquePointer?) -> Row) throws -> [Row] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, sql, -1, &statement, nil))
        defer { sqlite3_finalize(statement) }
        for (value, index) in zip(values, 1...) {
            switch value {
            case .text(nil): try check(sqlite3_bind_null(statement, Int32(index)))
            case .text(let text?): try check(sqlite3_bind_copied_text(statement, Int32(index), text))
            case .bytes(let bytes):
                try check(sqlite3_bind_copied_blob(statement, Int32(index), bytes, Int32(bytes.count)))
            }
        }
        var rows: [Row] = []
        while true {
            let status = sqlite3_step(statement)
            guard status == SQLITE_ROW else {
                try check(status == SQLITE_DONE ? SQLITE_OK : status)
                return rows
            }
            rows.append(row(statement))
        }
    }

    private func check(_ status: Int32) throws {
        guard status == SQLITE_OK else { throw Failure(reason: String(cString: sqlite3_errmsg(connection))) }
    }
}
