import KinfolkCrypto
import KinfolkStorage

/// Queries of the check that concern whole tables.
enum StoreCheckTable {
    static func count(of table: String, _ db: Connection) throws -> Int {
        try count("SELECT count(*) FROM \(table)", db)
    }

    private static func count(_ sql: String, _ db: Connection) throws -> Int {
        try db.using(composed: sql, []) { row in try row.step() ? Int(row.integer(0)) : 0 }
    }

    /// Each row of `table` refers to a row of `parent`. Kinfolk never leaves a row without its parent.
    struct Reference: Sendable {
        let table: String
        let parent: String
        let columns: [(own: String, parents: String)]
        /// A further condition that the parent's row `p` must meet, in SQL.
        let condition: String?

        init(_ table: String, to parent: String, by columns: String..., where condition: String? = nil) {
            self.init(table, to: parent, columns.map { ($0, $0) }, condition)
        }

        init(_ table: String, to parent: String, _ columns: [(own: String, parents: String)], _ condition: String?) {
            self.table = table
            self.parent = parent
            self.columns = columns
            self.condition = condition
        }

        /// How many rows have no parent.
        fileprivate var sql: String {
            let conditions = columns.map { "p.\($0.parents) = t.\($0.own)" } + (condition.map { [$0] } ?? [])
            return """
                SELECT count(*) FROM \(table) t
                WHERE NOT EXISTS (SELECT 1 FROM \(parent) p WHERE \(conditions.joined(separator: " AND ")))
                """
        }
    }

    static let references: [Reference] = [
        Reference("emails", to: "accounts", by: "account_id"),
        Reference("verified_emails", to: "emails", by: "account_id", "tag", where: "p.verified_at IS NOT NULL"),
        Reference("verification_codes", to: "accounts", by: "account_id"),
        Reference("email_claims", to: "accounts", [("claimant_id", "account_id")], nil),
        Reference("users", to: "accounts", by: "account_id"),
        Reference("users", to: "containers", by: "container_id"),
        Reference("consents", to: "users", by: "account_id", "container_id"),
        Reference("limits", to: "accounts", by: "account_id"),
        Reference("blocks", to: "users", by: "container_id", "record_id"),
        Reference("records", to: "users", by: "container_id", "record_id"),
        Reference("container_keys", to: "containers", by: "container_id"),
        Reference("container_limits", to: "containers", by: "container_id"),
        Reference("directories", to: "containers", by: "container_id"),
        Reference("directory_counts", to: "directories", by: "container_id", "epoch"),
        Reference("fields", to: "containers", by: "container_id"),
    ]

    /// How many rows refer to a row that does not exist.
    static func orphans(of reference: Reference, _ db: Connection) throws -> Int { try count(reference.sql, db) }

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
