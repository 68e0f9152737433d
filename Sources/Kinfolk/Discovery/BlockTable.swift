import KinfolkStorage

/// The table of blocks: who does not want to find, and to be found by, whom.
enum BlockTable {
    /// Whom a person does not find: those whom they blocked, and those who blocked them.
    static func hidden(from record: UserRecordID, in container: Int64, _ db: Connection) throws -> Set<UserRecordID> {
        let known = try Known.of(db)
        let place = Known.Place(container: container, record: record)
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

    /// Whom a person blocked themselves.
    static func blocked(by record: UserRecordID, in container: Int64, _ db: Connection) throws -> [UserRecordID] {
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

    static func insert(
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

    static func delete(
        _ blocked: UserRecordID,
        by record: UserRecordID,
        isOperators: Bool,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            DELETE FROM blocks
            WHERE container_id = $1 AND record_id = $2 AND blocked_id = $3 AND is_operators = $4
            """,
            .integer(container),
            .id(record.value),
            .id(blocked.value),
            .integer(isOperators ? 1 : 0)
        )
    }
}
