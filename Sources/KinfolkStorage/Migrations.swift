import KinfolkThreads

/// The steps from an empty database to the current schema, in order. A published step never changes.
package struct Migrations: Sendable {
    package struct Step: Sendable {
        let name: StaticString
        let sql: String

        package init(_ name: StaticString, _ sql: String) {
            self.name = name
            self.sql = sql
        }
    }

    private static let mostSteps = 1 << 16

    /// A number in the database that identifies the application.
    let application: Int32
    let steps: [Step]

    package init(application: Int32, steps: [Step]) {
        self.application = application
        self.steps = steps
    }

    /// The version of the current schema.
    var version: Int64 { Int64(steps.count) }

    /// Whether the database has the current schema. Throws if the database is not ours. Changes nothing.
    func areApplied(to connection: Connection, existingOnly: Bool, until deadline: Deadline) throws -> Bool {
        // In a transaction, for a consistent state: another process may be migrating the database.
        try connection.transaction(.read, until: deadline) { try state(of: $0, existingOnly: existingOnly) }
            == steps.count
    }

    /// Whether an existing database has the current schema.
    func areApplied(_ connection: Connection) throws -> Bool {
        try state(of: connection, existingOnly: true) == steps.count
    }

    /// Brings the database to the current schema.
    func apply(to connection: Connection, existingOnly: Bool, until deadline: Deadline) throws {
        try connection.transaction(.writeAlone, until: deadline) { connection in
            let done = try state(of: connection, existingOnly: existingOnly)
            for step in steps[done...] { try connection.engine.run(step.sql, until: deadline) }
            try connection.engine.note(application: application, version: steps.count, until: deadline)
        }
    }

    /// How many steps have been applied.
    private func state(of connection: Connection, existingOnly: Bool) throws -> Int {
        let (owner, version, hasNothing) = try connection.engine.schema(connection)
        let isEmpty = owner == 0 && version == 0 && hasNothing
        if isEmpty && !existingOnly { return 0 }
        guard !isEmpty, owner == Int64(application), version > 0 else { throw StorageError(.foreign) }
        // No version will ever have this many steps, so the number is damaged.
        guard version <= Migrations.mostSteps else { throw StorageError(.corrupt) }
        guard version <= steps.count else { throw StorageError(.newer) }
        return Int(version)
    }
}
