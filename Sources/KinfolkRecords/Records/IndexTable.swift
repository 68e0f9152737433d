import KinfolkCore
package import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The table of QUERYABLE indexes: the keyed tags of the values of records.
package enum IndexTable {
    /// The tags of a record: of its creator in the public database and of another user who changed it last, and of the values of its
    /// QUERYABLE fields.
    package static func tags(
        of content: RecordContent,
        _ type: TypeDefinition?,
        _ tags: RecordTags,
        in database: DatabaseScope
    ) -> Set<Tag> {
        var found: Set<Tag> = []
        // By it, the erasure of that user finds the record.
        if database == .public, let modifier = content.modifier, modifier != content.creator {
            found.insert(tags.modifier(modifier))
        }
        // User records are never queried.
        guard let type, type.number != 0 else { return found }
        if database == .public, let creator = content.creator { found.insert(tags.creator(creator)) }
        for (name, value) in zip(content.fields.names, content.fields.values) {
            guard let field = type.fields[name], field.options.contains(.queryable) else { continue }
            for value in IndexValue.all(of: value) { found.insert(tags.value(value, ofField: field.number)) }
        }
        return found
    }

    package static func insert(_ tags: Set<Tag>, of number: Int64, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "INSERT INTO index_entries (container_id, owner, zone, tag, number) VALUES ($1, $2, $3, $4, $5)",
            for: tags.sorted()
        ) { [.integer(place.container), .bytes(place.owner), .integer(place.zone), .tag($0), .integer(number)] }
    }

    package static func delete(_ tags: Set<Tag>, of number: Int64, in place: RecordPlace, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 AND number = $5",
            for: tags.sorted()
        ) { [.integer(place.container), .bytes(place.owner), .integer(place.zone), .tag($0), .integer(number)] }
    }

    package static func has(_ tag: Tag, of number: Int64, in place: RecordPlace, _ db: Connection) throws -> Bool {
        try db.first(
            "SELECT 1 FROM index_entries WHERE container_id = $1 AND owner = $2 AND zone = $3 AND tag = $4 AND number = $5",
            .integer(place.container),
            .bytes(place.owner),
            .integer(place.zone),
            .tag(tag),
            .integer(number)
        ) { _ in true } ?? false
    }
}
