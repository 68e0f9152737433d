import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// The records of one type in a zone, in the order of the times at which they were created or modified.
extension RecordTable {
    /// A position in the order of a time.
    struct TimePosition: Sendable, Hashable {
        static let start = TimePosition(time: Int64.min, number: Int64.min)
        static let end = TimePosition(time: Int64.max, number: Int64.max)

        /// In microseconds.
        let time: Int64
        let number: Int64
    }

    enum Time: Sendable, Hashable { case creation, modification }

    /// Calls `body` for the records after one position, up to a time, from the earliest on, until it returns false.
    static func forEachRow(
        ofType type: Int64,
        by time: Time,
        after start: TimePosition,
        through end: Int64,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection,
        _ body: (RecordRow) throws -> Bool
    ) throws {
        let sql: StaticString =
            switch time {
            case .creation:
                """
                SELECT number, type, change_tag, created_at, modified_at, sealed_fields, name_tag FROM records
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4 AND (created_at, number) > ($5, $6)
                AND created_at <= $7 ORDER BY created_at, number LIMIT $8
                """
            case .modification:
                """
                SELECT number, type, change_tag, created_at, modified_at, sealed_fields, name_tag FROM records
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4 AND (modified_at, number) > ($5, $6)
                AND modified_at <= $7 ORDER BY modified_at, number LIMIT $8
                """
            }
        try forEachRow(sql, type, start, end, limit, in: place, db, body)
    }

    /// Calls `body` for the records before one position, down to a time, from the latest on, until it returns false.
    static func forEachRow(
        ofType type: Int64,
        by time: Time,
        before start: TimePosition,
        downTo end: Int64,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection,
        _ body: (RecordRow) throws -> Bool
    ) throws {
        let sql: StaticString =
            switch time {
            case .creation:
                """
                SELECT number, type, change_tag, created_at, modified_at, sealed_fields, name_tag FROM records
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4 AND (created_at, number) < ($5, $6)
                AND created_at >= $7 ORDER BY created_at DESC, number DESC LIMIT $8
                """
            case .modification:
                """
                SELECT number, type, change_tag, created_at, modified_at, sealed_fields, name_tag FROM records
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4 AND (modified_at, number) < ($5, $6)
                AND modified_at >= $7 ORDER BY modified_at DESC, number DESC LIMIT $8
                """
            }
        try forEachRow(sql, type, start, end, limit, in: place, db, body)
    }

    private static func forEachRow(
        _ sql: StaticString,
        _ type: Int64,
        _ start: TimePosition,
        _ end: Int64,
        _ limit: Int,
        in place: RecordPlace,
        _ db: Connection,
        _ body: (RecordRow) throws -> Bool
    ) throws {
        try db.forEach(
            sql,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(type),
            .integer(start.time),
            .integer(start.number),
            .integer(end),
            .integer(Int64(limit))
        ) { try body(row($0, in: place)) }
    }

    /// The next positions in the order of a time, without the records.
    static func positions(
        ofType type: Int64,
        by time: Time,
        isAscending: Bool,
        after start: TimePosition,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [TimePosition] {
        let sql: StaticString =
            switch (time, isAscending) {
            case (.creation, true):
                """
                SELECT created_at, number FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4
                AND (created_at, number) > ($5, $6) ORDER BY created_at, number LIMIT $7
                """
            case (.creation, false):
                """
                SELECT created_at, number FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4
                AND (created_at, number) < ($5, $6) ORDER BY created_at DESC, number DESC LIMIT $7
                """
            case (.modification, true):
                """
                SELECT modified_at, number FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4
                AND (modified_at, number) > ($5, $6) ORDER BY modified_at, number LIMIT $7
                """
            case (.modification, false):
                """
                SELECT modified_at, number FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4
                AND (modified_at, number) < ($5, $6) ORDER BY modified_at DESC, number DESC LIMIT $7
                """
            }
        return try db.all(
            sql,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(type),
            .integer(start.time),
            .integer(start.number),
            .integer(Int64(limit))
        ) { TimePosition(time: $0.integer(0), number: $0.integer(1)) }
    }

    /// The numbers of the records with a time in a range, in no particular order.
    static func numbers(
        ofType type: Int64,
        by time: Time,
        in times: ClosedRange<Int64>,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [Int64] {
        let sql: StaticString =
            switch time {
            case .creation:
                """
                SELECT number FROM records
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4 AND created_at BETWEEN $5 AND $6
                """
            case .modification:
                """
                SELECT number FROM records
                WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4 AND modified_at BETWEEN $5 AND $6
                """
            }
        return try db.all(
            sql,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(type),
            .integer(times.lowerBound),
            .integer(times.upperBound)
        ) { $0.integer(0) }
    }

    /// When the record with this number was created or modified; nil if it is not a record of the type in this zone.
    static func time(
        _ time: Time,
        of number: Int64,
        type: Int64,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> Int64? {
        try db.first(
            """
            SELECT created_at, modified_at FROM records
            WHERE number = $1 AND +container_id = $2 AND owner = $3 AND +zone = $4 AND type = $5
            """,
            .integer(number),
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(type)
        ) { $0.integer(time == .creation ? 0 : 1) }
    }

    /// How many records have a time in a range, up to a limit.
    static func count(
        ofType type: Int64,
        by time: Time,
        in times: ClosedRange<Int64>,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> Int {
        let sql: StaticString =
            switch time {
            case .creation:
                """
                SELECT count(*) FROM (SELECT 1 FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4
                    AND created_at BETWEEN $5 AND $6 LIMIT $7) AS found
                """
            case .modification:
                """
                SELECT count(*) FROM (SELECT 1 FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4
                    AND modified_at BETWEEN $5 AND $6 LIMIT $7) AS found
                """
            }
        return try db.first(
            sql,
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .integer(type),
            .integer(times.lowerBound),
            .integer(times.upperBound),
            .integer(Int64(limit))
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The number and type of the record with this ID; nil if there is none.
    static func number(_ id: RecordID, in place: RecordPlace, _ db: Connection) throws -> (number: Int64, type: Int64)?
    {
        for tags in place.tags {
            let found = try db.first(
                "SELECT number, type FROM records WHERE container_id = $1 AND owner = $2 AND zone = $3 AND name_tag = $4",
                .integer(place.container),
                .bytes(place.owner),
                .integer(place.zone),
                .tag(tags.name(id.name, zone: place.zone))
            ) { ($0.integer(0), $0.integer(1)) }
            if let found { return found }
        }
        return nil
    }
}
