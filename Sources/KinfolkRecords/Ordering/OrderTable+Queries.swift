import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

extension OrderTable {
    /// Calls `body` for the records at the next positions after one of them, up to another one, until it returns false. For the plus signs, see
    /// ``RecordTable/row(number:in:_:)``.
    static func forEachRow(
        after start: Int64,
        through end: Int64,
        limit: Int,
        of list: List,
        _ db: Connection,
        _ body: (RecordRow, _ position: Int64) throws -> Bool
    ) throws {
        try db.forEach(
            """
            SELECT r.number, r.type, r.change_tag, r.created_at, r.modified_at, r.sealed_fields, r.name_tag, e.position
            FROM order_entries e
            JOIN records r ON r.number = e.number AND +r.container_id = e.container_id AND r.owner = $6 AND +r.zone = $7 AND r.type = $10
            WHERE e.container_id = $1 AND e.owner = $2 AND e.zone = $3 AND e.field = $4 AND e.position > $5 AND e.position <= $8
            ORDER BY e.position LIMIT $9
            """,
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(list.field),
            .integer(start),
            .bytes(list.scope.place.owner),
            .integer(list.scope.place.zone),
            .integer(end),
            .integer(Int64(limit)),
            .integer(list.type)
        ) { try body(RecordTable.row($0, in: list.scope.place), $0.integer(7)) }
    }

    /// Calls `body` for the records at the next positions before one of them, down to another one, until it returns false.
    static func forEachRow(
        before start: Int64,
        downTo end: Int64,
        limit: Int,
        of list: List,
        _ db: Connection,
        _ body: (RecordRow, _ position: Int64) throws -> Bool
    ) throws {
        try db.forEach(
            """
            SELECT r.number, r.type, r.change_tag, r.created_at, r.modified_at, r.sealed_fields, r.name_tag, e.position
            FROM order_entries e
            JOIN records r ON r.number = e.number AND +r.container_id = e.container_id AND r.owner = $6 AND +r.zone = $7 AND r.type = $10
            WHERE e.container_id = $1 AND e.owner = $2 AND e.zone = $3 AND e.field = $4 AND e.position < $5 AND e.position >= $8
            ORDER BY e.position DESC LIMIT $9
            """,
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(list.field),
            .integer(start),
            .bytes(list.scope.place.owner),
            .integer(list.scope.place.zone),
            .integer(end),
            .integer(Int64(limit)),
            .integer(list.type)
        ) { try body(RecordTable.row($0, in: list.scope.place), $0.integer(7)) }
    }

    /// How many entries a range of positions has, up to a limit.
    static func count(_ positions: Range<Int64>, limit: Int, of list: List, _ db: Connection) throws -> Int {
        try db.first(
            """
            SELECT count(*) FROM (SELECT 1 FROM order_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND field = $4
                AND position >= $5 AND position < $6 LIMIT $7) AS entries
            """,
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(list.field),
            .integer(positions.lowerBound),
            .integer(positions.upperBound),
            .integer(Int64(limit))
        ) { Int($0.integer(0)) } ?? 0
    }
}
