import Kinfolk
import KinfolkCrypto
import KinfolkStorage

/// The rows of records and of their index, as a thief reads them without the key.
struct StolenTables {
    struct Row {
        let number: Int64
        let container: Int64
        /// Empty in the public database.
        let owner: [UInt8]
        let name: Tag
        let type: Int64
        let createdAt: Int64
        let modifiedAt: Int64
        /// The length of the sealed content.
        let size: Int
        let entries: Set<Tag>
    }

    let rows: [Row]

    init(_ service: Service) throws {
        rows = try service.read { db in
            let entries = Dictionary(
                grouping: try db.all("SELECT number, tag FROM index_entries") { row in
                    (number: row.integer(0), tag: row.withBytes(1, Tag.init) ?? Tag())
                },
                by: \.number
            )
            return try db.all(
                """
                SELECT number, container_id, owner, name_tag, type, created_at, modified_at, length(sealed_fields) FROM records
                ORDER BY number
                """
            ) { row in
                Row(
                    number: row.integer(0),
                    container: row.integer(1),
                    owner: row.bytes(2),
                    name: row.withBytes(3, Tag.init) ?? Tag(),
                    type: row.integer(4),
                    createdAt: row.integer(5),
                    modifiedAt: row.integer(6),
                    size: Int(row.integer(7)),
                    entries: Set(entries[row.integer(0), default: []].map(\.tag))
                )
            }
        }
    }

    /// The numbers of record types by their names, which the store holds in plain text.
    static func types(_ container: Container) throws -> [String: Int64] {
        try container.service.read { db in
            Dictionary(
                uniqueKeysWithValues: try db.all(
                    "SELECT name, type FROM record_types WHERE container_id = $1",
                    .integer(container.number)
                ) { ($0.text(0), $0.integer(1)) }
            )
        }
    }
}
