package import KinfolkModel
package import KinfolkStorage

/// The table of the bytes of records: of each database, and of what each person created in the public one.
package enum ByteCountTable {
    private enum Kind: Int64 {
        case database = 0
        case creator = 1
    }

    /// Changes the counts of a database, and of creators in the public database.
    ///
    /// - Parameters:
    ///   - before: What is taken from the counts of the database and of the first creator.
    ///   - after: What is added to the counts of the database and of the second creator.
    package static func change(
        from before: (bytes: Int, creator: UserRecordID?),
        to after: (bytes: Int, creator: UserRecordID?),
        lane: Int,
        in place: RecordPlace,
        _ db: Connection
    ) throws {
        // A private database has one writer at a time.
        let isPublic = place.database == .public
        try add(after.bytes - before.bytes, .database, place.owner, lane: isPublic ? lane : 0, place, db)
        guard isPublic else { return }
        var creators: [UserRecordID: Int] = [:]
        if let creator = before.creator { creators[creator, default: 0] -= before.bytes }
        if let creator = after.creator { creators[creator, default: 0] += after.bytes }
        for (creator, change) in creators { try add(change, .creator, creator.value.bytes, lane: 0, place, db) }
    }

    private static func add(
        _ change: Int,
        _ kind: Kind,
        _ owner: [UInt8],
        lane: Int,
        _ place: RecordPlace,
        _ db: Connection
    ) throws {
        guard change != 0 else { return }
        try db.execute(
            """
            INSERT INTO record_bytes (container_id, owner, kind, lane, bytes) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (container_id, owner, kind, lane) DO UPDATE SET bytes = record_bytes.bytes + excluded.bytes
            """,
            .integer(place.container),
            .bytes(owner),
            .integer(kind.rawValue),
            .integer(Int64(lane)),
            .integer(Int64(change))
        )
    }
}
