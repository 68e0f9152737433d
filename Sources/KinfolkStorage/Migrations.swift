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

    private static let mostSteps = 1 << 16

    /// A number in the database that tells whose it is.
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

    /// Whether a database that is there has the present schema.
    func areApplied(_ connection: Connection) throws -> Bool {
        try state(of: connection, existingOnly: true) == steps.count
    }

    /// Brings the database to the present schema.
    func apply(to connection: Connection, existingOnly: Bool, until deadline: Deadline) throws {
        try connection.transaction(.writeAlone, until: deadline) { connection in
            let done = try state(of: connection, existingOnly: existingOnly)
            for step in steps[done...] { try connection.engine.run(step.sql, until: deadline) }
            try connection.engine.note(application: application, version: steps.count, until: deadline)
        }
    }

    /// How many steps were taken.
    private func state(of connection: Connection, existingOnly: Bool) throws -> Int {
        let (owner, version, hasNothing) = try connection.engine.schema(connection)
        let isEmpty = owner == 0 && version == 0 && hasNothing
        if isEmpty && !existingOnly { return 0 }
        guard !isEmpty, owner == Int64(application), version > 0 else { throw StorageError(.foreign) }
        // No version will ever have so many steps: the number is damaged.
        guard version <= Migrations.mostSteps else { throw StorageError(.corrupt) }
        guard version <= steps.count else { throw StorageError(.newer) }
        return Int(version)
    }
}
