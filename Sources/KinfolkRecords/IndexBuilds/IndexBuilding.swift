package import KinfolkCore
import KinfolkModel
package import KinfolkStorage

/// The next part of the work on the indexes of a record type, in one transaction.
package struct IndexBuilding {
    /// How many records a transaction reads.
    package static let batchSize = 200
    /// Among how many zones it looks for them.
    private static let zoneLimit = 50

    private let row: IndexBuildTable.Row
    private let keys: KeyRing
    private let db: Connection
    private let limit: Int

    package init(_ row: IndexBuildTable.Row, _ keys: KeyRing, _ db: Connection, limit: Int = batchSize) {
        self.row = row
        self.keys = keys
        self.db = db
        self.limit = limit
    }

    package func run() throws {
        let stamp = try SchemaTable.stamp(of: row.container, db)
        let schema = try SchemaTable.schema(of: row.container, stamp, keys, db)
        // A type that was removed.
        guard let type = schema.type(row.type) else {
            return try IndexBuildTable.delete(row.type, in: row.container, db)
        }
        let (records, last) = try nextRecords()
        // Not within askAhead, where queries return no rows, so that no zone would be found.
        let places = ZonePlaces(in: row.container, try keys.container(row.container, db), db)
        let found = try records.compactMap { record in
            // The rows of a deleted zone are being removed.
            try places.place(owner: record.owner, zone: record.zone).map { (place: $0, number: record.number) }
        }
        try db.askAhead {
            for record in found { _ = try? RecordTable.row(number: record.number, in: record.place, db) }
        }
        // All of them before the first change, which discards what was asked ahead.
        let saved = try found.compactMap { record in
            let row = try row(record.number, in: record.place)
            if row == nil { try removeOrder(of: record.number, type, in: record.place) }
            return row.map { (record.place, $0) }
        }
        let indexes = RecordIndexes(db)
        for (place, row) in saved {
            guard let number = row.number else { continue }
            // A record that the rotation has not reached yet keeps its tags under the older key.
            let source = RecordIndexes.Source(row.decoded(), type)
            try indexes.change(number, from: source, to: source, in: place)
        }
        try indexes.finish()
        guard let last else { return try finish(type) }
        try IndexBuildTable.note(last, done: row.done + Int64(records.count), of: row, db)
    }

    /// Nil for a record that was edited without the key: it is never an answer. The store check reports it.
    private func row(_ number: Int64, in place: RecordPlace) throws -> RecordRow? {
        do { return try RecordTable.row(number: number, in: place, db) } catch let error
            where KinfolkError(error).code == .storeCorrupt
        {
            return nil
        }
    }

    /// Removes a record that cannot be read from the SORTABLE indexes: a search in these opens the records that it meets.
    private func removeOrder(of number: Int64, _ type: TypeDefinition, in place: RecordPlace) throws {
        try OrderTable.delete(number, in: IndexScope(of: place), db)
        if place.database == .public, type.hasCreatorScope(.possible) {
            try OrderTable.deleteEntriesOfCreators(of: number, in: place.container, db)
        }
    }

    /// The next records, and the position after them; nil if these are the last ones.
    private func nextRecords() throws -> (records: [IndexBuildTable.Position], last: IndexBuildTable.Position?) {
        var records: [IndexBuildTable.Position] = []
        var position = row.position
        for _ in 0..<IndexBuilding.zoneLimit {
            let missing = limit - records.count
            let found = try IndexBuildTable.records(after: position, limit: missing, of: row, db)
            records += found
            if let last = found.last { position = last }
            guard found.count < missing else { return (records, position) }
            guard let next = try IndexBuildTable.zone(after: position, of: row, db) else { return (records, nil) }
            position = next
        }
        return (records, position)
    }

    /// Notes that the indexes are complete, or begins to build those of texts whose older entries are removed now.
    private func finish(_ type: TypeDefinition) throws {
        var settled = type
        settled.settle()
        try SchemaChangesTable.set(settled, over: type, in: row.container, db)
        if type.fields.values.contains(where: \.isWithdrawn) {
            try IndexBuildTable.start(row.type, in: row.container, db)
        } else {
            try IndexBuildTable.delete(row.type, in: row.container, db)
        }
        _ = try SchemaTable.takeNumbers(0, in: row.container, db)
    }
}
