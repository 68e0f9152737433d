import KinfolkCrypto
import KinfolkStorage

/// Queries of the check that concern whole tables.
enum StoreCheckTable {
    static func count(_ table: String, _ db: Connection) throws -> Int {
        try db.using(composed: "SELECT count(*) FROM \(table)", []) { row in
            try row.step() ? Int(row.integer(0)) : 0
        }
    }

    /// Rows that belong to something that does not exist. Kinfolk never leaves such rows.
    static let orphans: [(table: String, sql: StaticString)] = [
        (
            "emails",
            """
            SELECT count(*) FROM emails t
            WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = t.account_id)
            """
        ),
        (
            "verified_emails",
            """
            SELECT count(*) FROM verified_emails t WHERE NOT EXISTS (SELECT 1 FROM emails e
            WHERE e.account_id = t.account_id AND e.tag = t.tag AND e.verified_at IS NOT NULL)
            """
        ),
        (
            "verification_codes",
            """
            SELECT count(*) FROM verification_codes t
            WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = t.account_id)
            """
        ),
        (
            "email_claims",
            """
            SELECT count(*) FROM email_claims t
            WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = t.claimant_id)
            """
        ),
        (
            "users",
            """
            SELECT count(*) FROM users t WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = t.account_id)
            OR NOT EXISTS (SELECT 1 FROM containers c WHERE c.container_id = t.container_id)
            """
        ),
        (
            "consents",
            """
            SELECT count(*) FROM consents t WHERE NOT EXISTS (SELECT 1 FROM users u
            WHERE u.account_id = t.account_id AND u.container_id = t.container_id)
            """
        ),
        (
            "limits",
            """
            SELECT count(*) FROM limits t
            WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account_id = t.account_id)
            """
        ),
        (
            "blocks",
            """
            SELECT count(*) FROM blocks t WHERE NOT EXISTS (SELECT 1 FROM users u
            WHERE u.container_id = t.container_id AND u.record_id = t.record_id)
            """
        ),
        (
            "records",
            """
            SELECT count(*) FROM records t WHERE NOT EXISTS (SELECT 1 FROM users u
            WHERE u.container_id = t.container_id AND u.record_id = t.record_id)
            """
        ),
        (
            "container_keys",
            """
            SELECT count(*) FROM container_keys t
            WHERE NOT EXISTS (SELECT 1 FROM containers c WHERE c.container_id = t.container_id)
            """
        ),
        (
            "container_limits",
            """
            SELECT count(*) FROM container_limits t
            WHERE NOT EXISTS (SELECT 1 FROM containers c WHERE c.container_id = t.container_id)
            """
        ),
        (
            "directories",
            """
            SELECT count(*) FROM directories t
            WHERE NOT EXISTS (SELECT 1 FROM containers c WHERE c.container_id = t.container_id)
            """
        ),
        (
            "directory_counts",
            """
            SELECT count(*) FROM directory_counts t WHERE NOT EXISTS (SELECT 1 FROM directories d
            WHERE d.container_id = t.container_id AND d.epoch = t.epoch)
            """
        ),
        (
            "fields",
            """
            SELECT count(*) FROM fields t
            WHERE NOT EXISTS (SELECT 1 FROM containers c WHERE c.container_id = t.container_id)
            """
        ),
    ]

    /// The numbers of rows in a table of the directories, for each container and, if the table has epochs, for each epoch.
    static func directoryRows(_ db: Connection) throws -> [DirectoryRows.Place: Int] {
        try rows("SELECT container_id, 0, count(*) FROM directory GROUP BY container_id", db)
    }

    static func identities(_ db: Connection) throws -> [DirectoryRows.Place: Int] {
        try rows("SELECT container_id, 0, count(*) FROM identities GROUP BY container_id", db)
    }

    static func privateRows(_ db: Connection) throws -> [DirectoryRows.Place: Int] {
        try rows(
            "SELECT container_id, epoch, count(*) FROM private_directory GROUP BY container_id, epoch",
            db
        )
    }

    private static func rows(_ sql: StaticString, _ db: Connection) throws -> [DirectoryRows.Place: Int] {
        let rows = try db.all(sql) { row in
            (DirectoryRows.Place(container: row.integer(0), epoch: row.integer(1)), Int(row.integer(2)))
        }
        return Dictionary(rows) { $0 + $1 }
    }

    static func identity(of record: UserRecordID, in container: Int64, _ db: Connection) throws -> [UInt8]? {
        try db.first(
            "SELECT sealed_identity FROM identities WHERE container_id = $1 AND record_id = $2",
            .integer(container),
            .id(record.value)
        ) { $0.bytes(0) }
    }

    static func has(
        _ row: PrivateDirectory.Row,
        _ epoch: UInt32,
        in container: Int64,
        _ db: Connection
    ) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM private_directory
            WHERE container_id = $1 AND epoch = $2 AND bucket = $3 AND tag = $4 AND record_id = $5
            """,
            .integer(container),
            .integer(Int64(epoch)),
            .bytes(row.bucketBytes),
            .bytes(row.tag.bytes),
            .id(row.record.value)
        ) { _ in true } ?? false
    }

    /// Calls `body` with the position of each tag that is in the directory of contact hashes, and with the record under that tag.
    static func forEachRecord(
        under tags: [Tag],
        in container: Int64,
        _ db: Connection,
        _ body: (Int, UserRecordID?) -> Void
    ) throws {
        try tags.withUnsafeBytes { tags in
            try db.lookUp(
                "SELECT tag, record_id FROM directory WHERE container_id = $1 AND tag = ANY($2)",
                .integer(container),
                keys: KeyList(tags)
            ) { position, row in body(position, row.withBytes(1, RandomID.init(bytes:)).map(UserRecordID.init)) }
        }
    }
}
