import KinfolkThreads

/// The steps from an empty database to the present schema, in order. A step that was published never changes.
package struct Migrations: Sendable {
    package struct Step: Sendable {
        let name: StaticString
        let sql: String

        package init(_ name: StaticString, _ sql: String) {
            self.name = name
            self.sql = sql
        }
    }

    /// A number in the database's header that tells whose it is (`PRAGMA application_id`).
    let application: Int32
    let steps: [Step]

    package init(application: Int32, steps: [Step]) {
        self.application = application
        self.steps = steps
    }

    /// Whether the database has the present schema. Throws if it is none of ours, and changes nothing.
    func areApplied(to connection: Connection, existingOnly: Bool, until deadline: Deadline) throws -> Bool {
        // In a transaction, so that it is one moment's state: another process may be at work on it.
        try connection.transaction(.read, until: deadline) { try state(of: $0, existingOnly: existingOnly) }
            == steps.count
    }

    /// Brings the database to the present schema.
    func apply(to connection: Connection, existingOnly: Bool, until deadline: Deadline) throws {
        try connection.transaction(.write, until: deadline) { connection in
            let done = try state(of: connection, existingOnly: existingOnly)
            for step in steps[done...] { try connection.run(step.sql, until: deadline) }
            try connection.run("PRAGMA application_id = \(application)", until: deadline)
            try connection.run("PRAGMA user_version = \(steps.count)", until: deadline)
        }
    }

    /// How many steps were taken.
    private func state(of connection: Connection, existingOnly: Bool) throws -> Int {
        let owner = try connection.first("PRAGMA application_id") { $0.integer(0) } ?? 0
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        let tables = try connection.first("SELECT count(*) FROM sqlite_master") { $0.integer(0) } ?? 0
        let isEmpty = owner == 0 && version == 0 && tables == 0
        if isEmpty && !existingOnly { return 0 }
        guard !isEmpty, owner == Int64(application), version > 0 else { throw StorageError(.foreign) }
        guard version <= steps.count else { throw StorageError(.newer) }
        return Int(version)
    }
}
