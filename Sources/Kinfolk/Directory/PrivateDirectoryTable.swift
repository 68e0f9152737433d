import KinfolkCrypto
import KinfolkStorage

/// The table of the private directories: who has which tag in which epoch.
enum PrivateDirectoryTable {
    private static let inBuckets: StaticString = """
        SELECT bucket, tag, record_id, sealed_record, code FROM private_directory
        WHERE container_id = $1 AND epoch = $2 AND bucket BETWEEN $3 AND $4
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
            INSERT INTO private_directory (container_id, epoch, bucket, tag, record_id, sealed_record, code)
            VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING
            """,
            for: rows
        ) { row in
            [
                .integer(container), .integer(Int64(epoch)), .bytes(row.bucketBytes), .bytes(row.tag.bytes),
                .id(row.record.value), .bytes(row.sealed), .bytes(row.codeBytes),
            ]
        }
    }

    /// Puts what is sealed in rows in the place of what was sealed in them before. Rows that are not there stay away.
    static func reseal(
        _ rows: [PrivateDirectory.Row],
        _ epoch: UInt32,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE private_directory SET sealed_record = $1, code = $2
            WHERE container_id = $3 AND epoch = $4 AND bucket = $5 AND tag = $6 AND record_id = $7
            """,
            for: rows
        ) { row in
            [
                .bytes(row.sealed), .bytes(row.codeBytes), .integer(container), .integer(Int64(epoch)),
                .bytes(row.bucketBytes), .bytes(row.tag.bytes), .id(row.record.value),
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
            """
            DELETE FROM private_directory
            WHERE container_id = $1 AND epoch = $2 AND bucket = $3 AND tag = $4 AND record_id = $5
            """,
            for: rows
        ) { row in
            [
                .integer(container), .integer(Int64(epoch)), .bytes(row.bucketBytes), .bytes(row.tag.bytes),
                .id(row.record.value),
            ]
        }
    }

    /// Whose row is the first from a place in the table on; the table goes round. Nil if the epoch has no rows.
    static func record(
        from bucket: [UInt8],
        of epoch: UInt32,
        in container: Int64,
        _ db: Connection
    ) throws -> UserRecordID? {
        for first in [bucket, []] {
            let record = try db.first(
                """
                SELECT record_id FROM private_directory WHERE container_id = $1 AND epoch = $2 AND bucket >= $3
                ORDER BY bucket LIMIT 1
                """,
                .integer(container),
                .integer(Int64(epoch)),
                .bytes(first)
            ) { $0.withBytes(0, RandomID.init(bytes:)) }
            if let record = record ?? nil { return UserRecordID(record) }
        }
        return nil
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
            DELETE FROM private_directory WHERE container_id = $1 AND epoch = $2 AND bucket <= (
                SELECT bucket FROM (SELECT bucket FROM private_directory
                WHERE container_id = $1 AND epoch = $2 ORDER BY bucket LIMIT $3) AS first
                ORDER BY bucket DESC LIMIT 1)
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
        private let rowKeys: PrivateRowKeys

        /// - Parameter hidden: Whose rows are left out. Each row's owner is looked at whether there are such people or not: in
        ///   the time that it takes, somebody could see that a block is about them.
        init(
            _ directory: PrivateDirectory,
            in container: Int64,
            except hidden: Set<UserRecordID>,
            _ db: Connection
        ) throws {
            statement = try db.statement(inBuckets)
            self.hidden = hidden
            rowKeys = directory.rowKeys
            try statement.bind(container, at: 1)
            try statement.bind(Int64(directory.epoch), at: 2)
        }

        /// Ends the search.
        func finish(_ db: Connection) { db.finish(statement) }

        /// Looks into buckets, one after the other: calls `body` with the position of each, which then asks for its rows by
        /// ``forEachRows(_:)``.
        func forEachBucket(of prefixes: some Collection<BucketPrefix>, _ body: (Int) throws -> Void) throws {
            let length = BucketPosition.length
            let bounds = prefixes.flatMap { prefix in
                let range = rowKeys.range(of: prefix)
                return [range.first.bigEndian, range.last.bigEndian]
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

        /// Calls `body` with the rows of the present bucket: ``DirectoryRow/length`` bytes each, several rows at once. Each is
        /// checked, and the search fails at one that was changed. Calls `counting` with how many were read, those included that
        /// are left out.
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
                    guard statement.copy(1, into: rows, at: count, length: DirectoryTag.length),
                        statement.copy(
                            3,
                            into: rows,
                            at: count + DirectoryTag.length,
                            length: DirectoryRow.sealedLength
                        ), isAuthentic(UnsafeRawBufferPointer(rebasing: rows[count..<count + DirectoryRow.length]))
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

        /// Whether the present row says what it said when it was written.
        private func isAuthentic(_ row: UnsafeRawBufferPointer) -> Bool {
            let bucket = statement.bytes(inPlace: 0)
            let record = statement.bytes(inPlace: 2)
            let code = statement.bytes(inPlace: 4)
            guard bucket.count == BucketPosition.length, record.count == RandomID.length,
                code.count == ShortHashKey.codeLength
            else { return false }
            return rowKeys.code(
                bucket: UInt32(bigEndian: bucket.loadUnaligned(as: UInt32.self)),
                tag: UnsafeRawBufferPointer(rebasing: row[..<DirectoryTag.length]),
                record: record,
                sealed: UnsafeRawBufferPointer(rebasing: row[DirectoryTag.length...])
            ) == UInt64(bigEndian: code.loadUnaligned(as: UInt64.self))
        }

        private func isHidden() throws -> Bool {
            guard let record = statement.withBytes(2, RandomID.init(bytes:)) else { throw StorageError(.corrupt) }
            return hidden.contains(UserRecordID(record))
        }
    }
}
