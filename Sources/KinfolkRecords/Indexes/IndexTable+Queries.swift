import KinfolkCore
import KinfolkCrypto
import KinfolkStorage

extension IndexTable {
    /// The numbers of records under a tag, in order.
    static func numbers(
        under tag: Tag,
        after number: Int64,
        limit: Int,
        in scope: IndexScope,
        _ db: Connection
    ) throws -> [Int64] {
        try db.all(
            """
            SELECT number FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 AND number > $5
            ORDER BY number LIMIT $6
            """,
            .integer(scope.container),
            .bytes(scope.key.owner),
            .integer(scope.key.zone),
            .tag(tag),
            .integer(number),
            .integer(Int64(limit))
        ) { $0.integer(0) }
    }

    /// The numbers of records under a tag, from the highest on.
    static func numbers(
        under tag: Tag,
        before number: Int64,
        limit: Int,
        in scope: IndexScope,
        _ db: Connection
    ) throws -> [Int64] {
        try db.all(
            """
            SELECT number FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 AND number < $5
            ORDER BY number DESC LIMIT $6
            """,
            .integer(scope.container),
            .bytes(scope.key.owner),
            .integer(scope.key.zone),
            .tag(tag),
            .integer(number),
            .integer(Int64(limit))
        ) { $0.integer(0) }
    }

    /// How many records are under a tag, up to a limit.
    static func count(under tag: Tag, limit: Int, in scope: IndexScope, _ db: Connection) throws -> Int {
        try db.first(
            """
            SELECT count(*) FROM (SELECT 1 FROM index_entries
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 LIMIT $5) AS entries
            """,
            .integer(scope.container),
            .bytes(scope.key.owner),
            .integer(scope.key.zone),
            .tag(tag),
            .integer(Int64(limit))
        ) { Int($0.integer(0)) } ?? 0
    }

    /// Calls `body` for the records of a type under a tag, in the order of their numbers, until it returns false. For the plus signs, see
    /// ``RecordTable/row(number:in:_:)``.
    static func forEachRow(
        under tag: Tag,
        type: Int64,
        after number: Int64,
        limit: Int,
        in scope: IndexScope,
        _ db: Connection,
        _ body: (RecordRow) throws -> Bool
    ) throws {
        try db.forEach(
            """
            SELECT r.number, r.type, r.change_tag, r.created_at, r.modified_at, r.sealed_fields, r.name_tag
            FROM index_entries e
            JOIN records r ON r.number = e.number AND +r.container_id = e.container_id AND r.owner = $6 AND +r.zone = $7 AND r.type = $8
            WHERE e.container_id = $1 AND e.owner = $2 AND e.zone = $3 AND e.tag = $4 AND e.number > $5 ORDER BY e.number LIMIT $9
            """,
            .integer(scope.container),
            .bytes(scope.key.owner),
            .integer(scope.key.zone),
            .tag(tag),
            .integer(number),
            .bytes(scope.place.owner),
            .integer(scope.place.zone),
            .integer(type),
            .integer(Int64(limit))
        ) { try body(RecordTable.row($0, in: scope.place)) }
    }
}
