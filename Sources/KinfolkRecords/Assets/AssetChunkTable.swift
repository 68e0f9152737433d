import KinfolkModel
package import KinfolkStorage

/// The table of the sealed chunks of assets.
package enum AssetChunkTable {
    /// - Parameter first: The number of the first chunk.
    static func insert(
        _ chunks: some Sequence<[UInt8]>,
        from first: Int,
        of asset: Int64,
        in container: Int64,
        _ db: Connection
    ) throws {
        let statement = try db.statement(
            "INSERT INTO asset_chunks (container_id, asset, chunk, sealed_chunk) VALUES ($1, $2, $3, $4)"
        )
        defer { db.finish(statement) }
        for (offset, chunk) in chunks.enumerated() {
            try statement.bind([.integer(container), .integer(asset), .integer(Int64(first + offset))])
            try chunk.withUnsafeBytes { chunk in
                try statement.bind(inPlace: chunk, at: 4)
                try statement.enqueue { _ in }
                try statement.flush()
            }
        }
    }

    /// Calls `body` with the sealed chunks of a range, in their order.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if one is missing.
    package static func forEach(
        _ chunks: Range<Int>,
        of asset: Int64,
        in container: Int64,
        _ db: Connection,
        _ body: (Int, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var next = chunks.lowerBound
        try db.forEach(
            """
            SELECT chunk, sealed_chunk FROM asset_chunks
            WHERE container_id = $1 AND asset = $2 AND chunk >= $3 AND chunk < $4 ORDER BY chunk
            """,
            .integer(container),
            .integer(asset),
            .integer(Int64(chunks.lowerBound)),
            .integer(Int64(chunks.upperBound))
        ) { row in
            guard row.integer(0) == Int64(next) else { throw missing }
            try row.withBytes(1) { try body(next, $0) }
            next += 1
            return true
        }
        guard next == chunks.upperBound else { throw missing }
    }

    private static var missing: KinfolkError { KinfolkError.damaged("A chunk of an asset is missing.") }

    /// How many chunks an asset has, and their bytes.
    package static func total(of asset: Int64, in container: Int64, _ db: Connection) throws -> (count: Int, bytes: Int)
    {
        try db.first(
            """
            SELECT count(*), CAST(coalesce(sum(length(sealed_chunk)), 0) AS BIGINT) FROM asset_chunks
            WHERE container_id = $1 AND asset = $2
            """,
            .integer(container),
            .integer(asset)
        ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
    }

    private static let deletion = RowDeletion("asset_chunks", of: ["container_id", "asset"], by: ["chunk": .integer])
    private static let deletionOfContainer = RowDeletion(
        "asset_chunks",
        of: ["container_id"],
        by: ["asset": .integer, "chunk": .integer]
    )

    /// How many chunks a transaction deletes: the engine overwrites them.
    static let batchSize = 32

    static func delete(atMost limit: Int, of asset: Int64, in container: Int64, _ db: Connection) throws -> Int {
        try deletion.delete(atMost: limit, of: [.integer(container), .integer(asset)], db)
    }

    static func delete(in container: Int64, _ db: Connection) throws -> Int {
        try deletionOfContainer.delete(atMost: batchSize, of: [.integer(container)], db)
    }
}
