package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

/// The table of containers.
package enum ContainerTable {
    package enum State: Int64 {
        case inUse = 0
        /// Sessions and the operator cannot use it, and its rows are being deleted.
        case ending = 1
        /// Only its number and its name remain.
        case deleted = 2
    }

    package struct Row {
        /// The container's number in this store. It has no meaning outside the store, and is never reused.
        package let number: Int64
        package let name: String
        package let environment: ContainerEnvironment
        package let state: State

        fileprivate var message: [UInt8] {
            var encoding = RowEncoding("containers")
            encoding.append(number)
            encoding.append(Array(name.utf8))
            encoding.append(state.rawValue)
            // Version 0.1.0 had only production.
            if environment != .production { encoding.append(environment.rawValue) }
            return encoding.bytes
        }
    }

    /// The container that currently has a name: in use or being deleted.
    package static func row(
        named name: String,
        _ environment: ContainerEnvironment,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> Row? {
        try db.first(
            """
            SELECT container_id, name, state, mac, environment FROM containers
            WHERE name = $1 AND environment = $2 AND state <> 2
            """,
            .text(name),
            .integer(environment.rawValue)
        ) { try verified($0, keys) }
    }

    /// All containers, verified, in the order of their names.
    package static func verified(_ keys: KeyRing, _ db: Connection) throws -> [Row] {
        try db.all("SELECT container_id, name, state, mac, environment FROM containers ORDER BY name, container_id") {
            try verified($0, keys)
        }
    }

    private static func verified(_ row: any Statement, _ keys: KeyRing) throws -> Row {
        let environment = ContainerEnvironment(rawValue: row.integer(4))
        let container = State(rawValue: row.integer(2)).flatMap { state in
            environment.map { Row(number: row.integer(0), name: row.text(1), environment: $0, state: state) }
        }
        guard let container, keys.isAuthentic(row.bytes(3), of: container.message) else {
            throw KinfolkError.damaged(
                "The name or state of a container is not authentic: the store was edited without the key."
            )
        }
        return container
    }

    /// Whether the code in a row is valid.
    package static func isAuthentic(
        _ mac: [UInt8],
        ofNumber number: Int64,
        _ name: String,
        environment: Int64,
        state: Int64,
        _ keys: KeyRing
    )
        -> Bool
    {
        guard let state = State(rawValue: state), let environment = ContainerEnvironment(rawValue: environment) else {
            return false
        }
        let row = Row(number: number, name: name, environment: environment, state: state)
        return keys.isAuthentic(mac, of: row.message)
    }

    /// Authenticates all containers under the newest key.
    package static func renewCodes(_ keys: KeyRing, _ db: Connection) throws {
        for container in try verified(keys, db) { try set(container.state, of: container, keys, db) }
    }

    /// Changes the state of a container and renews its authentication code.
    package static func set(_ state: State, of container: Row, _ keys: KeyRing, _ db: Connection) throws {
        let row = Row(
            number: container.number,
            name: container.name,
            environment: container.environment,
            state: state
        )
        try db.execute(
            "UPDATE containers SET state = $2, mac = $3 WHERE container_id = $1",
            .integer(row.number),
            .integer(row.state.rawValue),
            .tag(keys.authenticationCode(of: row.message))
        )
    }

    package static func exists(_ container: Int64, _ db: Connection) throws -> Bool {
        try db.first("SELECT 1 FROM containers WHERE container_id = $1 AND state <> 2", .integer(container)) { _ in
            true
        } ?? false
    }

    /// The name by which clients of private discovery know the container: in development with an addition that no name of a
    /// container has.
    package static func name(of container: Int64, _ db: Connection) throws -> String {
        try db.first("SELECT name, environment FROM containers WHERE container_id = $1", .integer(container)) {
            $0.text(0) + ($0.integer(1) == ContainerEnvironment.production.rawValue ? "" : "#development")
        } ?? ""
    }

    /// The containers that have rows: in use or being deleted.
    package static func all(_ db: Connection) throws -> [(name: String, number: Int64)] {
        try db.all("SELECT name, container_id FROM containers WHERE state <> 2 ORDER BY name") {
            ($0.text(0), $0.integer(1))
        }
    }

    package static func insert(
        _ name: String,
        _ environment: ContainerEnvironment,
        at now: Timestamp,
        _ keys: KeyRing,
        _ db: Connection
    ) throws -> Int64 {
        let last = try db.first("SELECT coalesce(max(container_id), 0) FROM containers") { $0.integer(0) } ?? 0
        // Clients identify an epoch by the container's name and the epoch number. A deleted container of the same name used the
        // first numbers.
        let epoch = try db.first("SELECT coalesce(max(private_epoch), 0) FROM containers WHERE name = $1", .text(name))
        {
            $0.integer(0)
        }
        let (number, isOver) = last.addingReportingOverflow(1)
        guard !isOver else { throw StorageError(.corrupt) }
        let row = Row(number: number, name: name, environment: environment, state: .inUse)
        try db.execute(
            """
            INSERT INTO containers (container_id, name, mac, private_epoch, created_at, environment)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            .integer(number),
            .text(name),
            .tag(keys.authenticationCode(of: row.message)),
            .integer(epoch ?? 0),
            .integer(now.microseconds),
            .integer(environment.rawValue)
        )
        return number
    }

    /// Clears the remaining settings of a deleted container.
    package static func empty(_ container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE containers SET prefix_bits = NULL, cover_due = NULL, created_at = 0 WHERE container_id = $1",
            .integer(container)
        )
    }
}
