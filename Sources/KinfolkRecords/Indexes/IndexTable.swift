import KinfolkCore
import KinfolkCrypto
package import KinfolkStorage

/// The table of QUERYABLE indexes: keyed tags of values, with the numbers of the records that have them.
package enum IndexTable {
    /// Inserts entries; those that are there already stay.
    package static func insert(
        _ entries: Set<IndexEntry>,
        of number: Int64,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO index_entries (container_id, owner, zone, tag, number) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT DO NOTHING
            """,
            for: entries.sorted()
        ) { values(of: $0, number, container) }
    }

    package static func delete(
        _ entries: Set<IndexEntry>,
        of number: Int64,
        in container: Int64,
        _ db: Connection
    ) throws {
        try db.execute(
            "DELETE FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 AND number = $5",
            for: entries.sorted()
        ) { values(of: $0, number, container) }
    }

    package static func has(
        _ entry: IndexEntry,
        of number: Int64,
        in container: Int64,
        _ db: Connection
    ) throws -> Bool {
        try db.first(
            "SELECT 1 FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 AND number = $5",
            .integer(container),
            .bytes(entry.scope.owner),
            .integer(entry.scope.zone),
            .tag(entry.tag),
            .integer(number)
        ) { _ in true } ?? false
    }

    private static func values(of entry: IndexEntry, _ number: Int64, _ container: Int64) -> [Value] {
        [
            .integer(container), .bytes(entry.scope.owner), .integer(entry.scope.zone), .tag(entry.tag),
            .integer(number),
        ]
    }
}
