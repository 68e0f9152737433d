import KinfolkCrypto
import KinfolkStorage

/// The table of verification codes: those of the last 24 hours, as keyed hashes.
enum VerificationTable {
    struct Row {
        let tag: Tag
        let number: Int64
        let codeTag: [UInt8]
        let tries: Int
        let issuedAt: Timestamp
    }

    /// The code that counts for an account's address: the newest.
    static func newest(for tags: [Tag], of account: AccountID, _ db: Connection) throws -> Row? {
        for tag in tags {
            let row = try db.first(
                """
                SELECT number, code_tag, tries, issued_at FROM verification_codes
                WHERE tag = $1 AND account_id = $2 ORDER BY number DESC LIMIT 1
                """,
                .tag(tag),
                .id(account.value)
            ) { row in
                Row(
                    tag: tag,
                    number: row.integer(0),
                    codeTag: row.bytes(1),
                    tries: Int(row.integer(2)),
                    issuedAt: Timestamp(microseconds: row.integer(3))
                )
            }
            // Those under the tag of an older epoch were issued before.
            if let row { return row }
        }
        return nil
    }

    /// When the codes for an address were issued, to any account, oldest first.
    static func issuedAt(for tags: [Tag], _ db: Connection) throws -> [Timestamp] {
        try tags.flatMap { tag in
            try db.all("SELECT issued_at FROM verification_codes WHERE tag = $1", .tag(tag)) {
                Timestamp(microseconds: $0.integer(0))
            }
        }.sorted()
    }

    /// When the codes for an account's address were issued, oldest first.
    static func issuedAt(for tag: Tag, of account: AccountID, _ db: Connection) throws -> [Timestamp] {
        try db.all(
            "SELECT issued_at FROM verification_codes WHERE tag = $1 AND account_id = $2 ORDER BY number",
            .tag(tag),
            .id(account.value)
        ) { Timestamp(microseconds: $0.integer(0)) }
    }

    /// Puts an account's codes for an address under another tag, before those that are there: they were issued earlier.
    static func move(_ tag: Tag, to other: Tag, of account: AccountID, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE verification_codes SET tag = $3, number = number - 1
            - (SELECT max(number) FROM verification_codes WHERE tag = $1)
            + (SELECT coalesce(min(number), 1) FROM verification_codes WHERE tag = $3)
            WHERE tag = $1 AND account_id = $2
            """,
            .tag(tag),
            .id(account.value),
            .bytes(other.bytes)
        )
    }

    /// Dates codes that were issued by a clock that was ahead: they would not grow old until it is that late again.
    static func date(issuedAfter now: Timestamp, _ db: Connection) throws {
        try db.execute("UPDATE verification_codes SET issued_at = $1 WHERE issued_at > $1", .integer(now.microseconds))
    }

    static func deleteIssued(before moment: Timestamp, _ db: Connection) throws {
        try db.execute("DELETE FROM verification_codes WHERE issued_at <= $1", .integer(moment.microseconds))
    }

    static func insert(_ codeTag: Tag, for tag: Tag, of account: AccountID, at now: Timestamp, _ db: Connection) throws
    {
        try db.execute(
            """
            INSERT INTO verification_codes (tag, number, account_id, code_tag, issued_at)
            SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4 FROM verification_codes WHERE tag = $1
            """,
            .tag(tag),
            .id(account.value),
            .tag(codeTag),
            .integer(now.microseconds)
        )
    }

    static func countTry(_ row: Row, _ db: Connection) throws {
        try db.execute(
            "UPDATE verification_codes SET tries = tries + 1 WHERE tag = $1 AND number = $2",
            .tag(row.tag),
            .integer(row.number)
        )
    }

    /// Makes an account's codes for an address worth nothing. They still count among those issued.
    static func exhaust(for tag: Tag, of account: AccountID, _ db: Connection) throws {
        try db.execute(
            "UPDATE verification_codes SET code_tag = $3 WHERE tag = $1 AND account_id = $2",
            .tag(tag),
            .id(account.value),
            .bytes([])
        )
    }
}
