import KinfolkCrypto
import KinfolkStorage

/// The tables of consent: what people were asked, and each of their answers.
enum ConsentTable {
    static func decision(of account: AccountID, in container: Int64, _ db: Connection) throws -> Discoverability {
        let number = try db.first(
            """
            SELECT decision FROM consents WHERE account_id = $1 AND container_id = $2 ORDER BY number DESC LIMIT 1
            """,
            .bytes(account.value.bytes),
            .integer(container)
        ) { $0.integer(0) }
        return number.flatMap { Discoverability(rawValue: Int32(truncatingIfNeeded: $0)) } ?? .undetermined
    }

    /// Keeps a wording, once: the same is shown to everybody.
    ///
    /// - Returns: Its ID, for the decisions that people made when they were shown it.
    static func keep(_ wording: ConsentWording, in container: Int64, _ db: Connection) throws -> [UInt8] {
        let id = wording.id
        try db.execute(
            """
            INSERT INTO wordings (container_id, wording_id, version, wording) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            .integer(container),
            .bytes(id),
            .text(wording.version),
            .text(wording.text)
        )
        return id
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
            .bytes(account.value.bytes),
            .integer(container),
            .integer(Int64(decision.rawValue)),
            .bytes(wording),
            .integer(now.microseconds)
        )
    }
}
