import KinfolkFiles
package import KinfolkStorage

/// A small store for tests of the storage layer: named counters, and a log.
package enum CounterStore {
    /// The application ID of its database: "coun".
    package static let application: Int32 = 0x636f_756e

    package static let steps = [
        Migrations.Step("counters", "CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL)"),
        Migrations.Step("log", "CREATE TABLE log (writer INTEGER NOT NULL, entry INTEGER NOT NULL)"),
    ]

    package static let migrations = Migrations(application: application, steps: steps)

    package static func open(_ path: String, existingOnly: Bool = false, wait: Double = 30) throws -> Store {
        try Store(path: FilePath(path), existingOnly: existingOnly, wait: wait, migrations: migrations)
    }
}

extension Store {
    /// Reads a counter, and writes it incremented in a second statement, so that a lost update shows.
    package func countUp(_ name: String) throws {
        try write { db in
            let value = try db.first("SELECT value FROM counters WHERE name = $1", .text(name)) { $0.integer(0) } ?? 0
            try db.execute(
                "INSERT INTO counters VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                .text(name),
                .integer(value + 1)
            )
        }
    }

    package func count(_ name: String) throws -> Int64 {
        try read { db in
            try db.first("SELECT value FROM counters WHERE name = $1", .text(name)) { $0.integer(0) } ?? 0
        }
    }
}
