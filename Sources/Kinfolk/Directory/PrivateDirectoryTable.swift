import KinfolkStorage

/// The table of the private directories: who has which tag in which epoch.
enum PrivateDirectoryTable {
    private static let inTags: StaticString = """
        SELECT tag, sealed_record FROM private_directory
        WHERE container_id = $1 AND epoch = $2 AND tag BETWEEN $3 AND $4 AND record_id <> $5 ORDER BY tag
        """
    private static let inTagsWithRecords: StaticString = """
        SELECT tag, sealed_record, record_id FROM private_directory
        WHERE container_id = $1 AND epoch = $2 AND tag BETWEEN $3 AND $4 AND record_id <> $5 ORDER BY tag
        """

    /// Puts rows in that are not there yet. Returns how many.
    static func insert(
        _ rows: [PrivateDirectory.Row],
        _ epoch: UInt32,
        in container: Int64,
        _ db: Connection
    ) throws -> Int {
        try db.execute(
            """
            INSERT INTO private_directory (container_id, epoch, tag, record_id, sealed_record) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT DO NOTHING
            """,
            for: rows
        ) { row in
            [
                .integer(container), .integer(Int64(epoch)), .bytes(row.tag.bytes), .id(row.record.value),
                .bytes(row.sealed),
            ]
        }
    }

    /// Takes rows out. Returns how many there were.
    static func delete(
        _ rows: [PrivateDirectory.Row],
        _ epoch: UInt32,
        in container: Int64,
        _ db: Connection
    ) throws -> Int {
        try db.execute(
            "DELETE FROM private_directory WHERE container_id = $1 AND epoch = $2 AND tag = $3 AND record_id = $4",
            for: rows
        ) { row in
            [.integer(container), .integer(Int64(epoch)), .bytes(row.tag.bytes), .id(row.record.value)]
        }
    }

    /// Looks through the whole of the epoch, for there is no index by user record ID. Returns how many rows there were.
    static func deleteAll(of record: RandomID, _ epoch: UInt32, in container: Int64, _ db: Connection) throws -> Int {
        try db.execute(
            "DELETE FROM private_directory WHERE container_id = $1 AND epoch = $2 AND record_id = $3",
            .integer(container),
            .integer(Int64(epoch)),
            .bytes(record.bytes)
        )
    }

    /// Takes out up to `limit` rows of an epoch. Returns how many there were.
    static func delete(atMost limit: Int, of epoch: UInt32, in container: Int64, _ db: Connection) throws -> Int {
        try db.execute(
            """
            DELETE FROM private_directory WHERE container_id = $1 AND epoch = $2 AND tag <= (
                SELECT max(tag) FROM (SELECT tag FROM private_directory
                WHERE container_id = $1 AND epoch = $2 ORDER BY tag LIMIT $3) AS first)
            """,
            .integer(container),
            .integer(Int64(epoch)),
            .integer(Int64(limit))
        )
    }

    /// The rows of buckets, one bucket after the other, as one person sees them.
    struct Search {
        /// About twice as many rows as a bucket has where the number of bits suits the directory.
        private static let rowsAtOnce = 64

        private let statement: Statement
        private let hidden: Set<UserRecordID>

        /// - Parameters:
        ///   - caller: Whose own rows are left out,
        ///   - hidden: as are those of these.
        init(
            _ epoch: UInt32,
            in container: Int64,
            for caller: UserRecordID,
            except hidden: Set<UserRecordID>,
            _ db: Connection
        ) throws {
            // To read one column more of each row takes a tenth of the time.
            statement = try db.statement(hidden.isEmpty ? inTags : inTagsWithRecords)
            self.hidden = hidden
            try statement.bind([.integer(container), .integer(Int64(epoch)), .null, .null, .id(caller.value)])
        }

        /// Ends the search.
        func finish(_ db: Connection) { db.finish(statement) }

        /// Calls `body` with the rows of a bucket, in the order of the tags: ``DirectoryRow/length`` bytes each, several rows at
        /// once.
        func forEachRows(of prefix: TagPrefix, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
            let tags = prefix.tags
            let (first, last) = (tags.lowerBound.value.bigEndian, tags.upperBound.value.bigEndian)
            try withUnsafeBytes(of: first) { first in
                try withUnsafeBytes(of: last) { last in
                    try statement.bind(inPlace: first, at: 3)
                    try statement.bind(inPlace: last, at: 4)
                    defer { statement.reset() }
                    try forEachRows(body)
                }
            }
        }

        private func forEachRows(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
            let capacity = Search.rowsAtOnce * DirectoryRow.length
            try withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) { rows in
                var count = 0
                while try statement.step() {
                    guard statement.copy(0, into: rows, at: count, length: DirectoryTag.length),
                        statement.copy(
                            1,
                            into: rows,
                            at: count + DirectoryTag.length,
                            length: DirectoryRow.sealedLength
                        )
                    else { throw StorageError(.corrupt) }
                    if try !hidden.isEmpty && isHidden() { continue }
                    count += DirectoryRow.length
                    guard count == capacity else { continue }
                    try body(UnsafeRawBufferPointer(rows))
                    count = 0
                }
                if count > 0 { try body(UnsafeRawBufferPointer(rebasing: rows[..<count])) }
            }
        }

        private func isHidden() throws -> Bool {
            guard let record = statement.withBytes(2, RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
            return hidden.contains(UserRecordID(record))
        }
    }
}
