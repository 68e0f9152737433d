import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

extension StoreChecker {
    /// Opens all records, and compares the entries of their indexes with them.
    func checkRecords() throws {
        var entries = 0
        var schemas: [Int64: ContainerSchema] = [:]
        func type(_ number: Int64, in container: Int64) throws -> TypeDefinition? {
            let schema = try schemas[container] ?? SchemaTable.schema(of: container, SchemaTable.stamp(of: container, db), db)
            schemas[container] = schema
            return schema.type(number)
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
            guard let type = try type(record.type, in: container) else {
                return found(.missing, in: "record_types")
            }
            let tags = IndexTable.tags(of: record.content, type, place.tags[record.epoch], in: place.database)
            entries += tags.count
            for tag in tags {
                guard let number = record.number, try !IndexTable.has(tag, of: number, in: place, db) else { continue }
                found(.missing, in: "index_entries")
            }
        }
        let more = rowCount(of: "index_entries") - entries
        if more > 0 { found(.unexpected, in: "index_entries", more) }
    }
}
