import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of codes that accounts requested in the last 24 hours, as keyed hashes.
package enum VerificationTable {
    /// How many codes of an account are kept, the newest ones: as many as an account may request. A pass of a mail allows more requests.
    static let kept: Int64 = 20

    package struct Row {
        package let number: Int64
        /// The tag of the address; empty after the address was removed and the keys were rotated.
        package let tag: [UInt8]
        package let purpose: Int64
        /// Empty if the code is no longer valid. Random if no mail was sent.
        let codeTag: [UInt8]
        package let tries: Int64
        package let issuedAt: Timestamp
    }

    /// The codes that an account requested, oldest first.
    package static func all(of account: AccountID, _ db: Connection) throws -> [Row] {
        try db.all(
            """
            SELECT number, tag, purpose, code_tag, tries, issued_at FROM verification_codes
            WHERE account_id = $1 ORDER BY number
            """,
            .id(account.value)
        ) { row in
            Row(
                number: row.integer(0),
                tag: row.bytes(1),
                purpose: row.integer(2),
                codeTag: row.bytes(3),
                tries: row.integer(4),
                issuedAt: Timestamp(microseconds: row.integer(5))
            )
        }
    }

    /// The codes that an account requested for one address.
    package static func all(of account: AccountID, for tags: [Tag], _ db: Connection) throws -> [Row] {
        let tags = tags.map(\.bytes)
        return try all(of: account, db).filter { tags.contains($0.tag) }
    }

    /// Moves codes for addresses to the addresses' other tags.
    static func move(_ moves: some Sequence<EmailTable.Move>, _ db: Connection) throws {
        try db.execute(
            "UPDATE verification_codes SET tag = $3 WHERE account_id = $1 AND tag = $2",
            for: moves
        ) { [.id($0.from.account.value), .tag($0.from.tag), .tag($0.to.tag)] }
    }

    /// Clears the tags of addresses that were removed: nothing under the keys of an ending epoch may remain.
    package static func forgetRemovedAddresses(_ db: Connection) throws {
        try db.execute(
            """
            UPDATE verification_codes SET tag = $1, code_tag = $1 WHERE NOT EXISTS (SELECT 1 FROM emails e
            WHERE e.account_id = verification_codes.account_id AND e.tag = verification_codes.tag)
            """,
            .bytes([])
        )
    }

    /// Corrects the dates of codes issued by a clock that was ahead. Otherwise the codes would not age until the clock reaches
    /// that time.
    package static func date(issuedAfter now: Timestamp, _ db: Connection) throws {
        try db.execute("UPDATE verification_codes SET issued_at = $1 WHERE issued_at > $1", .integer(now.microseconds))
    }

    static func deleteIssued(before moment: Timestamp, _ db: Connection) throws {
        try db.execute("DELETE FROM verification_codes WHERE issued_at <= $1", .integer(moment.microseconds))
    }

    package static func insert(
        _ codeTag: [UInt8],
        for tag: Tag,
        _ purpose: CodePurpose,
        of account: AccountID,
        at now: Timestamp,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO verification_codes (account_id, number, tag, purpose, code_tag, issued_at)
            SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5 FROM verification_codes WHERE account_id = $1
            """,
            .id(account.value),
            .tag(tag),
            .integer(Int64(purpose.rawValue)),
            .bytes(codeTag),
            .integer(now.microseconds)
        )
        try db.execute(
            """
            DELETE FROM verification_codes WHERE account_id = $1
            AND number <= (SELECT max(number) FROM verification_codes WHERE account_id = $1) - $2
            """,
            .id(account.value),
            .integer(kept)
        )
    }

    static func countTry(_ row: Row, of account: AccountID, _ db: Connection) throws {
        try db.execute(
            "UPDATE verification_codes SET tries = tries + 1 WHERE account_id = $1 AND number = $2",
            .id(account.value),
            .integer(row.number)
        )
    }

    /// Invalidates an account's codes for an address. They still count as requested.
    ///
    /// - Parameter purpose: Invalidates only the codes for this purpose; nil for all.
    package static func exhaust(for tag: Tag, _ purpose: CodePurpose? = nil, of account: AccountID, _ db: Connection)
        throws
    {
        for purpose in purpose.map({ [$0] }) ?? CodePurpose.allCases {
            try db.execute(
                "UPDATE verification_codes SET code_tag = $4 WHERE account_id = $1 AND tag = $2 AND purpose = $3",
                .id(account.value),
                .tag(tag),
                .integer(Int64(purpose.rawValue)),
                .bytes([])
            )
        }
    }
}
