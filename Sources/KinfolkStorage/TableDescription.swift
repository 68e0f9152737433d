import KinfolkFiles
import KinfolkThreads

/// The structure of a table.
package struct TableDescription: Sendable {
    /// The declared type of a column.
    package enum ColumnType: String, Sendable {
        case integer = "INTEGER"
        case real = "DOUBLE PRECISION"
        case text = "TEXT"
        case bytes = "BLOB"
    }

    package struct Column: Sendable {
        package let name: String
        package let type: ColumnType
        package let isOptional: Bool
    }

    package let name: String
    package let columns: [Column]
    /// The positions of the columns of the primary key, in the order of the key; never empty.
    package let key: [Int]
}

extension TableDescription {
    package func has(column name: String) -> Bool { columns.contains { $0.name == name } }

    /// The condition, in SQL, that each value in a row has the declared type of its column. Always true on an engine that accepts
    /// no other values.
    package func typeCondition(on db: Connection) -> String {
        guard !db.engine.enforcesTypes else { return "TRUE" }
        let conditions = columns.map { column in
            let type =
                switch column.type {
                case .integer: "integer"
                case .real: "real"
                case .text: "text"
                case .bytes: "blob"
                }
            return "typeof(\(column.name)) IN ('\(type)'\(column.isOptional ? ", 'null'" : ""))"
        }
        return conditions.joined(separator: " AND ")
    }
}

extension Statement {
    /// The value of a column with this type.
    func value(_ column: Int32, _ type: TableDescription.ColumnType) -> Value {
        guard !isNull(column) else { return .null }
        switch type {
        case .integer: return .integer(integer(column))
        case .real: return .real(real(column))
        case .text: return .text(text(column))
        case .bytes: return .bytes(bytes(column))
        }
    }
}

extension Migrations {
    /// The tables after all steps, in the order of their creation.
    package func tables() throws -> [TableDescription] {
        let engine = try SQLiteConnection(path: FilePath(":memory:"))
        defer { engine.close() }
        for step in steps { try engine.run(step.sql, until: .never) }
        return try Connection(engine).transaction(.read, until: .never) { db in
            let names = try db.all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid") { $0.text(0) }
            return try names.map { try Migrations.table($0, db) }
        }
    }

    private static func table(_ name: String, _ db: Connection) throws -> TableDescription {
        var columns: [TableDescription.Column] = []
        var key: [(place: Int64, column: Int)] = []
        let rows = try db.all(
            """
            SELECT name, type, pk, "notnull" FROM pragma_table_info($1) ORDER BY cid
            """,
            .text(name)
        ) { row in
            (name: row.text(0), type: row.text(1), place: row.integer(2), isRequired: row.integer(3) != 0)
        }
        for row in rows {
            guard let type = TableDescription.ColumnType(rawValue: row.type) else { throw StorageError(.misuse) }
            if row.place > 0 { key.append((row.place, columns.count)) }
            let isOptional = !row.isRequired && row.place == 0
            columns.append(TableDescription.Column(name: row.name, type: type, isOptional: isOptional))
        }
        // Without a key, its rows could not be distinguished.
        guard !key.isEmpty else { throw StorageError(.misuse) }
        return TableDescription(name: name, columns: columns, key: key.sorted { $0.place < $1.place }.map(\.column))
    }
}
