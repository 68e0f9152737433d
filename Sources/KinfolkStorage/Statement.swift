import CSQLite

/// A prepared statement of one connection.
///
/// Columns are read between a ``step()`` that returned true and the next. A column of another type than asked for reads as
/// zero or empty: the schema is ours, so there is none.
package final class Statement {
    private let handle: OpaquePointer

    init(_ connection: OpaquePointer, _ sql: StaticString) throws {
        // `$1` is PostgreSQL's; to SQLite it would be a name, numbered by first appearance. `?1` is a number.
        let text = sql.withUTF8Buffer { source in
            source.indices.map { index in
                let next = index + 1 < source.count ? source[index + 1] : 0
                return source[index] == UInt8(ascii: "$") && (0x30...0x39).contains(next)
                    ? UInt8(ascii: "?") : source[index]
            }
        }
        var handle: OpaquePointer?
        try StorageError.check(
            text.withUnsafeBytes { text in
                sqlite3_prepare_v3(
                    connection,
                    text.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(text.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &handle,
                    nil
                )
            }
        )
        guard let handle else { throw StorageError(.misuse) }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    package func bind(_ values: [Value]) throws {
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            switch value {
            case .null: try StorageError.check(sqlite3_bind_null(handle, index))
            case .integer(let number): try bind(number, at: index)
            case .real(let number): try StorageError.check(sqlite3_bind_double(handle, index, number))
            case .text(var text):
                try StorageError.check(
                    text.withUTF8 { utf8 in
                        utf8.withMemoryRebound(to: CChar.self) { text in
                            kinfolk_sqlite_bind_text(handle, index, text.baseAddress, Int32(clamping: text.count))
                        }
                    }
                )
            case .bytes(let bytes): try bytes.withUnsafeBytes { try bind(copying: $0, at: index) }
            case .sixteenBytes(let first, let second):
                try withUnsafeBytes(of: (first, second)) { try bind(copying: $0, at: index) }
            }
        }
    }

    private func bind(copying bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        try StorageError.check(
            kinfolk_sqlite_bind_copied(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
        )
    }

    package func bind(_ number: Int64, at index: Int32) throws {
        try StorageError.check(sqlite3_bind_int64(handle, index, number))
    }

    /// Binds bytes that stay where they are until the statement is reset or bound anew.
    package func bind(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        try StorageError.check(
            kinfolk_sqlite_bind_static(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
        )
    }

    /// Goes to the next row. False after the last one.
    package func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw StorageError(sqlite: code)
        }
    }

    /// Makes the statement ready for the next run.
    package func reset() { sqlite3_reset(handle) }

    /// Lets go of the bound values too.
    func clear() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    package func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

    package func bytes(_ column: Int32) -> [UInt8] { withBytes(column) { Array($0) } }

    package func text(_ column: Int32) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// The bytes of a column, in SQLite's memory.
    package func withBytes<Result>(
        _ column: Int32,
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let start = sqlite3_column_blob(handle, column)
        return try body(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// Copies a column of so many bytes: for queries of many rows. False if it has another number, or there is no room.
    package func copy(
        _ column: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at position: Int,
        length: Int
    ) -> Bool {
        guard let source = sqlite3_column_blob(handle, column), Int(sqlite3_column_bytes(handle, column)) == length,
            let target = buffer.baseAddress, position >= 0, length <= buffer.count - position
        else { return false }
        (target + position).copyMemory(from: source, byteCount: length)
        return true
    }

    /// How many steps of SQLite's machine this statement has taken since the last call.
    func takeStepCount() -> Int {
        Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1))
    }

    var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }
}
