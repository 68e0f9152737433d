import KinfolkCrypto
import KinfolkStorage

/// The tables of consent: what people were asked, and each of their answers.
enum ConsentTable {
    static func decision(of account: AccountID, in container: Int64, _ db: Connection) throws -> Discoverability {
        let number = try db.first(
            """
            SELECT decision FROM consents WHERE account_id = $1 AND container_id = $2 ORDER BY number DESC LIMIT 1
            """,
            .id(account.value),
            .integer(container)
        ) { $0.integer(0) }
        return number.flatMap { Discoverability(rawValue: Int32(truncatingIfNeeded: $0)) } ?? .undetermined
    }

    /// Keeps a wording, once: the same is shown to everybody. It may name the person whom it asks, so it is sealed.
    ///
    /// - Returns: Its ID, for the decisions that people made when they were shown it.
    static func keep(
        _ wording: ConsentWording,
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> [UInt8] {
        let id = keys.wordingTags.tag(wording.bytes)
        let isKnown = try db.first(
            "SELECT 1 FROM wordings WHERE container_id = $1 AND wording_id = $2",
            .integer(container),
            .bytes(id.bytes)
        ) { _ in true }
        if isKnown == nil {
            try db.execute(
                "INSERT INTO wordings (container_id, wording_id, sealed_wording) VALUES ($1, $2, $3)",
                .integer(container),
                .bytes(id.bytes),
                .bytes(try keys.sealing.seal(wording.bytes, at: place(of: id, in: container)))
            )
        }
        return id.bytes
    }

    static func insert(
        _ decision: Discoverability,
        wording: [UInt8],
        of account: AccountID,
        in container: Int64,
        at now: Timestamp,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO consents (account_id, container_id, number, decision, wording_id, decided_at)
            SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5 FROM consents
            WHERE account_id = $1 AND container_id = $2
            """,
            .id(account.value),
            .integer(container),
            .integer(Int64(decision.rawValue)),
            .bytes(wording),
            .integer(now.microseconds)
        )
    }

    /// Inserts the decisions of people who made none before.
    static func insertFirst(
        _ rows: some Sequence<(account: AccountID, decision: Discoverability)>,
        wording: [UInt8],
        in container: Int64,
        at now: Timestamp,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO consents (account_id, container_id, number, decision, wording_id, decided_at)
            VALUES ($1, $2, 1, $3, $4, $5)
            """,
            for: rows
        ) { row in
            [
                .id(row.account.value),
                .integer(container),
                .integer(Int64(row.decision.rawValue)),
                .bytes(wording),
                .integer(now.microseconds),
            ]
        }
    }

    /// A decision that was made, and what the person was shown.
    struct Row {
        let decision: Discoverability
        let decidedAt: Timestamp
        let wording: ConsentWording
    }

    /// All decisions, in the order in which they were made.
    static func all(
        of account: AccountID,
        in container: Int64,
        _ keys: ContainerKeys,
        _ db: Connection
    ) throws -> [Row] {
        let rows = try db.all(
            """
            SELECT c.decision, c.decided_at, c.wording_id, w.sealed_wording FROM consents c
            JOIN wordings w ON w.container_id = c.container_id AND w.wording_id = c.wording_id
            WHERE c.account_id = $1 AND c.container_id = $2 ORDER BY c.number
            """,
            .id(account.value),
            .integer(container)
        ) { row -> Row? in
            guard let id = row.withBytes(2, Tag.init) else { return nil }
            return Row(
                decision: Discoverability(rawValue: Int32(truncatingIfNeeded: row.integer(0))) ?? .undetermined,
                decidedAt: Timestamp(microseconds: row.integer(1)),
                wording: ConsentWording(bytes: try keys.sealing.open(row.bytes(3), at: place(of: id, in: container)))
            )
        }
        return rows.compactMap(\.self)
    }

    /// Deletes the decisions of an account, and the wordings that nobody else was shown.
    static func delete(of account: AccountID, _ db: Connection) throws {
        let wordings = try db.all(
            "SELECT DISTINCT container_id, wording_id FROM consents WHERE account_id = $1",
            .id(account.value)
        ) { (container: $0.integer(0), id: $0.bytes(1)) }
        try db.execute("DELETE FROM consents WHERE account_id = $1", .id(account.value))
        for wording in wordings { try deleteUnlessShown(wording.id, in: wording.container, db) }
    }

    private static func deleteUnlessShown(_ wording: [UInt8], in container: Int64, _ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM wordings WHERE container_id = $1 AND wording_id = $2 AND NOT EXISTS
            (SELECT 1 FROM consents WHERE container_id = $1 AND wording_id = $2)
            """,
            .integer(container),
            .bytes(wording)
        )
    }

    /// Keeps the wordings of an account's decisions under the newest keys.
    static func reseal(of account: AccountID, in container: Int64, _ keys: ContainerKeys, _ db: Connection) throws {
        let wordings = try db.all(
            """
            SELECT DISTINCT w.wording_id, w.sealed_wording FROM consents c
            JOIN wordings w ON w.container_id = c.container_id AND w.wording_id = c.wording_id
            WHERE c.account_id = $1 AND c.container_id = $2
            """,
            .id(account.value),
            .integer(container)
        ) { row in row.withBytes(0, Tag.init).map { (id: $0, sealed: row.bytes(1)) } }
        for case let (id, sealed)? in wordings {
            let bytes = try keys.sealing.open(sealed, at: place(of: id, in: container))
            let newID = try keep(ConsentWording(bytes: bytes), in: container, keys, db)
            try db.execute(
                """
                UPDATE consents SET wording_id = $4
                WHERE account_id = $1 AND container_id = $2 AND wording_id = $3
                """,
                .id(account.value),
                .integer(container),
                .bytes(id.bytes),
                .bytes(newID)
            )
            try deleteUnlessShown(id.bytes, in: container, db)
        }
    }

    private static func place(of wording: Tag, in container: Int64) -> SealedPlace {
        SealedPlace("wordings", "sealed_wording", row: .number(container), .tag(wording))
    }
}
