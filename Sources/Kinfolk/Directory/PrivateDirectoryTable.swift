import KinfolkStorage

/// The table of the private directories: who has which tag in which epoch.
enum PrivateDirectoryTable {
    private static let inTags: StaticString = """
        SELECT tag, sealed_record, record_id FROM private_directory
        WHERE container_id = $1 AND epoch = $2 AND tag BETWEEN $3 AND $4 ORDER BY tag
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
                SELECT tag FROM (SELECT tag FROM private_directory
                WHERE container_id = $1 AND epoch = $2 ORDER BY tag LIMIT $3) AS first ORDER BY tag DESC LIMIT 1)
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

        private let statement: any Statement
        private let hidden: Set<UserRecordID>

        /// - Parameter hidden: Whose rows are left out. Each row's owner is looked at whether there are such people or not: in
        ///   the time that it takes, somebody could see that a block is about them.
        init(_ epoch: UInt32, in container: Int64, except hidden: Set<UserRecordID>, _ db: Connection) throws {
            statement = try db.statement(inTags)
            self.hidden = hidden
            try statement.bind(container, at: 1)
            try statement.bind(Int64(epoch), at: 2)
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
                    if try isHidden() { continue }
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
