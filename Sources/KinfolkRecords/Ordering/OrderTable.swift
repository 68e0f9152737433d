import KinfolkCore
import KinfolkCrypto
import KinfolkModel
package import KinfolkStorage

/// The table of SORTABLE indexes: for each record with a value, its position in the order of the values.
///
/// It holds no values. To compare with an entry, its record is opened.
package enum OrderTable {
    /// The order of one field in one scope.
    package struct List: Sendable {
        package let scope: IndexScope
        package let field: Int64
        /// The number of the record type.
        package let type: Int64

        package init(of field: Int64, ofType type: Int64, in scope: IndexScope) {
            self.scope = scope
            self.field = field
            self.type = type
        }
    }

    package struct Entry: Sendable, Equatable {
        package let position: Int64
        /// The record's number.
        package let number: Int64
    }

    /// An entry with the record as it is in the store.
    struct OpenEntry {
        let entry: Entry
        /// Nil if the record cannot be read, or is not one of the list.
        let content: RecordContent?
    }

    // MARK: Reading

    /// The next entries, from low to high positions, from the first one if `position` is negative.
    package static func entries(after position: Int64, of list: List, limit: Int, _ db: Connection) throws
        -> [Entry]
    {
        try db.all(
            """
            SELECT position, number FROM order_entries
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND field = $4 AND position > $5 ORDER BY position LIMIT $6
            """,
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(list.field),
            .integer(position),
            .integer(Int64(limit))
        ) { Entry(position: $0.integer(0), number: $0.integer(1)) }
    }

    /// The next entries, from high to low positions.
    package static func entries(
        before position: Int64,
        of list: List,
        limit: Int,
        _ db: Connection
    ) throws -> [Entry] {
        try db.all(
            """
            SELECT position, number FROM order_entries
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND field = $4 AND position < $5 ORDER BY position DESC LIMIT $6
            """,
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(list.field),
            .integer(position),
            .integer(Int64(limit))
        ) { Entry(position: $0.integer(0), number: $0.integer(1)) }
    }

    /// The position of a record; nil if it has none.
    package static func position(of number: Int64, in list: List, _ db: Connection) throws -> Int64? {
        try db.first(
            "SELECT position FROM order_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND number = $4 AND field = $5",
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(number),
            .integer(list.field)
        ) { $0.integer(0) }
    }

    /// The first entry from this position on; nil if it is not below `top`. For the plus signs, see ``RecordTable/row(number:in:_:)``.
    static func first(from position: Int64, below top: Int64, of list: List, _ db: Connection) throws -> OpenEntry? {
        try db.first(
            """
            SELECT r.number, r.type, r.change_tag, r.created_at, r.modified_at, r.sealed_fields, r.name_tag, e.position, e.number
            FROM order_entries e
            LEFT JOIN records r ON r.number = e.number AND +r.container_id = e.container_id AND r.owner = $6 AND +r.zone = $7
            WHERE e.container_id = $1 AND e.owner = $2 AND e.zone = $3 AND e.field = $4 AND e.position >= $5 ORDER BY e.position LIMIT 1
            """,
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(list.field),
            .integer(position),
            .bytes(list.scope.place.owner),
            .integer(list.scope.place.zone)
        ) { $0.integer(7) < top ? try open($0, in: list) : nil } ?? nil
    }

    /// The last entry before this position.
    static func last(before position: Int64, of list: List, _ db: Connection) throws -> OpenEntry? {
        try db.first(
            """
            SELECT r.number, r.type, r.change_tag, r.created_at, r.modified_at, r.sealed_fields, r.name_tag, e.position, e.number
            FROM order_entries e
            LEFT JOIN records r ON r.number = e.number AND +r.container_id = e.container_id AND r.owner = $6 AND +r.zone = $7
            WHERE e.container_id = $1 AND e.owner = $2 AND e.zone = $3 AND e.field = $4 AND e.position < $5
            ORDER BY e.position DESC LIMIT 1
            """,
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(list.field),
            .integer(position),
            .bytes(list.scope.place.owner),
            .integer(list.scope.place.zone)
        ) { try open($0, in: list) }
    }

    private static func open(_ row: any Statement, in list: List) throws -> OpenEntry {
        let entry = Entry(position: row.integer(7), number: row.integer(8))
        guard !row.isNull(0) else { return OpenEntry(entry: entry, content: nil) }
        do {
            let record = try RecordTable.row(row, in: list.scope.place)
            // Otherwise somebody without the key could have the values of other records compared.
            let isOfList = record.type == list.type && list.scope.contains(record.content)
            return OpenEntry(entry: entry, content: isOfList ? record.content : nil)
        } catch let error where KinfolkError(error).code == .storeCorrupt {
            return OpenEntry(entry: entry, content: nil)
        }
    }

    // MARK: Writing

    static func insert(_ entry: Entry, in list: List, _ db: Connection) throws {
        try db.execute(
            "INSERT INTO order_entries (container_id, owner, zone, field, position, number) VALUES ($1, $2, $3, $4, $5, $6)",
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(list.field),
            .integer(entry.position),
            .integer(entry.number)
        )
    }

    static func run(_ moves: [OrderPositions.Move], in list: List, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE order_entries SET position = $6
            WHERE container_id = $1 AND owner = $2 AND zone = $3 AND field = $4 AND position = $5
            """,
            for: moves
        ) { move in
            [
                .integer(list.scope.container), .bytes(list.scope.key.owner), .integer(list.scope.key.zone),
                .integer(list.field), .integer(move.from), .integer(move.to),
            ]
        }
    }

    static func delete(_ number: Int64, from list: List, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM order_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND number = $4 AND field = $5",
            .integer(list.scope.container),
            .bytes(list.scope.key.owner),
            .integer(list.scope.key.zone),
            .integer(number),
            .integer(list.field)
        )
    }

    /// Deletes the entries of a record in the scopes of all creators. Use it only if the record's creator is not known: it reads all entries of
    /// these scopes.
    static func deleteEntriesOfCreators(of number: Int64, in container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM order_entries WHERE container_id = $1 AND zone = $2 AND number = $3",
            .integer(container),
            .integer(IndexScope.ofCreator),
            .integer(number)
        )
    }

    /// Deletes the entries of a record in all fields, without regard to its content.
    static func delete(_ number: Int64, in scope: IndexScope, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM order_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND number = $4",
            .integer(scope.container),
            .bytes(scope.key.owner),
            .integer(scope.key.zone),
            .integer(number)
        )
    }
}
