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

    static func insert(
        _ decision: Discoverability,
        _ wording: ConsentWording,
        of account: AccountID,
        in container: Int64,
        at now: Timestamp,
        _ db: Connection
    ) throws {
        // The same wording is shown to everybody, so it is kept once.
        try db.execute(
            """
            INSERT INTO wordings (container_id, wording_id, version, wording) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            .integer(container),
            .bytes(wording.id),
            .text(wording.version),
            .text(wording.text)
        )
        try db.execute(
            """
            INSERT INTO consents (account_id, container_id, number, decision, wording_id, decided_at)
            SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5 FROM consents
            WHERE account_id = $1 AND container_id = $2
            """,
            .bytes(account.value.bytes),
            .integer(container),
            .integer(Int64(decision.rawValue)),
            .bytes(wording.id),
            .integer(now.microseconds)
        )
    }
}
