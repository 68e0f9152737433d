import KinfolkCore
import KinfolkFiles
import TestSupport

@testable import KinfolkStorage

/// What a later version does to stores: its schema has more steps than this version's.
enum LaterVersion {
    /// A step that makes a table and fills it from another one.
    static let labels = """
        CREATE TABLE labels (
            label_id INTEGER PRIMARY KEY,
            text TEXT NOT NULL
        );
        INSERT INTO labels SELECT container_id, name FROM containers;
        """

    static var stepsBefore: Int { Schema.migrations.steps.count }

    static func migrations(_ added: String...) -> Migrations {
        Migrations(
            application: Schema.migrations.application,
            steps: Schema.migrations.steps + added.map { Migrations.Step("added", $0) }
        )
    }

    static func open(_ path: String, _ migrations: Migrations = migrations(labels)) throws -> Store {
        try Store(path: FilePath(path), existingOnly: true, wait: 60, migrations: migrations)
    }

    /// The number of rows of the table that the step makes; nil if there is no such table.
    static func labelCount(_ store: Store) throws -> Int? {
        try? store.read { db in try db.first("SELECT count(*) FROM labels") { Int($0.integer(0)) } }
    }

    /// The number of steps that a store has taken, read without changing anything.
    static func version(of path: String) throws -> Int64 {
        let store = try Store(
            path: FilePath(path),
            existingOnly: true,
            isReadOnly: true,
            acceptsOlder: true,
            wait: 60,
            migrations: migrations(labels)
        )
        return try store.read { try $0.engine.schema($0).version }
    }

    /// All rows of this version's tables, read without changing anything.
    static func rows(of path: String, _ migrations: Migrations = Schema.migrations) throws -> [String: [UInt8]] {
        let store = try Store(
            path: FilePath(path),
            existingOnly: true,
            isReadOnly: true,
            wait: 60,
            migrations: migrations
        )
        return try store.read { db in
            try Schema.migrations.tables().reduce(into: [:]) { result, table in
                let rows = TableRows(table)
                var bytes: [UInt8] = []
                try rows.forEach(in: .all, limit: 100_000, db) { rows.append($0, to: &bytes) }
                result[table.name] = bytes
            }
        }
    }
}
