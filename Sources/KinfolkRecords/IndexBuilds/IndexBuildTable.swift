import KinfolkCore
package import KinfolkStorage

/// The table of record types whose indexes are being built or removed.
package enum IndexBuildTable {
    /// The record that was reached last, in the order of zones and of creation, which neither saves nor a key rotation change.
    struct Position: Equatable {
        /// Before all records.
        static let start = Position(owner: [], zone: -1, created: .min, number: -1)

        let owner: [UInt8]
        let zone: Int64
        let created: Int64
        let number: Int64
    }

    /// A record type of a container.
    package struct Key: Hashable, Sendable {
        let container: Int64
        let type: Int64
    }

    package struct Row {
        package let container: Int64
        package let type: Int64
        let position: Position
        package let done: Int64
        package let total: Int64

        var key: Key { Key(container: container, type: type) }
    }

    /// The build to continue first, in a container that is in use; nil if all indexes are built.
    ///
    /// - Parameter failed: The builds that are left out.
    package static func next(_ db: Connection, except failed: Set<Key> = []) throws -> Row? {
        try db.all(
            """
            SELECT b.container_id, b.type, b.owner, b.zone, b.created_at, b.number, b.done, b.total FROM index_builds b
            JOIN containers c ON c.container_id = b.container_id WHERE c.state = 0 ORDER BY b.container_id, b.type LIMIT $1
            """,
            .integer(Int64(failed.count + 1)),
            read: row
        ).first { !failed.contains($0.key) }
    }

    /// The types of a container, in the order of their numbers.
    package static func all(in container: Int64, _ db: Connection) throws -> [Row] {
        try db.all(
            """
            SELECT container_id, type, owner, zone, created_at, number, done, total FROM index_builds
            WHERE container_id = $1 ORDER BY type
            """,
            .integer(container),
            read: row
        )
    }

    private static func row(_ row: any Statement) -> Row {
        Row(
            container: row.integer(0),
            type: row.integer(1),
            position: Position(
                owner: row.bytes(2),
                zone: row.integer(3),
                created: row.integer(4),
                number: row.integer(5)
            ),
            done: row.integer(6),
            total: row.integer(7)
        )
    }

    /// Begins with the first record, also if a build of the type is not over.
    static func start(_ type: Int64, in container: Int64, _ db: Connection) throws {
        try delete(type, in: container, db)
        let start = Position.start
        try db.execute(
            """
            INSERT INTO index_builds (container_id, type, owner, zone, created_at, number, done, total)
            VALUES ($1, $2, $3, $4, $5, $6, 0, (SELECT count(*) FROM records WHERE container_id = $1 AND type = $2))
            """,
            .integer(container),
            .integer(type),
            .bytes(start.owner),
            .integer(start.zone),
            .integer(start.created),
            .integer(start.number)
        )
    }

    static func note(_ position: Position, done: Int64, of row: Row, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE index_builds SET owner = $3, zone = $4, created_at = $5, number = $6, done = $7
            WHERE container_id = $1 AND type = $2
            """,
            .integer(row.container),
            .integer(row.type),
            .bytes(position.owner),
            .integer(position.zone),
            .integer(position.created),
            .integer(position.number),
            .integer(done)
        )
    }

    static func delete(_ type: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM index_builds WHERE container_id = $1 AND type = $2",
            .integer(container),
            .integer(type)
        )
    }

    // MARK: Records

    static func hasRecords(of type: Int64, in container: Int64, _ db: Connection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM records WHERE container_id = $1 AND type = $2 LIMIT 1",
            .integer(container),
            .integer(type)
        ) { _ in true } ?? false
    }

    /// The next records of a type within the zone of a position.
    static func records(after position: Position, limit: Int, of row: Row, _ db: Connection) throws -> [Position] {
        try db.all(
            """
            SELECT created_at, number FROM records
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND type = $4 AND (created_at, number) > ($5, $6)
            ORDER BY created_at, number LIMIT $7
            """,
            .integer(row.container),
            .bytes(position.owner),
            .integer(position.zone),
            .integer(row.type),
            .integer(position.created),
            .integer(position.number),
            .integer(Int64(limit))
        ) { Position(owner: position.owner, zone: position.zone, created: $0.integer(0), number: $0.integer(1)) }
    }

    /// The beginning of the next zone that has records, of any type; nil after the last one.
    static func zone(after position: Position, of row: Row, _ db: Connection) throws -> Position? {
        try db.first(
            """
            SELECT owner, zone FROM records WHERE container_id = $1 AND (owner, zone) > ($2, $3)
            ORDER BY owner, zone LIMIT 1
            """,
            .integer(row.container),
            .bytes(position.owner),
            .integer(position.zone)
        ) { Position(owner: $0.bytes(0), zone: $0.integer(1), created: .min, number: -1) }
    }
}
