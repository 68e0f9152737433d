import CSQLite

/// A prepared statement of SQLite.
final class SQLiteStatement: Statement {
    private let handle: OpaquePointer
    /// Whether a column was read whose value has another type than the schema declares.
    private var hasMetForeignValue = false

    init(_ connection: OpaquePointer, _ sql: String) throws {
        let text = SQLiteStatement.dialect(sql)
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
            },
            on: connection
        )
        guard let handle else { throw StorageError(.misuse) }
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    /// Converts PostgreSQL's placeholders. SQLite would treat `$1` as a name, numbered by first appearance; `?1` is a number. `=
    /// ANY($1)`, which looks up many keys at once, becomes `= (?1)`: keys are looked up one by one here.
    private static func dialect(_ sql: String) -> [UInt8] {
        var parts = sql.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)[...]
        var text = parts.popFirst().map(Array.init) ?? []
        for part in parts {
            if text.suffix(4).elementsEqual("ANY(".utf8) { text.replaceSubrange((text.count - 4)..., with: "(".utf8) }
            let isNumbered = part.first.map((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) ?? false
            text.append(UInt8(ascii: isNumbered ? "?" : "$"))
            text += part
        }
        return text
    }

    func bind(_ values: [Value]) throws {
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

    func bind(_ number: Int64, at index: Int32) throws {
        try StorageError.check(sqlite3_bind_int64(handle, index, number))
    }

    func bind(inPlace bytes: UnsafeRawBufferPointer, at index: Int32) throws {
        try StorageError.check(
            kinfolk_sqlite_bind_static(handle, index, bytes.baseAddress, Int32(clamping: bytes.count))
        )
    }

    func step() throws -> Bool {
        try checkValues()
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw StorageError(sqlite: code, on: sqlite3_db_handle(handle))
        }
    }

    func reset() { sqlite3_reset(handle) }

    func clear() {
        hasMetForeignValue = false
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 {
        demand(column, SQLITE_INTEGER)
        return sqlite3_column_int64(handle, column)
    }

    func real(_ column: Int32) -> Double {
        demand(column, SQLITE_FLOAT, SQLITE_INTEGER)
        return sqlite3_column_double(handle, column)
    }

    /// SQLite stores any value in any column and converts types. A value of an unexpected type was not written by Kinfolk.
    private func demand(_ column: Int32, _ type: Int32, _ other: Int32 = SQLITE_NULL) {
        let found = sqlite3_column_type(handle, column)
        if found != type && found != other && found != SQLITE_NULL { hasMetForeignValue = true }
    }

    func checkValues() throws {
        guard hasMetForeignValue else { return }
        hasMetForeignValue = false
        throw StorageError(.corrupt, code: SQLITE_MISMATCH)
    }

    func bytes(inPlace column: Int32) -> UnsafeRawBufferPointer {
        demand(column, SQLITE_BLOB, SQLITE_TEXT)
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }

    func enqueue(_ changes: @escaping (Int) -> Void) throws {
        while try step() {}
        changes(Int(sqlite3_changes64(sqlite3_db_handle(handle))))
        reset()
    }

    func flush() {}

    func run(_ count: Int, bind: (Int) throws -> Void, _ body: (Int) throws -> Void) throws {
        for number in 0..<count {
            try bind(number)
            try body(number)
            reset()
        }
    }

    /// A thousand runs of one statement are faster than one run with a list of a thousand keys.
    func lookUp(_ keys: KeyList, at index: Int32, _ body: (Int) throws -> Void) throws {
        for position in 0..<keys.count {
            try bind(inPlace: keys[position], at: index)
            while try step() { try body(position) }
            reset()
        }
    }

    /// How many steps SQLite's virtual machine has taken for this statement since the last call.
    func takeStepCount() -> Int {
        Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 1))
    }

    var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }
}
