import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
import KinfolkPrivateClient
package import KinfolkStorage

/// The table of the private directories: the person of each tag in each epoch.
package enum PrivateDirectoryTable {
    private static let inBuckets: StaticString = """
        SELECT bucket, tag, record_id, sealed_record, code FROM private_directory
        WHERE container_id = $1 AND epoch = $2 AND bucket BETWEEN $3 AND $4
        """

    /// Inserts rows that are not there yet. Returns how many were inserted.
    package static func insert(
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

    /// Replaces the sealed part of existing rows. Missing rows are not inserted.
    package static func reseal(
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

    /// Deletes rows. Returns how many were deleted.
    package static func delete(
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

    /// The person of the first row from a position in the table on, continuing at the beginning after the end. Nil if the epoch
    /// has no rows.
    package static func record(
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

    /// Scans all rows of the epoch, because there is no index by user record ID. Returns how many rows were deleted.
    package static func deleteAll(of record: RandomID, _ epoch: UInt32, in container: Int64, _ db: Connection) throws
        -> Int
    {
        try db.changes(
            "DELETE FROM private_directory WHERE container_id = $1 AND epoch = $2 AND record_id = $3",
            .integer(container),
            .integer(Int64(epoch)),
            .bytes(record.bytes)
        )
    }

    /// Deletes up to `limit` rows of an epoch. Returns how many were deleted.
    package static func delete(atMost limit: Int, of epoch: UInt32, in container: Int64, _ db: Connection) throws -> Int
    {
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

    /// Reads the rows of buckets, one bucket after the other, as one person sees them.
    struct Search {
        /// About twice the number of rows in a bucket when the number of bits fits the directory.
        private static let rowsAtOnce = 64

        private let statement: any Statement
        private let hidden: Set<UserRecordID>
        private let rowKeys: PrivateRowKeys

        /// - Parameter hidden: The people whose rows are left out. Each row's owner is checked even if nobody is hidden, because
        ///   otherwise the time would reveal a block.
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

        /// Reads buckets, one after the other: calls `body` with the position of each, which then reads its rows with
        /// ``forEachRows(counting:_:)``.
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

        /// Calls `body` with the rows of the current bucket: ``DirectoryRow/length`` bytes each, several rows at once. Each row
        /// is verified, and the search fails at a row that was changed. Calls `counting` with the number of rows read, including
        /// those left out.
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

        /// Whether the current row is unchanged since it was written.
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
