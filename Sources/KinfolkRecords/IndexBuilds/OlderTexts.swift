import KinfolkCore
import KinfolkStorage

/// Indexes of texts that an older version of Unicode's tables made. Queries do not use them, and they are made again: first all
/// entries are removed, and then they are built.
enum OlderTexts {
    /// The containers that have such indexes.
    static func containers(_ db: Connection) throws -> [Int64] {
        try db.all(
            """
            SELECT DISTINCT f.container_id FROM fields f JOIN containers c ON c.container_id = f.container_id
            WHERE c.state = 0 AND f.value_type IN (1, 17) AND f.built <> 0 AND f.unicode >= 0 AND f.unicode < $1
            """,
            .integer(TextVersion.current.rawValue)
        ) { $0.integer(0) }
    }

    /// Begins to remove their entries.
    static func withdraw(from schema: ContainerSchema, in container: Int64, _ db: Connection) throws {
        for type in schema.types.values.sorted(by: { $0.number < $1.number }) {
            var withdrawn = type
            for name in type.fields.keys { withdrawn.fields[name]?.withdrawOlderTexts() }
            guard withdrawn != type else { continue }
            try SchemaChangesTable.set(withdrawn, over: type, in: container, db)
            try IndexBuildTable.start(type.number, in: container, db)
            _ = try SchemaTable.takeNumbers(0, in: container, db)
        }
    }
}
