import KinfolkCore
import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage

/// The table of deleted zones: for the changes of databases, and to remove the rows of their records.
package enum RemovedZoneTable {
    /// A deleted zone.
    struct Row {
        let change: Int64
        let name: String
    }

    static func insert(_ zone: Zone, change: Int64, at now: Timestamp, in database: RecordPlace, _ db: Connection)
        throws
    {
        let place = place(of: zone.number, in: database)
        try db.execute(
            """
            INSERT INTO removed_zones (container_id, owner, zone, change, removed_at, is_swept, sealed_name)
            VALUES ($1, $2, $3, $4, $5, 0, $6)
            """,
            .integer(database.container),
            .bytes(database.owner),
            .integer(zone.number),
            .integer(change),
            .integer(now.microseconds),
            .bytes(try database.keys.sealing.seal(Array(zone.name.utf8), at: place))
        )
    }

    /// The next deleted zones after a change, in the order of their deletions.
    static func all(of database: RecordPlace, after change: Int64, limit: Int, _ db: Connection) throws -> [Row] {
        try db.all(
            """
            SELECT zone, change, sealed_name FROM removed_zones
            WHERE container_id = $1 AND owner = $2 AND change > $3 ORDER BY change LIMIT $4
            """,
            .integer(database.container),
            .bytes(database.owner),
            .integer(change),
            .integer(Int64(limit))
        ) { row in
            let name = try row.withBytes(2) { sealed in
                try database.keys.sealing.open(sealed, at: place(of: row.integer(0), in: database))
            }
            return Row(change: row.integer(1), name: String(decoding: name, as: UTF8.self))
        }
    }

    /// Deletes the two oldest rows if there are more than `kept`. So a user who makes and deletes zones without end fills no disk,
    /// and counting the rows costs a bounded amount.
    ///
    /// - Returns: The last change that was deleted; nil if none was.
    static func purge(keeping kept: Int, in database: RecordPlace, _ db: Connection) throws -> Int64? {
        guard try count(in: database, db) > kept else { return nil }
        let oldest = try db.all(
            "SELECT change, is_swept FROM removed_zones WHERE container_id = $1 AND owner = $2 ORDER BY change LIMIT 2",
            .integer(database.container),
            .bytes(database.owner)
        ) { row in (change: row.integer(0), isSwept: row.integer(1) != 0) }
        guard let last = oldest.prefix(while: \.isSwept).last?.change else { return nil }
        try db.execute(
            "DELETE FROM removed_zones WHERE container_id = $1 AND owner = $2 AND change <= $3",
            .integer(database.container),
            .bytes(database.owner),
            .integer(last)
        )
        return last
    }

    private static func count(in database: RecordPlace, _ db: Connection) throws -> Int {
        try db.first(
            "SELECT count(*) FROM removed_zones WHERE container_id = $1 AND owner = $2",
            .integer(database.container),
            .bytes(database.owner)
        ) { Int($0.integer(0)) } ?? 0
    }

    // MARK: Removing rows

    /// A zone whose rows must be removed.
    package struct Unswept: Equatable {
        package let container: Int64
        package let owner: [UInt8]
        package let zone: Int64
    }

    /// A deleted zone that still has rows; nil if there is none.
    package static func unswept(_ db: Connection) throws -> Unswept? {
        try db.first(
            """
            SELECT container_id, owner, zone FROM removed_zones WHERE is_swept = 0
            ORDER BY container_id, owner, zone LIMIT 1
            """
        ) { Unswept(container: $0.integer(0), owner: $0.bytes(1), zone: $0.integer(2)) }
    }

    static func noteSwept(_ zone: Unswept, _ db: Connection) throws {
        try db.execute(
            "UPDATE removed_zones SET is_swept = 1 WHERE container_id = $1 AND owner = $2 AND zone = $3",
            .integer(zone.container),
            .bytes(zone.owner),
            .integer(zone.zone)
        )
    }

    private static func place(of zone: Int64, in database: RecordPlace) -> SealedPlace {
        SealedPlace(
            "removed_zones",
            "sealed_name",
            row: .number(database.container),
            .bytes(database.owner),
            .number(zone)
        )
    }
}
