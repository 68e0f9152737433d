import KinfolkCrypto
import KinfolkDiscovery
import KinfolkModel
import KinfolkStorage

/// Queries of the check that concern whole tables.
enum StoreCheckTable {
    static func count(of table: String, _ db: Connection) throws -> Int {
        try count("SELECT count(*) FROM \(table)", db)
    }

    private static func count(_ sql: String, _ db: Connection) throws -> Int {
        try db.using(composed: sql, []) { row in try row.step() ? Int(row.integer(0)) : 0 }
    }

    // MARK: Values

    /// Conditions, in SQL, that the rows of a table meet, in addition to the types of their values. They are about values that have
    /// no authentication code.
    private static let rules = [
        "containers": """
        private_epoch BETWEEN
        (SELECT coalesce(max(d.epoch), 0) FROM directories d WHERE d.container_id = containers.container_id) AND 4294967295
        """,
        "directories": "epoch BETWEEN 0 AND 4294967295 AND state BETWEEN 0 AND 4",
        "directory_lanes": """
        lane BETWEEN 0 AND \(DirectoryProgress.laneCount - 1) AND row_count BETWEEN 0 AND \(DirectoryProgress.maximumCount)
        """,
    ]

    /// How many rows have a value that Kinfolk never writes, such as a text in a column of numbers.
    static func invalidRows(of table: TableDescription, _ db: Connection) throws -> Int {
        let condition = table.typeCondition(on: db) + (rules[table.name].map { " AND \($0)" } ?? "")
        return try count("SELECT count(*) FROM \(table.name) WHERE NOT (\(condition))", db)
    }

    // MARK: References

    /// Each row of `table` refers to a row of `parent`. Kinfolk never leaves a row without its parent.
    private struct Reference: Sendable {
        let table: String
        let parent: String
        let columns: [(own: String, parents: String)]
        /// A further condition that the row `t` and its parent `p` must meet, in SQL.
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

        /// The condition that the row has its parent.
        var sql: String {
            let conditions = columns.map { "p.\($0.parents) = t.\($0.own)" } + (condition.map { ["(\($0))"] } ?? [])
            return "EXISTS (SELECT 1 FROM \(parent) p WHERE \(conditions.joined(separator: " AND ")))"
        }
    }

    /// The references to tables other than `containers`.
    private static let references: [Reference] = [
        Reference("emails", to: "accounts", by: "account_id"),
        Reference("verified_emails", to: "emails", by: "account_id", "tag", where: "p.verified_at IS NOT NULL"),
        Reference("verification_codes", to: "accounts", by: "account_id"),
        Reference("email_claims", to: "accounts", [("claimant_id", "account_id")], nil),
        Reference("users", to: "accounts", by: "account_id"),
        Reference("consents", to: "users", by: "account_id", "container_id"),
        Reference("limits", to: "accounts", by: "account_id"),
        Reference("blocks", to: "users", by: "container_id", "record_id"),
        Reference("records", to: "users", by: "container_id", "record_id"),
        Reference("directory_counts", to: "directories", by: "container_id", "epoch"),
    ]

    /// What the rows of a table refer to. Each table with a column `container_id` refers to containers that are not deleted.
    private static func references(of table: TableDescription) -> [Reference] {
        let own = references.filter { $0.table == table.name }
        guard table.name != "containers", table.has(column: "container_id") else { return own }
        let exists = "p.state <> \(ContainerTable.State.deleted.rawValue)"
        // Entries of the audit log outlive their container, without the ID and the reason.
        let condition = table.name == "audit" ? "\(exists) OR t.record_id IS NULL AND t.sealed_reason IS NULL" : exists
        return own + [Reference(table.name, to: "containers", by: "container_id", where: condition)]
    }

    /// How many rows of a table refer to a row that does not exist.
    static func orphans(in table: TableDescription, _ db: Connection) throws -> Int {
        let references = references(of: table)
        guard !references.isEmpty else { return 0 }
        let condition = references.map(\.sql).joined(separator: " AND ")
        return try count("SELECT count(*) FROM \(table.name) t WHERE NOT (\(condition))", db)
    }

    // MARK: Directories

    /// The numbers of rows in a table of the directories, for each container and, if the table has epochs, for each epoch.
    static func directorySizes(in table: TableDescription, _ db: Connection) throws -> [DirectoryRows.Place: Int] {
        let place = table.has(column: "epoch") ? "container_id, epoch" : "container_id"
        var sizes: [DirectoryRows.Place: Int] = [:]
        try db.using(composed: "SELECT count(*), \(place) FROM \(table.name) GROUP BY \(place)", []) { row in
            while try row.step() {
                let epoch = place == "container_id" ? 0 : row.integer(2)
                let place = DirectoryRows.Place(container: row.integer(1), epoch: epoch)
                // Values of another type name no directory; they have been reported.
                if (try? row.checkValues()) != nil { sizes[place] = Int(row.integer(0)) }
            }
        }
        return sizes
    }

    static func identity(of record: UserRecordID, in container: Int64, _ db: Connection) throws -> [UInt8]? {
        try db.first(
            "SELECT sealed_identity FROM identities WHERE container_id = $1 AND record_id = $2",
            .integer(container),
            .id(record.value)
        ) { row in
            let sealed = row.bytes(0)
            // A value of another type opens no more than empty bytes; it has been reported.
            return (try? row.checkValues()) == nil ? [] : sealed
        }
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
            ) { position, row in
                let record = row.withBytes(1, RandomID.init(bytes:)).map(UserRecordID.init)
                // A value of another type is nobody's ID; it has been reported.
                let isValid = (try? row.checkValues()) != nil
                body(position, isValid ? record : nil)
            }
        }
    }
}
