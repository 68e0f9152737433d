import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

extension StoreChecker {
    /// Opens all records, and compares the entries of their indexes and the counts of their bytes with them.
    func checkRecords() throws {
        var (records, entries, cells, positions, references) = (0, 0, 0, 0, 0)
        var bytes = ByteCountCheck()
        var postings = PostingCheck()
        var schemas: [Int64: ContainerSchema?] = [:]
        /// Nil if the schema cannot be read, which is reported separately.
        func schema(of container: Int64) throws -> ContainerSchema? {
            if let known = schemas[container] { return known }
            let schema = try unlessDamaged {
                try SchemaTable.schema(of: container, SchemaTable.stamp(of: container, db), keys, db)
            }
            schemas[container] = .some(schema)
            return schema
        }
        let zones = CheckedZones(self)
        try forEachRow(of: "records") { row in
            let container = try row.integer("container_id")
            guard let place = try zones.place(of: row) else { return }
            let record = try row.bytes("sealed_fields").withUnsafeBytes { sealed in
                try RecordRow(
                    sealed,
                    number: row.integer("number"),
                    type: row.integer("type"),
                    changeTag: row.changeTag("change_tag"),
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
            postings.note(record, type, in: place)
            entries += try checkEntries(of: record, type, in: place)
            cells += try checkCells(of: record, type, in: place)
            let scopes = IndexScope.all(of: record.content, type, .certain, in: place)
            positions += OrderIndex.fields(of: record.content, type, .certain).count * scopes.count
            references += try checkReferences(of: record, in: place)
        }
        // Entries and counts of records that cannot be read are not known.
        guard try records + zones.rowsToRemove(in: "records") == rowCount(of: "records") else { return }
        let more = try rowCount(of: "index_entries") - entries - zones.rowsToRemove(in: "index_entries")
        if more > 0 { found(.unexpected, in: "index_entries", more) }
        let moreCells = try rowCount(of: "cell_entries") - cells - zones.rowsToRemove(in: "cell_entries")
        if moreCells > 0 { found(.unexpected, in: "cell_entries", moreCells) }
        let others = try rowCount(of: "record_references") - references - zones.rowsToRemove(in: "record_references")
        if others > 0 { found(.unexpected, in: "record_references", others) }
        guard try checkAssets(zones, &bytes) else { return }
        try forEachRow(of: "record_bytes") { row in
            guard try keys(of: row.integer("container_id")) != nil else { return }
            try bytes.note(counted: row)
        }
        if !bytes.isRight { found(.miscounted, in: "record_bytes") }
        try checkOrder(count: positions, zones, schema)
        try checkPostings(&postings, zones)
    }

    /// Opens all rows of SEARCHABLE indexes.
    ///
    /// - Parameter postings: Has noted the records.
    private func checkPostings(_ postings: inout PostingCheck, _ zones: CheckedZones) throws {
        var isWhole = true
        try forEachRow(of: "postings") { row in
            let (owner, zone, tag) = (try row.bytes("owner"), try row.integer("zone"), try row.tag("tag"))
            guard let place = try zones.place(of: row) else { return }
            do {
                let scope = try IndexScope(owner: owner, zone: zone, in: place)
                let opened = try row.bytes("sealed_block").withUnsafeBytes { sealed in
                    let opened = try PostingTable.open(sealed, tag, in: scope)
                    try PostingTable.verify(opened, sealed, tag, in: scope)
                    return opened
                }
                try postings.note(opened, in: scope, db)
            } catch {
                isWhole = false
                throw error
            }
        }
        // What is in rows that cannot be read is not known.
        guard isWhole else { return }
        if postings.unexpectedBlocks > 0 { found(.unexpected, in: "postings", postings.unexpectedBlocks) }
        guard !postings.isRight else { return }
        switch postings.missing {
        case 1...: found(.missing, in: "postings", postings.missing)
        case 0: found(.changed, in: "postings")
        default: found(.unexpected, in: "postings", -postings.missing)
        }
    }

    /// Looks up the entries of a record in QUERYABLE indexes.
    ///
    /// - Returns: How many it has. While an index is built or removed, it may lack some.
    private func checkEntries(of record: RecordRow, _ type: TypeDefinition, in place: RecordPlace) throws -> Int {
        guard let number = record.number else { return 0 }
        func all(_ presence: IndexPresence) -> Set<IndexEntry> {
            IndexEntry.all(of: record.content, type, presence, epoch: record.epoch, in: place)
        }
        let certain = all(.certain)
        var count = 0
        for entry in all(.possible) {
            if try IndexTable.has(entry, of: number, in: place.container, db) {
                count += 1
            } else if certain.contains(entry) {
                found(.missing, in: "index_entries")
            }
        }
        return count
    }

    /// Looks up the cells in which a record's locations are, and compares the locations in them.
    ///
    /// - Returns: How many entries it has.
    private func checkCells(of record: RecordRow, _ type: TypeDefinition, in place: RecordPlace) throws -> Int {
        guard let number = record.number else { return 0 }
        func all(_ presence: IndexPresence) -> Set<CellEntry> {
            CellEntry.all(of: record.content, type, presence, epoch: record.epoch, in: place)
        }
        let certain = all(.certain)
        var count = 0
        for entry in all(.possible) {
            guard let sealed = try CellTable.sealedPoint(of: entry, number, in: place.container, db) else {
                if certain.contains(entry) { found(.missing, in: "cell_entries") }
                continue
            }
            count += 1
            try attempt("cell_entries") {
                let point = try sealed.withUnsafeBytes { try CellTable.open($0, entry.index.tag, number, in: place) }
                if point != entry.point { found(.changed, in: "cell_entries") }
            }
        }
        return count
    }

    /// Looks up the rows of a record's references, and the targets with which it would be deleted.
    ///
    /// - Returns: How many rows it should have.
    private func checkReferences(of record: RecordRow, in place: RecordPlace) throws -> Int {
        guard let number = record.number else { return 0 }
        let entries = ReferenceTable.entries(of: record.content, place.tags[record.epoch], in: place)
        for entry in entries where try !ReferenceTable.has(entry, of: number, in: place, db) {
            found(.missing, in: "record_references")
        }
        for asset in record.content.assets where try AssetTable.row(asset.id, in: place, db)?.holds(asset) != true {
            found(.missing, in: "assets")
        }
        for (target, kind) in record.content.targets where kind == .deleteSelf {
            let id = RecordID(valid: target, zone: place.zoneName)
            if try !RecordTable.exists(id, in: place, db) { found(.missing, in: "records") }
        }
        return entries.count
    }

    /// Opens the record of each entry of SORTABLE indexes, and compares the order of the entries with that of the values.
    ///
    /// - Parameter count: How many entries the records should have.
    private func checkOrder(
        count: Int,
        _ zones: CheckedZones,
        _ schema: (Int64) throws -> ContainerSchema?
    ) throws {
        var right = 0
        var last: (container: Int64, owner: [UInt8], zone: Int64, field: Int64, key: OrderKey)?
        try forEachRow(of: "order_entries") { row in
            let (field, number) = (try row.integer("field"), try row.integer("number"))
            guard let place = try zones.place(of: row), let schema = try schema(place.container) else { return }
            let (container, owner, zone) = (place.container, try row.bytes("owner"), try row.integer("zone"))
            guard let record = try RecordTable.row(number: number, in: place, db),
                let type = schema.type(record.type),
                let name = OrderIndex.fields(of: record.content, type, .possible)
                    .first(where: { type.fields[$0]?.number == field }),
                let key = OrderKey(of: record.content, number: number, in: name)
            else { return found(.unexpected, in: "order_entries") }
            // While an index is built or removed, the record may have no entry.
            let isCertain =
                type.fields[name]?.has(.sortable, .certain) == true
                && (zone != IndexScope.ofCreator || type.hasCreatorScope(.certain))
            if isCertain { right += 1 }
            let isSameList =
                last.map {
                    $0.container == container && $0.owner == owner && $0.zone == zone && $0.field == field
                } ?? false
            if let last, isSameList, isCertain, last.key >= key { found(.changed, in: "order_entries") }
            if try !OrderPositions.all.contains(row.integer("position")) { found(.changed, in: "order_entries") }
            last = (container, owner, zone, field, key)
        }
        if right < count { found(.missing, in: "order_entries", count - right) }
    }
}
