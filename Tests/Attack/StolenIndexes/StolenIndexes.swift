import KinfolkCrypto

/// The rows of all indexes, as a thief reads them without the key.
struct StolenIndexes {
    /// The columns of a row that say to which database and zone it belongs, in plain text.
    struct Scope: Hashable {
        let container: Int64
        let owner: [UInt8]
        let zone: Int64

        fileprivate init(_ row: StolenRow) { (container, owner, zone) = (row.integer(0), row.bytes(1), row.integer(2)) }
    }

    struct Entry: Hashable {
        let scope: Scope
        let tag: Tag
        /// Of the record.
        let number: Int64
    }

    /// A row of a SEARCHABLE index. It does not name a record.
    struct Posting {
        let scope: Scope
        let tag: Tag
        let sealed: [UInt8]
    }

    /// The indexes with tags, by the names of their tables.
    static let tables = ["index_entries", "cell_entries", "postings"]

    /// QUERYABLE values.
    let values: [Entry]
    /// QUERYABLE locations: the cells of each record.
    let cells: [Entry]
    let postings: [Posting]
    /// The numbers of records by the tags of their names. The thief cannot use the names; an experiment needs them to score its guesses.
    let numbers: [Tag: Int64]

    init(_ file: StolenFile) throws {
        values = try StolenIndexes.entries("index_entries", file)
        cells = try StolenIndexes.entries("cell_entries", file)
        postings = try file.rows("SELECT container_id, owner, zone, tag, sealed_block FROM postings ORDER BY tag") {
            Posting(scope: Scope($0), tag: $0.tag(3), sealed: $0.bytes(4))
        }
        let names = try file.rows("SELECT name_tag, number FROM records") { ($0.tag(0), $0.integer(1)) }
        numbers = Dictionary(names) { first, _ in first }
    }

    private static func entries(_ table: String, _ file: StolenFile) throws -> [Entry] {
        try file.rows("SELECT container_id, owner, zone, tag, number FROM \(table) ORDER BY tag, number") {
            Entry(scope: Scope($0), tag: $0.tag(3), number: $0.integer(4))
        }
    }

    /// Each tag of each index, with the scopes in which it is.
    var scopes: [String: [Tag: Set<Scope>]] {
        func scopes(_ rows: [(Tag, Scope)]) -> [Tag: Set<Scope>] {
            rows.reduce(into: [:]) { $0[$1.0, default: []].insert($1.1) }
        }
        return [
            "index_entries": scopes(values.map { ($0.tag, $0.scope) }),
            "cell_entries": scopes(cells.map { ($0.tag, $0.scope) }),
            "postings": scopes(postings.map { ($0.tag, $0.scope) }),
        ]
    }
}
