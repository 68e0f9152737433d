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

    /// How many rows have a value that Kinfolk never writes, such as a text in a column of numbers.
    static func invalidRows(of table: Table, _ description: TableDescription, _ db: Connection) throws -> Int {
        let condition = description.typeCondition(on: db) + (table.rule.map { " AND (\($0))" } ?? "")
        return try count("SELECT count(*) FROM \(table.name) WHERE NOT (\(condition))", db)
    }

    /// How many rows of a table have lost one of their owners. Kinfolk never leaves such rows.
    static func orphans(in table: Table, _ db: Connection) throws -> Int {
        guard let condition = table.hasOwners else { return 0 }
        return try count("SELECT count(*) FROM \(table.name) t WHERE NOT (\(condition))", db)
    }

    /// How many rows of a table belong to deleted zones.
    static func rowsToRemove(in table: String, _ db: Connection) throws -> Int {
        try count(
            """
            SELECT count(*) FROM \(table) t WHERE zone <> 0 AND EXISTS (SELECT 1 FROM removed_zones r
            WHERE r.container_id = t.container_id AND r.owner = t.owner AND r.zone = t.zone AND r.is_swept = 0)
            """,
            db
        )
    }

    /// How many chunks belong to deleted assets.
    static func chunksOfRemovedAssets(_ db: Connection) throws -> Int {
        try count(
            """
            SELECT count(*) FROM removed_assets r
            JOIN asset_chunks c ON c.container_id = r.container_id AND c.asset = r.asset
            """,
            db
        )
    }

    /// How many assets are marked as deleted although they exist.
    static func removedAssetsThatExist(_ db: Connection) throws -> Int {
        try count(
            """
            SELECT count(*) FROM assets a
            JOIN removed_assets r ON r.container_id = a.container_id AND r.asset = a.number
            """,
            db
        )
    }

    // MARK: ContainerDirectories

    /// The numbers of rows in a table of the directories, for each container and, if the table has epochs, for each epoch.
    static func directorySizes(in table: TableDescription, _ db: Connection) throws -> [DirectoryCheck.Place: Int] {
        let place = table.has(column: "epoch") ? "container_id, epoch" : "container_id"
        var sizes: [DirectoryCheck.Place: Int] = [:]
        try db.using(composed: "SELECT count(*), \(place) FROM \(table.name) GROUP BY \(place)", []) { row in
            while try row.step() {
                let epoch = place == "container_id" ? 0 : row.integer(2)
                let place = DirectoryCheck.Place(container: row.integer(1), epoch: epoch)
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
