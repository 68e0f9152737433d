import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

extension StoreChecker {
    /// Opens all records, and compares the entries of their indexes and the counts of their bytes with them.
    func checkRecords() throws {
        var (records, entries) = (0, 0)
        var bytes = ByteCountCheck()
        var schemas: [Int64: ContainerSchema?] = [:]
        /// Nil if the schema cannot be read, which is reported separately.
        func schema(of container: Int64) throws -> ContainerSchema? {
            if let known = schemas[container] { return known }
            let schema = try unlessDamaged {
                try SchemaTable.schema(of: container, SchemaTable.stamp(of: container, db), db)
            }
            schemas[container] = .some(schema)
            return schema
        }
        try forEachRow(of: "records") { row in
            let container = try row.integer("container_id")
            guard let keys = try keys(of: container) else { return }
            let owner = try row.bytes("owner")
            let user = owner.withUnsafeBytes(RandomID.init(bytes:)).map(UserRecordID.init)
            guard owner.isEmpty || user != nil else { throw StorageError(.corrupt) }
            let place = RecordPlace(ofPrivate: user, in: container, keys)
            let record = try row.bytes("sealed_fields").withUnsafeBytes { sealed in
                try RecordRow(
                    sealed,
                    number: row.integer("number"),
                    type: row.integer("type"),
                    changeTag: row.bytes("change_tag"),
                    times: (
                        Timestamp(microseconds: row.integer("created_at")),
                        Timestamp(microseconds: row.integer("modified_at"))
                    ),
                    at: row.tag("name_tag"),
                    named: nil,
                    in: place
                )
            }
            guard let schema = try schema(of: container) else { return }
            guard let type = schema.type(record.type) else { return found(.missing, in: "record_types") }
            records += 1
            bytes.note(record, in: place)
            let tags = IndexTable.tags(of: record.content, type, place.tags[record.epoch], in: place.database)
            entries += tags.count
            for tag in tags {
                guard let number = record.number, try !IndexTable.has(tag, of: number, in: place, db) else { continue }
                found(.missing, in: "index_entries")
            }
        }
        // Entries and counts of records that cannot be read are not known.
        guard records == rowCount(of: "records") else { return }
        let more = rowCount(of: "index_entries") - entries
        if more > 0 { found(.unexpected, in: "index_entries", more) }
        try forEachRow(of: "record_bytes") { row in
            guard try keys(of: row.integer("container_id")) != nil else { return }
            try bytes.note(counted: row)
        }
        if !bytes.isRight { found(.miscounted, in: "record_bytes") }
    }
}
