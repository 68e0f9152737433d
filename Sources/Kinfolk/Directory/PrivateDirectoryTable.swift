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
        try db.changes(
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
        try db.changes(
            "DELETE FROM private_directory WHERE container_id = $1 AND epoch = $2 AND tag = $3 AND record_id = $4",
            for: rows
        ) { row in
            [.integer(container), .integer(Int64(epoch)), .bytes(row.tag.bytes), .id(row.record.value)]
        }
    }

    /// Looks through the whole of the epoch, for there is no index by user record ID. Returns how many rows there were.
    static func deleteAll(of record: RandomID, _ epoch: UInt32, in container: Int64, _ db: Connection) throws -> Int {
        try db.changes(
            "DELETE FROM private_directory WHERE container_id = $1 AND epoch = $2 AND record_id = $3",
            .integer(container),
            .integer(Int64(epoch)),
            .bytes(record.bytes)
        )
    }

    /// Takes out up to `limit` rows of an epoch. Returns how many there were.
    static func delete(atMost limit: Int, of epoch: UInt32, in container: Int64, _ db: Connection) throws -> Int {
        try db.changes(
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

        /// Looks into buckets, one after the other: calls `body` with the position of each, which then asks for its rows by
        /// ``forEachRows(_:)``.
        func forEachBucket(of prefixes: some Collection<TagPrefix>, _ body: (Int) throws -> Void) throws {
            let length = DirectoryTag.length
            let bounds = prefixes.flatMap { prefix in
                [prefix.tags.lowerBound.value.bigEndian, prefix.tags.upperBound.value.bigEndian]
            }
            try bounds.withUnsafeBytes { bounds in
                func bind(_ number: Int, at index: Int32) throws {
                    let bound = UnsafeRawBufferPointer(rebasing: bounds[number * length..<(number + 1) * length])
                    try statement.bind(inPlace: bound, at: index)
                }
                try statement.run(prefixes.count) { position in
                    try bind(2 * position, at: 3)
                    try bind(2 * position + 1, at: 4)
                } _: { position in
                    try body(position)
                }
            }
        }

        /// Calls `body` with the rows of the present bucket, in the order of the tags: ``DirectoryRow/length`` bytes each,
        /// several rows at once. Calls `counting` with how many were read, those included that are left out.
        func forEachRows(
            counting: (Int) throws -> Void,
            _ body: (UnsafeRawBufferPointer) throws -> Void
        ) throws {
            let capacity = Search.rowsAtOnce * DirectoryRow.length
            try withUnsafeTemporaryAllocation(byteCount: capacity, alignment: 8) { rows in
                var (count, read) = (0, 0)
                while try statement.step() {
                    read += 1
                    if read == Search.rowsAtOnce {
                        try counting(read)
                        read = 0
                    }
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
                try counting(read)
                if count > 0 { try body(UnsafeRawBufferPointer(rebasing: rows[..<count])) }
            }
        }

        private func isHidden() throws -> Bool {
            guard let record = statement.withBytes(2, RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
            return hidden.contains(UserRecordID(record))
        }
    }
}
