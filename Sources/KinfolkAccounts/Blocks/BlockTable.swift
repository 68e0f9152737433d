package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

/// The table of blocks between two people, who then cannot find each other.
package enum BlockTable {
    /// A block that a person, or the operator for them, made.
    package struct Row {
        package let container: Int64
        package let blocked: UserRecordID
        /// As stored: 0 if the person made it.
        package let isOperators: Int64

        package func append(to encoding: inout RowEncoding) {
            encoding.append(blocked.value)
            encoding.append(isOperators)
        }
    }

    /// The blocks that an account, or the operator for it, made in all containers, in an order that does not depend on the
    /// engine.
    package static func all(of account: AccountID, _ db: Connection) throws -> [Row] {
        try db.all(
            """
            SELECT b.container_id, b.blocked_id, b.is_operators FROM users u
            JOIN blocks b ON b.container_id = u.container_id AND b.record_id = u.record_id
            WHERE u.account_id = $1 ORDER BY b.container_id, b.blocked_id, b.is_operators
            """,
            .id(account.value)
        ) { row in
            guard let blocked = row.withBytes(1, RandomID.init(bytes:)) else { throw AccountRows.changed }
            return Row(container: row.integer(0), blocked: UserRecordID(blocked), isOperators: row.integer(2))
        }
    }

    /// The user record IDs of the people who blocked a person, or for whom the operator did.
    package static func blockers(of record: UserRecordID, in container: Int64, _ db: Connection) throws
        -> [UserRecordID]
    {
        let rows = try db.all(
            "SELECT DISTINCT record_id FROM blocks WHERE container_id = $1 AND blocked_id = $2",
            .integer(container),
            .id(record.value)
        ) { $0.withBytes(0, RandomID.init(bytes:)) }
        return rows.compactMap { $0.map(UserRecordID.init) }
    }

    /// The people whom a person cannot find: those whom they blocked, and those who blocked them.
    package static func hidden(from record: UserRecordID, in container: Int64, _ db: Connection) throws -> Set<
        UserRecordID
    > {
        let known = try KnownAccounts.of(db)
        let place = KnownAccounts.Place(container: container, record: record)
        if let people = known?.hidden(from: place) { return people }
        let rows = try db.all(
            """
            SELECT blocked_id FROM blocks WHERE container_id = $1 AND record_id = $2
            UNION ALL SELECT record_id FROM blocks WHERE container_id = $1 AND blocked_id = $2
            """,
            .integer(container),
            .id(record.value)
        ) { $0.withBytes(0, RandomID.init(bytes:)) }
        let people = Set(rows.compactMap { $0.map(UserRecordID.init) })
        known?.note(people, hiddenFrom: place)
        return people
    }

    /// The people whom a person blocked; not the operator's blocks.
    package static func blocked(by record: UserRecordID, in container: Int64, _ db: Connection) throws -> [UserRecordID]
    {
        let rows = try db.all(
            """
            SELECT blocked_id FROM blocks WHERE container_id = $1 AND record_id = $2 AND is_operators = 0
            ORDER BY blocked_id
            """,
            .integer(container),
            .id(record.value)
        ) { $0.withBytes(0, RandomID.init(bytes:)) }
        return rows.compactMap { $0.map(UserRecordID.init) }
    }

    /// Whether the operator blocked one person for another.
    package static func isOperators(
        _ blocked: UserRecordID,
        by record: UserRecordID,
        in container: Int64,
        _ db: Connection
    ) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM blocks WHERE container_id = $1 AND record_id = $2 AND blocked_id = $3 AND is_operators <> 0
            """,
            .integer(container),
            .id(record.value),
            .id(blocked.value)
        ) { _ in true } ?? false
    }

    /// The operator's blocks after `last`, in the order of the table.
    package static func operators(
        after last: OperatorBlock?,
        limit: Int,
        in container: Int64,
        _ db: Connection
    ) throws -> [OperatorBlock] {
        try db.all(
            """
            SELECT record_id, blocked_id FROM blocks
            WHERE container_id = $1 AND is_operators <> 0 AND record_id >= $2 AND (record_id > $2 OR blocked_id > $3)
            ORDER BY record_id, blocked_id LIMIT $4
            """,
            .integer(container),
            .bytes(last?.otherUserRecordID.value.bytes ?? []),
            .bytes(last?.userRecordID.value.bytes ?? []),
            .integer(Int64(limit))
        ) { row in
            guard let record = row.withBytes(0, RandomID.init(bytes:)),
                let blocked = row.withBytes(1, RandomID.init(bytes:))
            else { throw AccountRows.changed }
            return OperatorBlock(userRecordID: UserRecordID(blocked), otherUserRecordID: UserRecordID(record))
        }
    }

    package static func insert(
        _ blocked: UserRecordID,
        by record: UserRecordID,
        isOperators: Bool,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO blocks (container_id, record_id, blocked_id, is_operators) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            .integer(container),
            .id(record.value),
            .id(blocked.value),
            .integer(isOperators ? 1 : 0)
        )
    }

    /// Deletes the blocks of `blocked` that `record` made, or the operator for `record`.
    package static func deleteAll(
        of blocked: UserRecordID,
        by record: UserRecordID,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            "DELETE FROM blocks WHERE container_id = $1 AND record_id = $2 AND blocked_id = $3",
            .integer(container),
            .id(record.value),
            .id(blocked.value)
        )
    }

    /// Deletes a block. Returns whether it existed.
    package static func delete(
        _ blocked: UserRecordID,
        by record: UserRecordID,
        isOperators: Bool,
        in container: Int64,
        _ db: Connection
    ) throws -> Bool {
        try db.changes(
            """
            DELETE FROM blocks
            WHERE container_id = $1 AND record_id = $2 AND blocked_id = $3
                AND CASE WHEN is_operators <> 0 THEN 1 ELSE 0 END = $4
            """,
            .integer(container),
            .id(record.value),
            .id(blocked.value),
            .integer(isOperators ? 1 : 0)
        ) > 0
    }
}
