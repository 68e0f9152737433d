import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// The table of the numbers of changes: one counter for each private database.
///
/// A transaction that changes a custom zone also writes the counter. So the transactions of a database commit in the order of their
/// numbers, and a reader that sees a number sees all changes with lower ones.
enum ChangeCountTable {
    /// The counter of a database.
    struct Count {
        /// The number of the last change; 0 before the first one.
        var last: Int64 = 0
        /// The last change whose deleted zones were purged; 0 if none were.
        var forgotten: Int64 = 0
    }

    static func count(of place: RecordPlace, _ db: Connection) throws -> Count {
        let count = try db.first(
            "SELECT last_change, forgotten FROM change_counts WHERE container_id = $1 AND owner = $2",
            .integer(place.container),
            .bytes(place.owner)
        ) { Count(last: $0.integer(0), forgotten: $0.integer(1)) }
        guard (0..<Int64.max / 2).contains(count?.last ?? 0) else {
            throw KinfolkError.damaged("The number of the last change is not valid.")
        }
        return count ?? Count()
    }

    static func note(last change: Int64, of place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO change_counts (container_id, owner, last_change, forgotten) VALUES ($1, $2, $3, 0)
            ON CONFLICT (container_id, owner) DO UPDATE SET last_change = excluded.last_change
            """,
            .integer(place.container),
            .bytes(place.owner),
            .integer(change)
        )
    }

    static func note(forgotten change: Int64, of place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "UPDATE change_counts SET forgotten = $3 WHERE container_id = $1 AND owner = $2 AND forgotten < $3",
            .integer(place.container),
            .bytes(place.owner),
            .integer(change)
        )
    }
}
